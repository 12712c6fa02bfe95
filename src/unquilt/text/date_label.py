"""What do the words about a date say of it: that something was published then, or changed?"""

# ruff: noqa: RUF001 - letters of many scripts look alike

from __future__ import annotations

import re

_LABEL = 40
"""Characters in front of a date that are looked at."""
_LABELS = re.compile(
    r"(updat|modif|aktuali|änder|\bstand\b|mise? à jour|màj|actuali|atualiz|aggiorn|обновл|оновл|измен[её]н|змінен|更新|수정|تحديث|güncel|"
    r"düzenlen|oppdater|opdater|uppdater|päivit|gewijzigd|bijgewerkt|revised|edited|\bchanged|\bamended|bearbeitet|cập nhật|ενημ|frissít|"
    r"módosít|upraven|ažurir|diperbarui|עודכן|به.?روز|แก้ไข|อัปเดต)"
    r"|(publi|posted|submitted|pubbl|veröffentlich|erschienen|erstellt|eingestellt|geplaatst|created|written|uploaded|\bdatum\b|\bdat[ae]\b|"
    r"\bpost[ae]do em\b|fecha|mise? en ligne|posté le|paru le|écrit le|geschrieben|gepostet|verfasst|online seit|geschreven|scritto|"
    r"inserito|postato|опубл|дата|размещ|добавлен|додано|发布|發布|發佈|公開|掲載|投稿|配信|입력|등록|작성|게시|نشر|تاريخ|تاریخ|انتشار|yayın|"
    r"eklenme|tarih|đăng|xuất bản|diterbitkan|diposting|julkaistu|objav|δημοσ|vloženo|zveřejn|zverejn|vydáno|dodano|dodane|közzét|"
    r"megjelent|offentliggjort|udgivet|פורסם|เผยแพร่|प्रकाशित|notizia)"
)
_LABEL_BEHIND = re.compile(r"[^\n]{0,12}(?:veröffentlicht|erstellt|eingestellt|geplaatst|gepubliceerd|julkaistu)", re.IGNORECASE)


def label_of(text: str, begin: int, end: int, before: int = 0) -> str:
    """What the words about a date say of it: "published", "modified" or nothing. Those in front of `before` are of another date."""
    labels = list(_LABELS.finditer(text[max(before, begin - _LABEL) : begin].lower()))
    if not labels:
        return "published" if _LABEL_BEHIND.match(text, end) else ""
    return "modified" if labels[-1][1] else "published"
