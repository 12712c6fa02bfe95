"""What every engine has to do, written once against the protocol.

A second engine passes it in a file of its own that imports all of this one and says which engines to run:
`configuration = configurations({"two workers": lambda tmp: Spark(workers=2)})`; see test_local.py.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from bench import Bench, Configuration, InterruptingWatch, Made, Segments, interrupted_after, threads_left
from publishing import files_of, publish, published, rows_of
from registry import BLOGS, METHOD_CASES, STEP_CASES
from toys import (
    BY_COLOR,
    CARRYING,
    DEEP,
    DEEP_TOTALS,
    ECHOED,
    ECHOED_BY_ROW,
    ENDLESS,
    FAILS_AT_A_ROW,
    LONG,
    NO_SUCH_COLUMN,
    NULL_WHERE_NONE_MAY_BE,
    NUMBER,
    OUT_OF_ORDER,
    SHADE,
    SILENT,
    SPAN,
    TINTED,
    TRAILED,
    UNASKED,
    ladder,
    number,
    numbers,
    slow,
    totals,
    troubled,
)
from world import ROWS, build, empty

from unquilt import running
from unquilt.adding import Input, add
from unquilt.engine import Source, View
from unquilt.engine.budget import Budget
from unquilt.engine.local import Local
from unquilt.errors import DamagedTable, StepFailed
from unquilt.extract.page import How
from unquilt.extract.pool import Pool
from unquilt.method import Method
from unquilt.parquet import GROUP_BYTES
from unquilt.read import reader_for
from unquilt.step import Step
from unquilt.store import Store
from unquilt.table import Table
from unquilt.watch import Watch


def configurations(engines: Mapping[str, Configuration]) -> Any:
    """The fixture that runs every test below on each of these engines."""

    @pytest.fixture(params=list(engines))
    def configuration(request: pytest.FixtureRequest) -> Configuration:
        return engines[request.param]

    return configuration


def reference(tmp: Path) -> Local:
    """One thread and one part, in plenty of memory: the engine that all others have to equal."""
    return Local(Budget(64 << 30, 1), bits=0)


@pytest.fixture
def bench(configuration: Configuration, tmp_path: Path) -> Bench:
    return Bench(configuration, tmp_path / "bench")


@pytest.fixture
def reference_bench(tmp_path: Path) -> Bench:
    return Bench(reference, tmp_path / "reference")


# The input of most tests: three segments, one of them without rows, in row groups of three.
NUMBERS: Segments = [numbers(24)[:10], [], numbers(24)[10:]]
MANY: Segments = [numbers(600)[at : at + 120] for at in range(0, 600, 120)]
SHADES: Segments = [[("größe", 3)], [("red", 1)]]


# --- every kind of step, with literal rows ---------------------------------------------------------


def test_a_query_gets_its_parameters(bench: Bench) -> None:
    made = bench.make(BY_COLOR, {NUMBER: NUMBERS})
    assert made.rows == {"color": [("", 5, 65, 2), ("red", 5, 60, -3)]}


def test_a_query_gets_other_parameters(bench: Bench) -> None:
    made = bench.make(replace(BY_COLOR, params={"least": 20, "without": "x"}), {NUMBER: NUMBERS})
    assert made.rows == {"color": [("", 1, 21, 14), ("größe", 1, 22, 15), ("red", 1, 20, None)]}


def test_a_text_that_looks_like_sql_is_a_parameter_like_any_other(bench: Bench) -> None:
    made = bench.make(replace(BY_COLOR, params={"least": 23, "without": "'; DROP TABLE number; --"}), {NUMBER: NUMBERS})
    assert made.rows == {"color": []}


def test_a_query_joins_its_tables_and_keeps_nulls(bench: Bench) -> None:
    made = bench.make(TINTED, {NUMBER: [numbers(2), numbers(6)[2:]], SHADE: SHADES})
    assert made.rows == {"tint": [(0, "red", 1), (1, "", None), (2, "größe", 3), (3, None, None), (4, "red", 1), (5, "", None)]}


def test_a_plain_map_keeps_every_type_and_every_null(bench: Bench) -> None:
    made = bench.make(ECHOED, {NUMBER: [numbers(3), numbers(8)[3:]]})
    assert made.rows == {
        "echo": [
            (0, "red", None, None, None, []),
            (1, "", -6, 0.125, True, None),
            (2, "größe", -5, 0.25, False, []),
            (3, None, -4, None, True, []),
            (4, "red", -3, 0.5, False, [2]),
            (5, "", None, 0.625, True, []),
            (6, "größe", -1, None, False, [2, 3]),
            (7, None, 0, 0.875, None, None),
        ]
    }


def test_a_map_may_yield_its_rows_one_by_one(bench: Bench) -> None:
    assert bench.make(ECHOED_BY_ROW, {NUMBER: NUMBERS}).rows == {"echo": numbers(24)}


def test_a_map_may_yield_nothing(bench: Bench) -> None:
    assert bench.make(SILENT, {NUMBER: NUMBERS}).rows == {"echo": []}


def test_a_map_and_one_reduce(bench: Bench) -> None:
    made = bench.make(totals(5), {NUMBER: NUMBERS})
    assert made.rows == {"total": [(0, 5, 50), (1, 5, 55), (2, 5, 60), (3, 5, 65), (4, 4, 46)]}


def test_a_map_and_two_reduces_make_three_tables(bench: Bench) -> None:
    made = bench.make(ladder(5, most=24), {NUMBER: NUMBERS})
    assert made.rows == {
        "seen": [(n, n % 5) for n in range(24)],
        "total": [(0, 5, 50), (1, 5, 55), (2, 5, 60), (3, 5, 65), (4, 4, 46)],
        "rank": [(4, 4, 46), (5, 0, 50), (5, 1, 55), (5, 2, 60), (5, 3, 65)],
    }


def test_a_map_sees_the_tables_beside_it_whole(bench: Bench) -> None:
    made = bench.make(DEEP, {NUMBER: [numbers(4), numbers(6)[4:]], SHADE: SHADES})
    assert made.rows == {"depth": [(0, 1, 2), (1, -1, 2), (2, 3, 2), (3, -1, 2), (4, 1, 2), (5, -1, 2)]}


def test_a_reduce_sees_the_tables_beside_it_whole(bench: Bench) -> None:
    made = bench.make(DEEP_TOTALS, {NUMBER: [numbers(4)], SHADE: SHADES})
    assert made.rows == {"total": [(0, 1, 0), (1, 1, 4), (2, 1, 8), (3, 1, 12)]}


def test_a_table_beside_without_rows_has_empty_columns(bench: Bench) -> None:
    assert bench.make(DEEP, {NUMBER: [numbers(2)]}).rows == {"depth": [(0, -1, 0), (1, -1, 0)]}
    assert bench.make(DEEP, {NUMBER: [numbers(2)], SHADE: [[]]}).rows == {"depth": [(0, -1, 0), (1, -1, 0)]}


def test_blocks_are_reduced_in_the_order_of_their_rows(bench: Bench) -> None:
    """Blocks of 3 to 6 bytes, several of one batch for the same part, none for many parts."""
    said = {
        1: ["5", "17"],
        2: ["10", "10.", "22", "22."],
        3: ["3", "3.", "3..", "15", "15.", "15.."],
        5: ["1", "13"],
        6: ["6", "6.", "18", "18."],
        7: ["11", "11.", "11..", "23", "23.", "23.."],
        9: ["9", "21"],
        10: ["2", "2.", "14", "14."],
        11: ["7", "7.", "7..", "19", "19.", "19.."],
    }
    made = bench.make(TRAILED, {NUMBER: NUMBERS})
    assert made.rows == {"trail": [(bucket, at, text) for bucket, texts in said.items() for at, text in enumerate(texts)]}


def test_blocks_of_a_segment_in_two_files_keep_the_order_of_the_files(bench: Bench) -> None:
    """An engine with many workers writes a segment as several files; batches are numbered through them."""
    views = bench.views(TRAILED, {NUMBER: [numbers(24)[:12], numbers(24)[12:]]})
    first, second = views["number"].segments
    both = Source((*first.files, *second.files), first.decoded + second.decoded, first.group_bytes)
    made = bench.run(TRAILED, {"number": View(NUMBER, (both,))})
    assert made.rows == bench.make(TRAILED, {NUMBER: NUMBERS}).rows


# --- inputs of every shape -------------------------------------------------------------------------

STEPS: dict[str, Step] = {
    "a query": BY_COLOR,
    "a join": TINTED,
    "a plain map": ECHOED,
    "a map and a reduce": totals(5),
    "a map and two reduces": ladder(5, most=600),
    "blocks of text": TRAILED,
    "arrays beside a map": DEEP,
    "arrays beside a reduce": DEEP_TOTALS,
}


@pytest.mark.parametrize("name", STEPS)
@pytest.mark.parametrize("tables", [{}, {NUMBER: []}, {NUMBER: [[]]}, {NUMBER: [[], []], SHADE: [[]]}], ids=len)
def test_no_rows_make_tables_with_a_schema_and_no_rows(bench: Bench, name: str, tables: dict[Table, Segments]) -> None:
    made = bench.make(STEPS[name], tables)
    assert made.rows == {t.name: [] for t in STEPS[name].tables}
    _is_written_as_said(made)


@pytest.mark.parametrize("name", STEPS)
def test_what_is_written_is_what_the_engine_says(bench: Bench, name: str) -> None:
    _is_written_as_said(bench.make(STEPS[name], {NUMBER: NUMBERS, SHADE: SHADES}))


@pytest.mark.parametrize("name", STEPS)
def test_every_engine_makes_the_same_bytes(bench: Bench, reference_bench: Bench, name: str) -> None:
    tables = {NUMBER: MANY, SHADE: SHADES}
    made, expected = bench.make(STEPS[name], tables, 7), reference_bench.make(STEPS[name], tables, 7)
    assert made.digests == expected.digests
    assert made.bytes == expected.bytes


def test_rows_do_not_depend_on_row_groups_and_segments(bench: Bench) -> None:
    whole = bench.make(ladder(5, most=600), {NUMBER: [numbers(600)]}, 600)
    pieces = bench.make(ladder(5, most=600), {NUMBER: MANY}, 1)
    assert whole.bytes == pieces.bytes


def test_many_row_groups_and_segments(bench: Bench) -> None:
    made = bench.make(totals(5), {NUMBER: MANY})
    assert made.rows == {"total": [(b, 120, 35700 + 120 * b) for b in range(5)]}


def test_all_rows_of_one_key(bench: Bench) -> None:
    made = bench.make(ladder(1, most=24), {NUMBER: NUMBERS})
    assert made.rows == {"seen": [(n, 0) for n in range(24)], "total": [(0, 24, 276)], "rank": [(24, 0, 276)]}


def test_nearly_all_rows_of_one_key(bench: Bench) -> None:
    made = bench.make(ladder(5, most=24, hot=7), {NUMBER: NUMBERS})
    assert made.rows["total"] == [(0, 3, 30), (7, 21, 246)]
    assert made.rows["rank"] == [(3, 0, 30), (21, 7, 246)]


def test_one_row(bench: Bench) -> None:
    made = bench.make(ladder(5, most=1), {NUMBER: [[number(7)]]})
    assert made.rows == {"seen": [(7, 2)], "total": [(2, 1, 7)], "rank": [(1, 2, 7)]}


def test_rows_of_several_megabytes_go_through_an_exchange(bench: Bench) -> None:
    """Texts of 3 million letters, then short ones; row groups are cut by bytes, after two of them."""
    rows = [(page, chr(97 + page) * (3_000_000 if page < 4 else page)) for page in range(SPAN)]
    views = bench.views(CARRYING, {LONG: [rows[:5], rows[5:]]}, 1 << 16)
    assert views["long"].group_bytes > GROUP_BYTES
    made = bench.run(CARRYING, views)
    assert made.rows == {"carried": rows}


# --- kernels that go wrong -------------------------------------------------------------------------

WRONG = [
    "raises",
    "rows out of order",
    "a key twice",
    "a part too large",
    "a part below zero",
    "a table of another step",
    "a column missing",
    "something else",
]


def _fails(bench: Bench, step: Step, tables: Mapping[Table, Segments]) -> StepFailed:
    """Runs a step that must fail: wrapped once, with the step and its tables, and nothing left lying about."""
    threads = set(threading.enumerate())
    with pytest.raises(StepFailed) as caught:
        bench.make(step, tables)
    error, said = caught.value, str(caught.value)
    assert type(error) is StepFailed
    assert step.name in said
    assert all(t.name in said for t in step.tables)
    assert error.__cause__ is not None
    assert not isinstance(error.__cause__, StepFailed)
    assert said.count("nothing was published") == 1
    assert "\n" not in said
    assert not bench.litter()
    assert not threads_left(threads)
    return error


def test_a_map_that_raises_is_wrapped_once_and_names_its_batch(bench: Bench) -> None:
    error = _fails(bench, troubled("map", "raises"), {NUMBER: NUMBERS})
    assert isinstance(error.__cause__, ZeroDivisionError)
    assert "ZeroDivisionError: a kernel broke in the batch of [13, 14, 15]" in str(error)
    assert "segment 2, row group 1" in str(error)


@pytest.mark.parametrize("where", ["reduce", "second reduce"])
def test_a_reduce_that_raises_is_wrapped_once_and_names_its_part(bench: Bench, where: str) -> None:
    error = _fails(bench, troubled(where, "raises"), {NUMBER: NUMBERS})
    assert isinstance(error.__cause__, ZeroDivisionError)
    part = str(error.__cause__).removeprefix("a kernel broke in ")
    assert part.startswith("part ")
    assert f"failed at {part}:" in str(error)


@pytest.mark.parametrize("where", ["map", "reduce", "second reduce"])
@pytest.mark.parametrize("kind", WRONG)
def test_whatever_a_kernel_does_wrong_is_one_step_failed(bench: Bench, where: str, kind: str) -> None:
    error = _fails(bench, troubled(where, kind), {NUMBER: NUMBERS})
    assert "part " in str(error) or "segment " in str(error)


def test_a_block_where_no_reduce_follows_is_an_error(bench: Bench) -> None:
    _fails(bench, UNASKED, {NUMBER: NUMBERS})


WRONG_QUERIES = {
    "a null where none may be": NULL_WHERE_NONE_MAY_BE,
    "rows out of order": OUT_OF_ORDER,
    "no such column": NO_SUCH_COLUMN,
    "fails at a row": FAILS_AT_A_ROW,
}


@pytest.mark.parametrize("name", WRONG_QUERIES)
def test_a_query_that_goes_wrong_is_one_step_failed(bench: Bench, name: str) -> None:
    _fails(bench, WRONG_QUERIES[name], {NUMBER: NUMBERS})


def test_an_engine_works_again_after_a_failure(bench: Bench) -> None:
    for where in ("map", "reduce", "second reduce"):
        _fails(bench, troubled(where, "raises"), {NUMBER: NUMBERS})
    assert bench.make(ladder(5, most=24), {NUMBER: NUMBERS}).rows["rank"][0] == (4, 4, 46)


def test_the_same_step_runs_twice_on_one_engine(bench: Bench) -> None:
    first, second = (bench.make(ladder(5, most=24), {NUMBER: NUMBERS}) for _ in range(2))
    assert first.bytes == second.bytes
    assert not bench.litter()


def test_two_steps_may_share_a_folder_for_temporary_files(bench: Bench) -> None:
    """Two threads of one program, or two commands with the same --tmp."""
    step, other = slow(map=0.001, reduce=0), Bench(bench.configuration, bench.folder / "other")
    other.engine = bench.engine
    runs = [(one, one.views(step, {NUMBER: NUMBERS})) for one in (bench, other)]
    found: list[Made] = []
    threads = [threading.Thread(target=lambda one=one, views=views: found.append(one.run(step, views))) for one, views in runs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 2
    assert found[0].bytes == found[1].bytes


# --- nothing is published where a step fails -------------------------------------------------------


def test_a_failed_step_leaves_the_study_as_it_was(bench: Bench) -> None:
    store = _store_of_numbers(bench.folder / "study")
    running.run(store, bench.engine, [ladder(5, most=24)], Watch())
    before = _files(store.folder)
    for where in ("map", "reduce", "second reduce"):
        with store.writer(), pytest.raises(StepFailed):
            running.run(store, bench.engine, [troubled(where, "raises")], Watch())
        assert _files(store.folder) == before


def test_an_interrupted_step_leaves_the_study_as_it_was(bench: Bench) -> None:
    store = _store_of_numbers(bench.folder / "study")
    running.run(store, bench.engine, [totals(5)], Watch())
    before = _files(store.folder)
    with store.writer(), pytest.raises(KeyboardInterrupt), interrupted_after(0.1):
        running.run(store, bench.engine, [slow(map=0.05, reduce=0)], Watch())
    assert _files(store.folder) == before


def _files(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file() and p.name != "lock"}


def _store_of_numbers(folder: Path) -> Store:
    store = Store(folder)
    store.create(words_version=1)
    publish(store, NUMBER, NUMBERS, 3)
    return store


# --- interruption ----------------------------------------------------------------------------------


@pytest.mark.parametrize("step", [slow(map=0.05, reduce=0), slow(map=0, reduce=0.5)], ids=["in the map", "in the reduce"])
def test_ctrl_c_stops_a_step_at_once(bench: Bench, step: Step) -> None:
    """Undisturbed, a batch takes five seconds and more, and so does a part where there is one."""
    threads, views = set(threading.enumerate()), bench.views(step, {NUMBER: MANY}, 100)
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt), interrupted_after(0.3):
        bench.run(step, views)
    assert time.monotonic() - begun < 2
    assert not threads_left(threads)
    assert not bench.litter()


def test_ctrl_c_stops_a_query_at_once(bench: Bench) -> None:
    threads, views = set(threading.enumerate()), bench.views(ENDLESS, {NUMBER: MANY}, 100)
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt), interrupted_after(0.3):
        bench.run(ENDLESS, views)
    assert time.monotonic() - begun < 3
    assert not threads_left(threads)
    assert not bench.litter()


@pytest.mark.parametrize("at", [1, 3, 9])
def test_a_watch_may_interrupt(bench: Bench, at: int) -> None:
    threads = set(threading.enumerate())
    bench.watch = InterruptingWatch(at)
    with pytest.raises(KeyboardInterrupt):
        bench.make(ladder(5, most=24), {NUMBER: NUMBERS})
    assert not threads_left(threads)
    assert not bench.litter()


def test_a_step_runs_after_an_interruption(bench: Bench) -> None:
    with pytest.raises(KeyboardInterrupt), interrupted_after(0.1):
        bench.make(slow(map=0.05, reduce=0), {NUMBER: NUMBERS})
    made = bench.make(slow(map=0, reduce=0), {NUMBER: NUMBERS})
    assert made.rows["total"][:2] == [(0, 2, 12), (1, 2, 14)]


# --- damaged input ---------------------------------------------------------------------------------


@pytest.mark.parametrize("damage", ["a byte changed", "cut short", "something else", "gone"])
@pytest.mark.parametrize("name", ["a query", "a plain map", "a map and two reduces"])
def test_a_damaged_file_is_named_by_its_table(bench: Bench, name: str, damage: str) -> None:
    views = bench.views(STEPS[name], {NUMBER: NUMBERS})
    _damage(views["number"].files[-1], damage)
    with pytest.raises(DamagedTable, match="number"):
        bench.run(STEPS[name], views)
    assert not bench.litter()


@pytest.mark.parametrize("name", ["a join", "a plain map", "a map and two reduces"])
def test_a_changed_byte_never_changes_a_result(bench: Bench, name: str) -> None:
    """Bits all over the first column's pages: found, or harmless; not every decompressor sees them."""
    views = bench.views(STEPS[name], {NUMBER: [numbers(600)], SHADE: SHADES}, 600)
    path, expected = views["number"].files[0], bench.run(STEPS[name], views).digests
    whole, last = path.read_bytes(), _a_data_byte(path)
    for at in range(40, last, last // 8):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0x04]) + whole[at + 1 :])
        try:
            made = bench.run(STEPS[name], views).digests
        except DamagedTable:
            continue
        assert made == expected


def test_a_damaged_table_beside_is_named(bench: Bench) -> None:
    views = bench.views(DEEP, {NUMBER: NUMBERS, SHADE: SHADES})
    _damage(views["shade"].files[0], "a byte changed")
    with pytest.raises(DamagedTable, match="shade"):
        bench.run(DEEP, views)


def _damage(path: Path, how: str) -> None:
    data = bytearray(path.read_bytes())
    if how == "a byte changed":
        data[_a_data_byte(path)] ^= 0x10
    path.write_bytes({"cut short": data[: len(data) // 2], "something else": b"not a table"}.get(how, bytes(data)))
    if how == "gone":
        path.unlink()


def _a_data_byte(path: Path) -> int:
    """The last byte of the first column's first page."""
    import pyarrow.parquet as pq

    column = pq.ParquetFile(path).metadata.row_group(0).column(0)
    return int(column.data_page_offset + column.total_compressed_size - 1)


# --- whole methods over the world ------------------------------------------------------------------


@pytest.mark.parametrize("method", METHOD_CASES.values(), ids=lambda m: m.name)
def test_every_table_of_a_method_has_its_literal_rows(bench: Bench, method: Method) -> None:
    store = build(bench.folder / "study")
    running.run(store, bench.engine, method.steps(), Watch())
    tables = _tables(method)
    assert {t.name: published(store, t) for t in tables} == {t.name: ROWS[t.name] for t in tables}
    assert not bench.litter()


@pytest.mark.parametrize("method", METHOD_CASES.values(), ids=lambda m: m.name)
def test_a_study_without_pages_has_every_table_of_a_method(bench: Bench, method: Method) -> None:
    store = empty(bench.folder / "study")
    running.run(store, bench.engine, method.steps(), Watch())
    assert {t.name: published(store, t) for t in _tables(method)} == {t.name: [] for t in _tables(method)}


@pytest.mark.parametrize("method", METHOD_CASES.values(), ids=lambda m: m.name)
def test_nothing_is_made_twice(bench: Bench, method: Method) -> None:
    store = build(bench.folder / "study")
    assert running.run(store, bench.engine, method.steps(), Watch())
    before = _files(store.folder)
    assert running.run(store, bench.engine, method.steps(), Watch()) == []
    assert _files(store.folder) == before


@pytest.mark.parametrize("method", BLOGS, ids=lambda m: m.name)
def test_methods_make_the_same_bytes_of_the_example_on_every_engine(
    bench: Bench, method: Method, blogs: Path, example: dict[str, dict[str, bytes]]
) -> None:
    if method.name not in example:
        example[method.name] = _made_of(blogs, bench.folder / "reference", method, reference(bench.tmp))
    made = _made_of(blogs, bench.folder / "study", method, bench.engine)
    assert made == example[method.name]


@pytest.fixture(scope="module")
def example() -> dict[str, dict[str, bytes]]:
    """What the reference makes of the example, method by method."""
    return {}


NOT_IN_THE_EXAMPLE = {"redirect_sink"}  # it has one redirect


def _made_of(blogs: Path, folder: Path, method: Method, engine: Any) -> dict[str, bytes]:
    store = Store(folder)
    store.create(words_version=1)
    with store.writer():
        add(store, Input(blogs, reader_for(blogs), None, How(), blogs.name), Pool(), Watch())
        running.run(store, engine, method.steps(), Watch())
    tables = store.read().tables
    assert {t.name for t in _tables(method) if not tables[t.name].rows} <= NOT_IN_THE_EXAMPLE
    return {t.name: b"".join(p.read_bytes() for p in files_of(store, t)) for t in _tables(method)}


def _tables(method: Method) -> Sequence[Table]:
    return list({t.name: t for s in method.steps() for t in s.tables}.values())


# --- every kind of step has been run ---------------------------------------------------------------


@pytest.mark.parametrize("case", [c for cases in STEP_CASES.values() for c in cases], ids=lambda c: c.name)
def test_every_registered_step_runs(bench: Bench, case: Step) -> None:
    made = bench.make(case, {NUMBER: NUMBERS, SHADE: SHADES})
    assert all(made.rows[t.name] for t in case.tables)


def _is_written_as_said(made: Made) -> None:
    import pyarrow.parquet as pq

    assert set(made.written) == {t.name for t in made.tables}
    for table in made.tables:
        files = made.files(table)
        assert [one.rows for one in made.written[table.name]] == [len(rows_of([path], table)) for path in files]
        assert [one.bytes for one in made.written[table.name]] == [path.stat().st_size for path in files]
        assert made.digests[table.name] == made.written[table.name][0].digest
        assert sorted(p.name for p in (made.folder / table.name).iterdir()) == sorted(p.name for p in files)
        assert all(_facts(pq.read_schema(path)) == _facts(table.schema) for path in files)


def _facts(schema: Any) -> Any:
    """What a schema says, but for the name that Parquet gives to what is in a list."""
    fields = [(f.name, str(f.type).replace("<element: ", "<item: "), f.nullable, f.metadata) for f in schema]
    return fields, schema.metadata
