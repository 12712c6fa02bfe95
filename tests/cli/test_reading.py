"""What the commands that only look say: all rows for programs, what is behind, where a page's bytes are."""

import json
import shutil

import pytest

import unquilt


@pytest.fixture
def behind(call, example, tmp_path):
    """The example study, to which a file was added since."""
    shutil.copytree(example / "blogs.study", tmp_path / "blogs.study")
    (tmp_path / "new.jsonl").write_text('{"url": "http://new.example/", "html": "<p>Of <b>today</b></p>"}\n')
    assert call("add", "blogs.study", "new.jsonl", cwd=tmp_path).code == 0
    return tmp_path


def said_of(table, method):
    return f"`{table}` was made before 1 file was added; `unquilt run blogs.study {method}` makes it again\n"


def test_show_answers_programs_with_all_rows(call, example):
    done = call("show", "blogs.study", "host_pair", "--json", cwd=example)
    assert (len(json.loads(done.out)), done.err) == (24, "")
    done = call("show", "blogs.study", "host_pair", "--json", "-n", "3", cwd=example)
    assert (len(json.loads(done.out)), done.err) == (3, "3 of 24 rows; `unquilt show blogs.study host_pair -n 24` shows all\n")
    assert json.loads(call("show", "blogs.study", "skipped", "--json", cwd=example).out) == []
    counts = json.loads(call("show", "blogs.study", "pages", "--by", "title", "--json", cwd=example).out)
    assert len(counts) > 20
    assert sum(c["rows"] for c in counts) == 119


def test_show_says_when_there_are_more_values(call, example):
    done = call("show", "blogs.study", "pages", "--by", "language", "-n", "2", cwd=example)
    assert (done.out, done.err) == (
        "language  rows\nen          99\nzh           7\n",
        "the 2 most frequent; give a larger -n to see more\n",
    )
    assert call("show", "blogs.study", "pages", "--by", "language", "-n", "5", cwd=example).err == ""


def test_run_says_in_json_how_many_rows_there_are(call, example):
    found = json.loads(call("run", "blogs.study", "copies", "--json", cwd=example).out)
    assert (found["table"], found["total"], len(found["rows"])) == ("copy", 16, 16)
    found = json.loads(call("run", "blogs.study", "overlaps", "--json", cwd=example).out)
    assert (found["table"], found["total"], len(found["rows"])) == ("host_overlap", 19, 19)


def test_export_answers_in_json(call, example, tmp_path):
    path = str(tmp_path / "pairs.csv")
    done = call("export", "blogs.study", "host_pair", "-o", path, "--json", cwd=example)
    assert json.loads(done.out) == {"table": "host_pair", "path": path, "rows": 24, "columns": ["host_a", "host_b", "grams"]}
    assert done.err == ""


def test_quiet_and_a_log_go_with_show(call, example, tmp_path):
    done = call("show", "blogs.study", "host_pair", "-n", "1", "-q", "--log-file", tmp_path / "log.txt", cwd=example)
    assert (done.err, len(done.out.splitlines())) == ("", 2)
    assert "1 of 24 rows" in (tmp_path / "log.txt").read_text()


def test_what_is_behind_is_said_once_and_the_answer_is_given(call, behind):
    shown = call("show", "blogs.study", "pages", "-n", "200", cwd=behind)
    assert (shown.code, shown.err) == (0, said_of("pages", "copies"))
    assert "new.example" not in shown.out
    assert call("show", "blogs.study", "host_pair", "--json", cwd=behind).err == said_of("host_pair", "overlaps")
    assert call("show", "blogs.study", "pages", "--by", "language", "-q", cwd=behind).err == ""
    exported = call("export", "blogs.study", "pages", "-o", "p.csv", cwd=behind)
    assert exported.err == said_of("pages", "copies") + "119 rows written to p.csv\n"
    assert call("show", "blogs.study", "capture", "-n", "200", cwd=behind).err == ""
    assert call("run", "blogs.study", "copies", cwd=behind).code == 0
    assert call("show", "blogs.study", "pages", "-n", "200", cwd=behind).err == ""


def test_a_summary_of_a_study_that_is_behind_calls_no_new_page_old(behind):
    from unquilt.cli.sentences import of_summary

    lines = list(of_summary(unquilt.open(behind / "blogs.study").summary(), "blogs.study"))
    assert lines[0] == "pages      119"
    commands = [line.split("`")[-2] for line in lines if line.startswith("stale ")]
    assert [c.split()[-1] for c in commands] == ["copies", "overlaps", "suspects"]


def test_info_says_what_is_behind(call, behind):
    facts = json.loads(call("info", "blogs.study", "--json", cwd=behind).out)
    assert [r["stale"] is None for r in facts["runs"]] == [False] * 3
    assert [r["words_version"] for r in facts["runs"]] == [None] * 3, "what they were made of is not there any more"
    assert "stale      `copy` was made before 1 file was added" in call("info", "blogs.study", cwd=behind).out


def test_info_says_by_which_rule_of_words_a_run_was_made(call, example, tmp_path, monkeypatch):
    shutil.copytree(example / "blogs.study", tmp_path / "blogs.study")

    def facts():
        return json.loads(call("info", "blogs.study", "--json", cwd=tmp_path).out)

    assert (facts()["words_version"], [(r["words_version"], r["stale"]) for r in facts()["runs"]]) == (1, [(1, None)] * 3)
    monkeypatch.setattr("unquilt.text.WORDS_VERSION", 2)
    assert (facts()["words_version"], [r["words_version"] for r in facts()["runs"]]) == (2, [1, 1, 1])
    said = call("info", "blogs.study", cwd=tmp_path).out
    assert ", words 2\n" in said
    assert "words      copies was made by version 1 of the rule of words; this unquilt has 2\n" in said
    assert "stale      `copy` was not made of what the study holds now (" in said
    call("run", "blogs.study", "copies", cwd=tmp_path)
    assert {r["method"]: (r["words_version"], r["stale"] is None) for r in facts()["runs"]} == {
        "overlaps": (1, False),
        "suspects": (1, False),
        "copies": (2, True),
    }


def test_page_prints_the_archived_bytes_and_nothing_else(start, behind):
    html = start("page", "blogs.study", "HTTP://NEW.example", "--html", cwd=behind)
    assert (html.code, html.out, html.err) == (0, "<p>Of <b>today</b></p>", "")
    assert start("page", "blogs.study", "http://new.example/", "--text", cwd=behind).out == "Of today\n"
    (behind / "elsewhere").mkdir()
    (behind / "new.jsonl").rename(behind / "elsewhere" / "new.jsonl")
    gone = start("page", "blogs.study", "http://new.example/", "--html", cwd=behind)
    assert (gone.code, gone.out) == (3, "")
    assert gone.err == "unquilt: `new.jsonl` is not there any more, and the study keeps no HTML; put it back to where it was\n"
    again = start("page", "blogs.study", "http://new.example/", "--html", "--inputs", "elsewhere", cwd=behind)
    assert (again.code, again.out) == (0, "<p>Of <b>today</b></p>")


def test_page_says_what_is_known_of_it(call, behind):
    done = call("page", "blogs.study", "http://new.example/", cwd=behind)
    length = (behind / "new.jsonl").stat().st_size
    assert f"from         new.jsonl, offset 0, length {length}\n" in done.out
    facts = json.loads(call("page", "blogs.study", "http://new.example/", "--json", cwd=behind).out)
    assert (facts["facts"]["url"], facts["text"], facts["captures"]) == ("http://new.example/", "Of today", 1)
    given = call("page", "blogs.study", "https://tidepool.example/", "--html", cwd=behind)
    assert (given.code, given.out) == (3, "")
    nothing = call("page", "blogs.study", "https://tidepool.example/no", cwd=behind)
    assert nothing.code == 2
    assert "no page of the study has the id or URL `https://tidepool.example/no`" in nothing.err
