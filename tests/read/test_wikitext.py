"""Wikitext as a reader sees it, and how long it takes where it is hostile."""

import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from unquilt.read.wikitext import plain

SEEN = {
    "bold and italics": ("'''Ada''' (''née'' '''''Byron''''')", "Ada (née Byron)"),
    "apostrophes": ("it's 'so' and ''''x", "it's 'so' and 'x"),
    "a link": ("a [[mathematician]] here", "a mathematician here"),
    "a link with a label": ("[[English people|English]] words", "English words"),
    "a link with a tail": ("[[dog]]s", "dogs"),
    "a link to a section": ("[[Dog#Legs|legs]]", "legs"),
    "a link outwards": ("see [http://a.example/ the page] now", "see the page now"),
    "a link outwards without label": ("see [http://a.example/] now", "see now"),
    "a bare address": ("http://a.example/x?y=[z]", "http://a.example/x?y=[z]"),
    "a mail address": ("[mailto:a@b.example write]", "write"),
    "brackets that are no link": ("a[0] = [x] [[", "a[0] = [x] [["),
    "a link to a category shown": ("[[:Category:Dogs]]", "Category:Dogs"),
    "a category": ("a [[Category:Dogs|x]] b", "a b"),
    "a category in capitals": ("a [[category: Dogs]] b", "a b"),
    "another language": ("a [[de:Hund]] [[zh-min-nan:X]] b", "a b"),
    "a file without caption": ("a [[File:A.jpg]] b", "a b"),
    "a file with options only": ("a [[File:A.jpg|thumb|200px|alt=x y]] b", "a b"),
    "a file with a caption": ("a [[File:A.jpg|thumb|A ''dog'' with [[leg|legs]]]] b", "a\nA dog with legs\nb"),
    "a template": ("a {{b|c=[[d]]|e}} f", "a f"),
    "templates in templates": ("a {{b|{{c}}|{{{d|e}}}}} f", "a f"),
    "a parameter": ("a {{{b|c}}} d", "a d"),
    "a template over lines": ("{{Box\n| a = b\n* c\n}}\ntext", "text"),
    "a template never closed": ("{{a [[b]] c", "{{a b c"),
    "braces closed too often": ("a }} b", "a }} b"),
    "a reference": ('a<ref>b</ref> c<ref name=x/> d<ref name="x">{{e}}</ref>.', "a c d."),
    "a reference never closed": ("a<ref>b", "ab"),
    "a formula": ("a <math>x^2 < y</math> b", "a b"),
    "a comment": ("a<!-- b\nc -->d", "ad"),
    "a comment never closed": ("a<!-- b", "a"),
    "tags in a line": ("H<sub>2</sub>O <span style='x'>b</span> <s>c</s>", "H2O b c"),
    "tags of blocks": ("a<br/>b<p>c</p>d<div class=x>e</div>", "a\nb\nc\nd\ne"),
    "what is no tag": ("a < b, c > d, <x> <3", "a < b, c > d, <x> <3"),
    "nowiki": ("<nowiki>'''[[a]] {{b}}</nowiki>", "'''[[a]] {{b}}"),
    "pre": ("a<pre>[[b]]\n  c</pre>d", "a\n[[b]]\nc\nd"),
    "code": ('<syntaxhighlight lang="py">a = {{}}</syntaxhighlight>', "a = {{}}"),
    "references to characters": ("&amp;&nbsp;&lt;b&gt;&#65;&#x42;&#0;&nosuch;&#99999999;", "&\xa0<b>AB\ufffd&nosuch;&#99999999;"),
    "headings": ("== A ==\na\n===B===\n=== ''C'' === \nb = c\n==", "A\na\nB\nC\nb = c\n=="),
    "lists": ("* a\n** b\n# c\n; d : e\n: f", "a\nb\nc\nd : e\nf"),
    "a rule": ("a\n----\nb", "a\nb"),
    "switches": ("__NOTOC__a __not_one__", "a __not_one__"),
    "a table": ("{| class=x\n|+ T\n! a !! b\n|-\n| c || d\n|-\n| style=x | e\n|}\nf", "T\na\nb\nc\nd\ne\nf"),
    "a table in a table": ("{|\n| a\n{|\n| b\n|}\n| c\n|}\nd | e", "a\nb\nc\nd | e"),
    "a table never closed": ("{|\n| a || b", "a\nb"),
    "a bar outside of tables": ("| a || b\n! c", "| a || b\n! c"),
    "a gallery": ("<gallery mode=x>\nFile:A.jpg|A [[dog]]\nB.jpg\n</gallery>", "A dog"),
    "blank lines": ("a\n\n\n b  c \r\n", "a\nb c"),
    "null characters": ("a\0b", "a\ufffdb"),
    "nothing": ("", ""),
}


@pytest.mark.parametrize(("wikitext", "text"), SEEN.values(), ids=SEEN)
def test_wikitext_becomes_what_is_seen(wikitext, text):
    assert plain(wikitext) == text


def test_namespaces_have_the_names_of_the_wikis_language():
    files, categories = frozenset({"file", "datei"}), frozenset({"category", "kategorie"})
    assert plain("a [[Datei:A.jpg|mini|x]] [[Kategorie:B]] b", files, categories) == "a\nx\nb"
    assert plain("[[Kategorie:B]]") == "Kategorie:B"


OPENED = ["{{", "[[", "{|", "<ref>", "[[a|", "[[File:a|", "[http://a ", "<nowiki>", "<gallery>", "<!--", "<b ", "{{{", "''", "&", "__A"]
OPENED += [
    "{{[[",
    "[[\n\n",
    "\n= =",
    "\n* {|",
    "{| \n",
    "\n|+",
    "\n!a!!b",
    "\n{|\n|a||b",
    "[[a]]",
    "{{a}}{{",
    "]]",
    "}}",
    "|}",
    "<ref",
    "</ref",
]


@pytest.mark.parametrize("piece", OPENED)
def test_much_of_what_is_never_closed_takes_no_long_time(piece):
    text = piece * (300_000 // len(piece))
    began = time.thread_time()
    plain(text)
    assert time.thread_time() - began < 2  # .05 to .3; where time grows with the square, it is many


CLOSED = [
    ("{{", "}}"),
    ("[[", "]]"),
    ("[[a|", "]]"),
    ("[[File:a|", "]]"),
    ("{|\n", "\n|}"),
    ("{{{", "}}}"),
    ("[http://a ", "]"),
    ("<b>", "</b>"),
]


@pytest.mark.parametrize(("begin", "end"), CLOSED)
@pytest.mark.parametrize("depth", [90, 50_000])
def test_deep_nesting_takes_no_long_time_and_no_recursion(begin, end, depth):
    began = time.thread_time()
    plain(begin * depth + "x" * 300_000 + end * depth)
    assert time.thread_time() - began < 6


PIECES = [
    "{{",
    "}}",
    "{",
    "}",
    "[[",
    "]]",
    "[",
    "]",
    "|",
    "||",
    "{|",
    "|}",
    "|-",
    "|+",
    "!",
    "!!",
    "\n",
    "=",
    "==",
    "*",
    ":",
    ";",
    "'" * 2,
    "'" * 3,
]
PIECES += [
    "<ref>",
    "</ref>",
    "<nowiki>",
    "</nowiki>",
    "<gallery>",
    "</gallery>",
    "<!--",
    "-->",
    "File:a.jpg",
    "Category:b",
    "http://a.example/",
]
PIECES += ["word", " ", "\0", "&amp;", "&#", "__TOC__", "<b>", "<br/>", "é", "\ud800"]


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
@example("[[a|{{b]]c}}d")
@example("{|\n|[[a|b\n|}]]")
def test_no_text_makes_trouble_and_words_outside_of_markup_stay(text):
    said = plain(text)
    assert "\0" not in said
    assert said == "\n".join(line.strip() for line in said.split("\n") if line.strip())
    assert plain(f"before\n\n{text}").startswith("before")
