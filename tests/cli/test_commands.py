"""Each command as the example web answers it, word for word."""

import json
import re
import shlex
import shutil
from pathlib import Path

import pytest

import unquilt

SUMMARY = """\
pages      119 (4 older captures)
hosts      19
skipped    0
copies     8 (6.7% of the pages); 8 texts stand on 16 pages, word for word
repeated   68.9% of 10,327 different 5-word passages stand on 2 to 50 pages
hosts that share most, in passages:
        843  tidepool-mirror.example and tidepool.example
        193  chalu.example and shanjing.example
        137  quietnotes.example and slowrails.example
        104  breadledger.example and readmore-hub.example
         87  harbourpost.example and patchwork.example
next:
  unquilt show 'my blogs.study' copy
  unquilt show 'my blogs.study' host_overlap
  unquilt export 'my blogs.study' host_pair -o pairs.csv
"""


def write(path: Path, *rows: object) -> Path:
    path.write_text("".join((r if isinstance(r, str) else json.dumps(r)) + "\n" for r in rows), "utf-8")
    return path


def test_scan_says_what_was_found_and_what_to_type_next(start, example, tmp_path):
    done = start("scan", example / "blogs.jsonl", "-o", "my blogs.study", cwd=tmp_path)
    assert (done.code, done.out) == (0, SUMMARY)
    assert done.err == f"{example / 'blogs.jsonl'}: 123 pages\n"


def test_scan_names_the_study_after_its_first_input(call, tmp_path):
    write(tmp_path / "a.b.jsonl", {"text": "one"})
    assert call("scan", "a.b.jsonl", "-q", cwd=tmp_path).code == 0
    assert (tmp_path / "a.b.study").is_dir()


def test_scan_again_changes_nothing(call, example, tmp_path):
    shutil.copytree(example / "blogs.study", tmp_path / "blogs.study")
    before = unquilt.open(tmp_path / "blogs.study").info()["tables"]
    done = call("scan", example / "blogs.jsonl", "-o", tmp_path / "blogs.study", cwd=example)
    assert done.code == 0
    assert "123 pages" in done.err  # another name for the file: it is another input
    same = call("scan", "blogs.jsonl", "-o", "blogs.study", cwd=example)
    assert same.err == "blogs.jsonl: is in the study already, nothing changed\n"
    assert unquilt.open(example / "blogs.study").info()["tables"] == before


def test_scan_answers_in_json(call, example, tmp_path):
    found = json.loads(call("scan", "blogs.jsonl", "-o", "blogs.study", "--json", cwd=example).out)
    assert {k: found[k] for k in ("captures", "pages", "hosts", "copies", "copied_texts", "grams", "repeated", "common")} == {
        "captures": 123,
        "pages": 119,
        "hosts": 19,
        "copies": 8,
        "copied_texts": 8,
        "grams": 10327,
        "repeated": 7117,
        "common": 0,
    }
    assert found["repeated_share"] == pytest.approx(7117 / 10327)
    assert found["copied_share"] == pytest.approx(8 / 119)
    assert found["skipped"] == found["fields"] == []
    assert found["skipped_share"] == 0


@pytest.mark.parametrize("params", [{"k": 4}, {"overlaps": {"k": 4}}])
def test_scan_takes_parameters_from_a_file(call, example, tmp_path, params):
    write(tmp_path / "params.json", params)
    done = call("scan", example / "blogs.jsonl", "-o", "x.study", "--params", "params.json", cwd=tmp_path)
    assert "70.0% of 10,212 different 4-word passages stand on 2 to 50 pages" in done.out


def test_scan_says_times_with_v(call, example):
    done = call("scan", "blogs.jsonl", "-o", "blogs.study", "-v", cwd=example)
    assert "host_pair: nothing has changed" in done.err
    assert "all of it: done in " in done.err


def test_a_corpus_without_a_page_is_one_sentence(call, tmp_path):
    write(tmp_path / "empty.jsonl")
    done = call("scan", "empty.jsonl", cwd=tmp_path)
    assert (done.code, done.out) == (
        0,
        "empty.study has no page: what was read holds none; `unquilt add empty.study FILE` adds some\n",
    )


def test_a_summary_says_what_was_left_out_of_pages_that_are_kept(call, tmp_path):
    write(tmp_path / "p.jsonl", {"text": "a b", "url": "no scheme"}, {"text": "c"}, "{broken", {"text": "d", "date": "2009-03-65"})
    done = call("scan", "p.jsonl", cwd=tmp_path)
    assert done.code == 0
    assert done.out == (
        "pages      3\n"
        "hosts      0\n"
        "skipped    1 of 4 records (not JSON 1)\n"
        "           2 fields of pages that are kept (URL not understood 1, date not understood 1)\n"
        "copies     0\n"
        "repeated   nothing to compare: no page has 5 words\n"
        "next:\n"
        "  unquilt show p.study host_overlap\n"
        "  unquilt show p.study skipped --by reason\n"
        "  unquilt export p.study host_pair -o pairs.csv\n"
    )


def test_add_reads_several_files_and_says_so(call, tmp_path):
    write(tmp_path / "a.jsonl", {"text": "one"})
    write(tmp_path / "b.ndjson", {"text": "two"}, "[]")
    done = call("add", "s.study", "a.jsonl", "b.ndjson", cwd=tmp_path)
    assert (done.code, done.out) == (0, "")
    assert done.err == (
        "a.jsonl: 1 page\nb.ndjson: 1 page, 1 record skipped\nb.ndjson: 50% of its records were left out: not a JSON object (1 of 2)\n"
    )
    told = json.loads(call("add", "s.study", "a.jsonl", "--json", cwd=tmp_path).out)
    assert [(a["name"], a["pages"], a["already"]) for a in told] == [("a.jsonl", 1, True)]


def test_jsonl_on_stdin_is_read_under_the_name_stdin(start, example, tmp_path):
    given = (example / "blogs.jsonl").read_bytes()
    done = start("add", "s.study", "-", cwd=tmp_path, given=given)
    assert (done.code, done.err) == (0, "stdin: 123 pages\n")
    study = unquilt.open(tmp_path / "s.study")
    assert study.manifest.inputs[0].name == "stdin"
    assert not (tmp_path / "s.study" / "work" / "stdin").exists()
    assert start("add", "s.study", "-", cwd=tmp_path, given=given).err == "stdin: is in the study already, nothing changed\n"
    assert "unquilt add s.study -\n" in start("info", "s.study", cwd=tmp_path).out


def test_run_says_what_it_made_and_shows_what_is_interesting(call, example):
    done = call("run", "blogs.study", "overlaps", cwd=example)
    assert done.err == "made: nothing, all of it was there\n"
    assert done.out == OVERLAPS


OVERLAPS = """\
host                     pages  grams  repeated  foreign
tidepool.example            10   2096      2096     2017
tidepool-mirror.example     10   2039      2039     2017
paperfold.example            7   1416      1355      432
fixitshed.example            8   1600      1529      251
lanternsky.example           8   1602      1529      393
allotment-nine.example       8   1556      1481      352
breadledger.example         10   2090      1982      431
slowrails.example            9   1819      1642      370
harbourpost.example         11   2075      1720      148
shanjing.example             5   1125       911      193
nakhla.example               4    415       318        0
patchwork.example            2    636       485      485
khlong.example               4   1518      1150        0
readmore-hub.example         3    412       285      285
dorfbote.example             5    663       424        0
planet-smallweb.example      3    561       351      351
chalu.example                2    344       193      193
top-tips-daily.example       4    531       166      166
quietnotes.example           6    505       137      137
"""


def test_run_and_show_begin_alike(call, example):
    run = json.loads(call("run", "blogs.study", "overlaps", "--json", cwd=example).out)
    assert run["made"] == []
    assert run["params"] == {"k": 5, "m": 50}
    assert run["rows"] == json.loads(call("show", "blogs.study", "host_overlap", "--json", cwd=example).out)
    assert call("show", "blogs.study", "host_overlap", cwd=example).out == OVERLAPS


def test_plan_says_what_a_run_will_need(call, example):
    done = call("plan", "blogs.study", "overlaps", "--k", "4", "--memory", "2GB", cwd=example)
    disk = re.search(r"about ([\d.]+ kB) of disk", done.err)[1]
    assert done.err == f"to run it: about {disk} of disk beside the tables, and at most 2.0 GB of memory (--memory)\n"
    same = "made from the same input with the same parameters"
    assert done.out == (
        "tables                                                  action  reads rows  disk, about  why\n"
        f"host                                                    reuse   -           -            {same}\n"
        f"current                                                 reuse   -           -            {same}\n"
        f"page_size, gram_frequency, server_overlap, server_pair  make    123         {disk}     input or parameters changed\n"
        "host_overlap                                            make    ?           -            page_size, server_overlap may change\n"
        "host_pair                                               make    ?           -            server_pair may change\n"
    )


def test_plan_says_when_there_is_nothing_to_make(call, example):
    assert call("plan", "blogs.study", "overlaps", cwd=example).err == "nothing has to be made\n"


def test_plan_answers_in_json(call, example):
    rows = json.loads(call("plan", "blogs.study", "overlaps", "--k", "4", "--json", cwd=example).out)
    assert [(r["tables"][0], r["action"], r["rows"]) for r in rows] == [
        ("host", "reuse", 0),
        ("current", "reuse", 0),
        ("page_size", "make", 123),
        ("host_overlap", "make", None),
        ("host_pair", "make", None),
    ]


def test_show_lists_the_tables(call, example):
    lines = call("show", "blogs.study", cwd=example).out.splitlines()
    assert lines[:2] == [
        "table           rows  each row",
        "pages            119  is one page of the corpus, in columns other tools know",
    ]
    assert "capture          123  is one capture of one page, as it was read" in lines


def test_show_begins_with_what_is_interesting_and_says_how_much_there_is(call, example):
    done = call("show", "blogs.study", "host_pair", "-n", "2", cwd=example)
    assert done.out == (
        "host_a                   host_b            grams\n"
        "tidepool-mirror.example  tidepool.example    843\n"
        "chalu.example            shanjing.example    193\n"
    )
    assert done.err == "2 of 24 rows; `unquilt show blogs.study host_pair -n 24` shows all\n"


def test_show_says_an_id_once_where_it_is_the_url(call, example):
    lines = call("show", "blogs.study", "copy", "-n", "1", cwd=example).out.splitlines()
    assert lines[0].split() == ["page", "url", "first_page", "first_url", "pages", "words"]
    (row,) = json.loads(call("show", "blogs.study", "copy", "-n", "1", "--json", cwd=example).out)
    assert row["id"] == row["url"] == "https://tidepool-mirror.example/tag/animals"


def test_show_counts_by_a_column(call, example):
    done = call("show", "blogs.study", "pages", "--by", "language", cwd=example)
    assert (done.out, done.err) == ("language  rows\nen          99\nzh           7\nde           5\nar           4\nth           4\n", "")
    assert len(call("show", "blogs.study", "pages", "--by", "language", "-n", "2", cwd=example).out.splitlines()) == 3


def test_info_gives_commands_that_make_the_same_tables(call, start, example, tmp_path):
    first, second = tmp_path / "first", tmp_path / "second"
    for folder in (first, second):
        folder.mkdir()
        shutil.copy(example / "blogs.jsonl", folder / "my blogs.jsonl")
        write(folder / "more.jsonl", {"page": "http://a.example/", "body": "of its own"})
    call("add", "x.study", "my blogs.jsonl", cwd=first)
    call("add", "x.study", "more.jsonl", "--url-field", "page", "--text-field", "body", "--snapshot", "it's new", cwd=first)
    call("run", "x.study", "overlaps", "--k", "4", cwd=first)
    call("remove", "x.study", "--host", "chalu.example", cwd=first)
    facts = json.loads(call("info", "x.study", "--json", cwd=first).out)
    for command in facts["again"]:
        name, *words = shlex.split(command)
        assert (name, start(*words, cwd=second).code) == ("unquilt", 0)
    again = json.loads(call("info", "x.study", "--json", cwd=second).out)
    assert again["tables"] == facts["tables"]
    assert again["again"] == facts["again"]


def test_info_says_versions_inputs_and_parameters(call, example):
    import duckdb
    import numpy as np
    import pyarrow as pa

    facts = json.loads(call("info", "blogs.study", "--json", cwd=example).out)
    assert (
        facts["versions"].items()
        >= {
            "unquilt": unquilt.__version__,
            "duckdb": duckdb.__version__,
            "numpy": np.__version__,
            "pyarrow": pa.__version__,
        }.items()
    )
    assert facts["words_version"] == 1
    assert facts["simd"]
    (given,) = facts["inputs"]
    assert (given["name"], given["bytes"], given["complete"]) == ("blogs.jsonl", 174615, True)
    assert len(given["sha256"]) == 64
    assert {r["method"]: r["params"] for r in facts["runs"]} == {
        "copies": {},
        "overlaps": {"k": 5, "m": 50},
        "suspects": {"pages": 10, "words": 200, "ahead": 24, "years": 50, "repeats": 3},
    }


def test_info_verify_finds_a_changed_file(call, example, tmp_path):
    study = tmp_path / "blogs.study"
    shutil.copytree(example / "blogs.study", study)
    assert "verified   every table is what was published\n" in call("info", study, "--verify").out
    (file,) = (study / "tables" / "host_pair").glob("*/*.parquet")
    whole = bytearray(file.read_bytes())
    whole[20] ^= 0xFF
    file.write_bytes(whole)
    done = call("info", study, "--verify")
    assert done.code == 1
    assert "damaged    table host_pair" in done.out
    assert done.err.startswith("unquilt: not all tables are what was published (1 problems): table host_pair")


def test_remove_takes_pages_out_and_says_what_it_did_not_find(call, example, tmp_path):
    shutil.copytree(example / "blogs.study", tmp_path / "s.study")
    write(tmp_path / "list.txt", "https://quietnotes.example/now", "", "http://nowhere.example/")
    done = call("remove", "s.study", "--host", "Tidepool-Mirror.example.", "--list", "list.txt", cwd=tmp_path)
    assert (done.code, done.err) == (0, "`http://nowhere.example/` is not in the study\ncaptures removed: 11\n")
    found = unquilt.open(tmp_path / "s.study").summary()
    assert (found.pages, found.removed, found.hosts, found.copies) == (108, 11, 18, 2)
    nothing = call("remove", "s.study", "--host", "nowhere.example", cwd=tmp_path)
    assert nothing.code == 1


def test_export_keeps_the_order_of_the_key(call, example, tmp_path):
    done = call("export", "blogs.study", "host_pair", "-o", tmp_path / "pairs.csv", cwd=example)
    assert (done.code, done.out, done.err) == (0, "", f"24 rows written to {tmp_path / 'pairs.csv'}\n")
    lines = (tmp_path / "pairs.csv").read_text("utf-8").splitlines()
    assert lines[0] == "host_a,host_b,grams"
    assert lines[1] == "allotment-nine.example,patchwork.example,80"
    assert lines[1:] == sorted(lines[1:])
    assert [p.name for p in tmp_path.iterdir()] == ["pairs.csv"]


def test_commands_are_listed_in_the_order_in_which_they_are_needed(call):
    out = call("--help").out
    listed = [line.split()[0] for line in out.partition("Commands:")[2].splitlines() if line.strip()]
    assert listed == ["scan", "add", "run", "plan", "show", "page", "info", "remove", "export"]
    assert "..." not in out.partition("Commands:")[2]


def test_the_version_is_said(call):
    assert call("--version").out == f"unquilt, version {unquilt.__version__}\n"
