"""What holds for every reader: places ascend and leave nothing out, and at the end of any find reading can go on."""

from collections.abc import Callable, Sequence

from unquilt.read import Found

Read = Callable[[int], list[Found]]


def check(read: Read, *, begin: int = 0, end: int | None = None, at_most: int = 40) -> list[Found]:
    founds = read(0)
    place = begin
    for found in founds:
        assert found.offset == place
        place = found.offset + found.length
    assert end is None or place == end
    for number in _some(range(len(founds)), at_most):
        if not founds[number].length:  # an empty file
            continue
        after = founds[number].offset + founds[number].length
        tail = [f for f in founds[number + 1 :] if f.offset >= after]
        assert read(after) == tail, f"behind find {number} at {after}"
    return founds


def _some(all_: Sequence[int], at_most: int) -> Sequence[int]:
    """All of them, or as many from the beginning and the end."""
    return all_ if len(all_) <= at_most else [*all_[: at_most // 2], *all_[-at_most // 2 :]]


def reasons(founds: list[Found]) -> list[str]:
    return [skip.reason for found in founds for skip in found.skips]
