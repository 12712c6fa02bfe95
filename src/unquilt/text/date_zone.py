"""Which day was it at a moment in UTC, where a page is written?

A page in Tokyo whose program writes `2019-03-12T23:30:00Z` was published on the 13th. The country in the address, else the language
says where a page is written; a country with several zones, or with a summer time, says so only of the hours in which they all agree.
"""

from __future__ import annotations

from datetime import date

_EPOCH = date(1970, 1, 1).toordinal()
_MINUTE = 60_000_000
_DAY = 1440 * _MINUTE

# Minutes east of Greenwich, the least and the most in a year; then countries as in addresses, and languages that hardly
# any other country writes. English, Spanish, French, Portuguese, Russian, Arabic and Chinese are written everywhere.
_ZONES = (
    (60, 120, "de at ch li it fr be nl lu dk se no pl cz sk hu si hr ba rs mk al mt eu", "de it nl da sv nb nn no pl cs sk hu sl hr"),
    (0, 120, "es", ""),
    (0, 60, "uk gb ie", "ga cy"),
    (-60, 60, "pt", ""),
    (120, 180, "gr fi ee lv lt ro bg ua cy il tr by", "el fi et lv lt ro bg uk he tr"),
    (120, 720, "ru", ""),
    (210, 270, "ir", "fa"),
    (330, 330, "in lk", "hi ta te mr ml kn gu"),
    (420, 420, "th vn", "th vi"),
    (420, 540, "id", "id"),
    (480, 480, "cn hk tw sg my ph", ""),
    (540, 540, "jp kr", "ja ko"),
    (480, 660, "au", ""),
    (720, 780, "nz", ""),
    (120, 120, "za", ""),
    (-600, -240, "us", ""),
    (-480, -150, "ca", ""),
    (-480, -300, "mx", ""),
    (-300, -120, "br", ""),
    (-300, -300, "pe", ""),
    (-360, -180, "cl", ""),
    (-180, -180, "ar uy", ""),
)
_BY_COUNTRY = {country: (least, most) for least, most, countries, _ in _ZONES for country in countries.split()}
_BY_LANGUAGE = {language: (least, most) for least, most, _, languages in _ZONES for language in languages.split()}


def day_where_written(at: int, country: str, language: str | None) -> str | None:
    """The day at a moment in microseconds; None where neither country nor language settles it.

    Midnight in UTC is what programs make of a day without a time.
    """
    zone = _BY_COUNTRY.get(country) or _BY_LANGUAGE.get(language or "")
    if zone is None or at % _DAY == 0:
        return None
    first, last = (_EPOCH + (at + offset * _MINUTE) // _DAY for offset in zone)
    return date.fromordinal(first).isoformat() if first == last else None


def days_somewhere(at: int) -> set[str]:
    """The days that it is on earth at a moment."""
    return {date.fromordinal(_EPOCH + (at + offset * _MINUTE) // _DAY).isoformat() for offset in (-720, 0, 840)}
