"""Pages made up from a seed: hosts that share paragraphs, copies, and words enough for every table to have rows."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

Page = dict[str, Any]


def pages(number: int, *, seed: int, hosts: int = 12, words: int = 120) -> list[Page]:
    return list(stream(number, seed=seed, hosts=hosts, words=words))


def stream(number: int, *, seed: int, hosts: int = 12, words: int = 120) -> Iterator[Page]:
    """Every third page carries a paragraph of a common stock, every tenth is a copy of the one before."""
    chance = random.Random(seed)
    vocabulary = [_word(chance) for _ in range(4000)]
    stock = [_paragraph(chance, vocabulary, words // 2) for _ in range(20)]
    text = ""
    for number_ in range(number):
        if number_ % 10 != 9:
            own = _paragraph(chance, vocabulary, words)
            text = f"{own}\n\n{chance.choice(stock)}" if number_ % 3 == 0 else own
        yield {"url": f"https://host-{number_ % hosts}.example/{seed}/{number_}", "title": f"Page {number_}", "text": text}


def write(path: Path, some: Iterable[Page]) -> Path:
    with open(path, "w", encoding="utf-8") as file:
        for page in some:
            file.write(json.dumps(page, ensure_ascii=False) + "\n")
    return path


def _word(chance: random.Random) -> str:
    return "".join(chance.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(chance.randint(3, 9)))


def _paragraph(chance: random.Random, vocabulary: list[str], words: int) -> str:
    return " ".join(chance.choices(vocabulary, k=words))
