"""The example web, and what is known of it."""

import json
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

FOLDER = Path(__file__).resolve().parents[1] / "examples"
TRUTH: dict[str, Any] = json.loads((FOLDER / "truth.json").read_text("utf-8"))


def host(url: str) -> str:
    return str(urlsplit(url).hostname)


def copied_hosts() -> set[tuple[str, str]]:
    """Pairs of hosts of which one copied from the other."""
    copied = [(p["copy"], p["source"]) for p in TRUTH["exact_copies"] + TRUTH["spun_pairs"]]
    copied += [(p["mirror"], p["source"]) for p in TRUTH["mirror_pairs"]]
    for page in TRUTH["stitched"] + TRUTH["scraped"] + TRUTH["aggregated"]:
        copied += [(page["url"], passage["source"]) for passage in page["passages"]]
    return {(min(a, b), max(a, b)) for a, b in ((host(copy), host(source)) for copy, source in copied)}
