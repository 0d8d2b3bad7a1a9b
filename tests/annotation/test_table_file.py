"""The universal probe table as CSV: every text comes back as it was, nothing is computed, and what is wrong is named by row and column."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.errors import TableCellLong, TableCellMissing, TableCells, TableCellWrong, TableColumns, TableTwice, TableUnreadable
from annotation.table_file import COLUMNS, FORMULA, LONGEST, NO_VERSION, read, write
from annotation.workbench import Workbench
from evaluation.probe_table import TABLE
from storage.annotation_errors import NotAllowed, TableFull, TableStale
from storage.annotation_probes import Probe, Taken
from storage.annotation_records import Project
from storage.store import Store
from tests.annotation.invented import ADMIN, ANN, RENA, house, project

ITEM = Probe("ab" * 16, "en", "kite", "I mended the kite.", "What did I mend?", "The kite.", 3)
TRICKY = st.text(st.sampled_from(f"'\"',;\t\r\n \\a龙é{FORMULA}\u2028\ufeff"), min_size=1, max_size=20).filter(lambda text: text.strip())
ANY = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\x00"), min_size=1, max_size=60).filter(
    lambda text: text.strip()
)
TEXT = TRICKY | ANY


def same(row: object) -> tuple[object, ...]:
    return tuple(getattr(row, name) for name in COLUMNS)


@given(
    st.lists(
        st.builds(Probe, st.uuids().map(lambda one: one.hex), st.sampled_from(("en", "zh")), TEXT, TEXT, TEXT, TEXT, st.integers(0, 999)),
        max_size=6,
        unique_by=lambda one: one.id,
    )
)
def test_every_table_comes_back_as_it_was_and_nothing_in_it_is_computed(table: list[Probe]) -> None:
    body = write(table)
    assert [same(row) for row in read(body)] == [same(one) for one in table]
    assert [row.number for row in read(body)] == list(range(2, len(table) + 2))
    for cells in csv.reader(io.StringIO(body.decode("utf-8-sig"), newline="")):
        assert not any(cell.startswith(tuple(FORMULA)) for cell in cells)


def test_our_items_go_out_and_in_in_both_languages() -> None:
    rows = [json.loads(line) for line in TABLE.read_text(encoding="utf-8").splitlines()]
    ours = [
        Probe(f"{n:032x}", language, row["topic"], **row[language])
        for n, (row, language) in enumerate((row, language) for row in rows for language in ("en", "zh"))
    ]
    assert [same(row) for row in read(write(ours))] == [same(one) for one in ours]


def table(*rows: str, head: str = "language,topic,p,q,a", end: str = "\r\n") -> bytes:
    return end.join([head, *rows, ""]).encode()


@pytest.mark.parametrize(
    "body",
    [
        table("en,kite,I mended the kite.,What did I mend?,The kite."),
        table("en;kite;I mended the kite.;What did I mend?;The kite.", head='"Language";topic;"Told";Asked later;Answer', end="\n"),
        table("中文\tkite\tI mended the kite.\tWhat did I mend?\tThe kite.", head="语言\t主题\t说的话\t之后的提问\t参考答案").replace(
            "中文".encode(), b"en"
        ),
        b"\xff\xfe"
        + table("en\tkite\tI mended the kite.\tWhat did I mend?\tThe kite.", head="language\ttopic\tp\tq\ta").decode().encode("utf-16-le"),
        table("The kite.,EN,kite,I mended the kite.,What did I mend?,,", ",,,,,,", head="a,language,topic,p,q,,"),
    ],
    ids=["commas", "semicolons", "Chinese head", "UTF-16 and tabs", "another order, and empty cells"],
)
def test_what_spreadsheets_save_is_read(body: bytes) -> None:
    (row,) = read(body)
    assert same(row) == ("", NO_VERSION, "en", *same(ITEM)[3:])


def test_an_apostrophe_is_taken_away_where_it_guards_and_nowhere_else() -> None:
    (row,) = read(table("en,'=1+1,'Twas late.,''quoted'',=2+2"))
    assert (row.topic, row.p, row.q, row.a) == ("=1+1", "'Twas late.", "''quoted''", "=2+2")


GOOD = "en,kite,told,asked,answer"


@pytest.mark.parametrize(
    ("body", "error", "where"),
    [
        (b"\xe9\xe8\xff\xa0,x", TableUnreadable, {"row": 0}),
        (table(GOOD, 'en,kite,"told"x,asked,answer'), TableUnreadable, {"row": 3}),
        (table(GOOD, 'en,kite,"told,asked,answer'), TableUnreadable, {"row": 3}),
        (b"", TableColumns, {"columns": "language, topic, p, q, a"}),
        (table(GOOD, head="language,topic,p,q"), TableColumns, {"columns": "a"}),
        (table(GOOD, head="language,topic,p,q,a,colour"), TableColumns, {}),
        (table(GOOD, head="language,topic,p,p,a"), TableColumns, {"columns": "q"}),
        (table(GOOD, f"{GOOD},more"), TableCells, {"row": 3}),
        (table(GOOD, "", "en,kite,told, ,answer"), TableCellMissing, {"row": 4, "column": "q"}),
        (table("en,kite,\0,asked,answer"), TableCellMissing, {"row": 2, "column": "p"}),
        (table("en,kite,told, \0 ,answer"), TableCellMissing, {"row": 2, "column": "q"}),
        (table("en,kite,told"), TableCellMissing, {"row": 2, "column": "q"}),
        (table(f"en,kite,told,asked,{'x' * 501}"), TableCellLong, {"row": 2, "column": "a", "limit": 500}),
        (table("fr,kite,told,asked,answer"), TableCellWrong, {"row": 2, "column": "language"}),
        (table(f"7,,{GOOD}", head="id,version,language,topic,p,q,a"), TableCellWrong, {"row": 2, "column": "id"}),
        (table(f",two,{GOOD}", head="id,version,language,topic,p,q,a"), TableCellWrong, {"row": 2, "column": "version"}),
        (table(*[f"{'a' * 32},1,{GOOD}"] * 2, head="id,version,language,topic,p,q,a"), TableTwice, {"row": 3, "other": 2}),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_by_row_and_column(body: bytes, error: type[TableColumns], where: dict[str, object]) -> None:
    with pytest.raises(error) as refused:
        read(body)
    assert where.items() <= refused.value.params.items()


def test_a_cell_larger_than_any_text_is_refused() -> None:
    with pytest.raises((TableUnreadable, TableCellLong)):
        read(table(f"en,kite,told,asked,{'x' * 900_000}"))


def test_the_lengths_are_those_of_a_form() -> None:
    from annotation.probes import ProbeFields

    for name, longest in LONGEST.items():
        value = {**ITEM.as_asked(), name: "x" * longest}
        ProbeFields.model_validate(value)
        with pytest.raises(ValueError, match="at most"):
            ProbeFields.model_validate({**value, name: "x" * (longest + 1)})


# Into a table


@pytest.fixture
def bench(store: Store) -> Workbench:
    return house(store)


@pytest.fixture
def made(bench: Workbench) -> Project:
    return project(bench, count=20)


def rows(*probes: Probe) -> list[tuple[int, Probe]]:
    return list(enumerate(probes, 2))


def test_rows_become_items_change_them_or_are_known(store: Store, made: Project) -> None:
    table = store.annotation_probes
    table.take_in(ADMIN, made.id, [Probe("cd" * 16, "en", "tea", "I take tea.", "What do I take?", "Tea.")])
    table.review(RENA, made.id, "cd" * 16, version=1, verdict="accepted", remark="")
    (first,) = table.probes(ADMIN, made.id)
    without = Probe("", "zh", "风筝", "我修好了风筝。", "我修好了什么？", "风筝。", NO_VERSION)
    assert table.take_file(ADMIN, made.id, rows(first, ITEM, without), most=100) == Taken(2, 0, 1)
    assert table.take_file(ADMIN, made.id, rows(first, ITEM, without), most=100) == Taken(0, 0, 3), "twice is once"
    there = {one.topic: one for one in table.probes(RENA, made.id)}
    assert there["kite"].id == ITEM.id
    assert there["kite"].writers == (ADMIN.user_id,)
    assert there["tea"].accepted == 1
    changed = Probe(first.id, "en", "tea", "I take coffee.", "What do I take?", "Coffee.", first.version)
    assert table.take_file(RENA, made.id, rows(changed), most=100) == Taken(0, 1, 0)
    again = {one.topic: one for one in table.probes(ADMIN, made.id)}["tea"]
    assert (again.a, again.version, again.accepted, again.writers) == ("Coffee.", 2, 0, (RENA.user_id,))
    assert len(table.probes(ADMIN, made.id)) == 3, "what a file leaves out stays"


@pytest.mark.parametrize("first", [True, False])
def test_what_an_item_said_before_the_file_changed_it_is_new_again(store: Store, made: Project, first: bool) -> None:
    table = store.annotation_probes
    new = Probe("", "en", "tea", "I take tea.", "What do I take?", "Tea.", NO_VERSION)
    assert table.take_file(ADMIN, made.id, rows(new), most=100) == Taken(1, 0, 0)
    changed = replace(table.probes(ADMIN, made.id)[0], p="I take coffee.", a="Coffee.")
    both = rows(changed, new) if first else rows(new, changed)
    assert table.take_file(ADMIN, made.id, both, most=100) == Taken(1, 1, 0)
    assert sorted(one.a for one in table.probes(ADMIN, made.id)) == ["Coffee.", "Tea."]


def test_a_file_is_taken_in_whole_or_not_at_all(store: Store, made: Project) -> None:
    table = store.annotation_probes
    table.take_in(ADMIN, made.id, [Probe("cd" * 16, "en", "tea", "I take tea.", "What do I take?", "Tea.")])
    stale = Probe("cd" * 16, "en", "tea", "I take milk.", "What do I take?", "Milk.", 0)
    for version in (0, 2, NO_VERSION):
        with pytest.raises(TableStale) as refused:
            table.take_file(ADMIN, made.id, rows(ITEM, Probe(**{**stale.as_asked(), "version": version})), most=100)  # type: ignore[arg-type]
        assert refused.value.params == {"row": 3}
    with pytest.raises(TableFull):
        table.take_file(ADMIN, made.id, rows(ITEM, Probe("", "en", "b", "b", "b", "b", NO_VERSION)), most=2)
    assert [one.topic for one in table.probes(ADMIN, made.id)] == ["tea"]
    with pytest.raises(NotAllowed):
        table.take_file(ANN, made.id, rows(ITEM), most=100)


def test_an_item_of_another_project_becomes_one_of_this(store: Store, bench: Workbench, made: Project) -> None:
    other = project(bench, count=20)
    table = store.annotation_probes
    for place in (made, other, other):
        table.take_file(ADMIN, place.id, rows(ITEM), most=100)
    (here,), (there,) = (table.probes(ADMIN, place.id) for place in (made, other))
    assert here.id == ITEM.id != there.id
    assert same(here)[2:] == same(there)[2:] == same(ITEM)[2:]
