# ruff: noqa: RUF001
"""Which words does a page have only because it shows a date? Names of months and days, and what stands around them."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

# A language or two lines a language: months, days, as sites write them, whole and shortened. Ideographs are words of one character.
# Days of two letters are left out: they head the columns of every month, and are words of many languages.
NAMES = """
january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec
monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun th st nd rd am pm
januar februar märz april mai juni juli august september oktober november dezember jän jänner mär mrz okt dez
montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag
janvier février mars avril mai juin juillet août septembre octobre novembre décembre janv févr avr juil déc
lundi mardi mercredi jeudi vendredi samedi dimanche lun mar mer jeu ven sam dim
enero febrero marzo abril mayo junio julio agosto septiembre setiembre octubre noviembre diciembre ene abr ago dic
lunes martes miércoles jueves viernes sábado domingo mié jue vie sáb dom
janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro fev mai ago set out dez
segunda terça quarta quinta sexta sábado domingo feira seg ter qua qui sex
gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre gen mag giu lug ott
lunedì martedì mercoledì giovedì venerdì sabato domenica gio
januari februari maart april mei juni juli augustus september oktober november december mrt
maandag dinsdag woensdag donderdag vrijdag zaterdag zondag
januari februari mars april maj juni juli augusti måndag tisdag onsdag torsdag fredag lördag söndag mån tis ons tors lör sön
januar februar marts april maj juni juli august desember mandag tirsdag onsdag torsdag fredag lørdag søndag man tir ons tor lør søn
tammikuu helmikuu maaliskuu huhtikuu toukokuu kesäkuu heinäkuu elokuu syyskuu lokakuu marraskuu joulukuu
maanantai tiistai keskiviikko torstai perjantai lauantai sunnuntai
styczeń luty marzec kwiecień maj czerwiec lipiec sierpień wrzesień październik listopad grudzień
stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia
poniedziałek wtorek środa czwartek piątek sobota niedziela pon czw sob niedz
leden únor březen duben květen červen červenec srpen září říjen listopad prosinec
ledna února března dubna května června července srpna října listopadu prosince
pondělí úterý středa čtvrtek pátek sobota neděle
január február március április május június július augusztus szeptember október november december
hétfő kedd szerda csütörtök péntek szombat vasárnap
ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie noiembrie decembrie
luni marți miercuri joi vineri sâmbătă duminică
ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık
pazartesi salı çarşamba perşembe cuma cumartesi pazar pzt çar per cum cmt paz
ιανουάριος φεβρουάριος μάρτιος απρίλιος μάιος ιούνιος ιούλιος αύγουστος σεπτέμβριος οκτώβριος νοέμβριος δεκέμβριος
ιανουαρίου φεβρουαρίου μαρτίου απριλίου μαΐου ιουνίου ιουλίου αυγούστου σεπτεμβρίου οκτωβρίου νοεμβρίου δεκεμβρίου
δευτέρα τρίτη τετάρτη πέμπτη παρασκευή σάββατο κυριακή
январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь янв фев мар апр июн июл авг сен окт ноя дек
января февраля марта апреля мая июня июля августа сентября октября ноября декабря
понедельник вторник среда четверг пятница суббота воскресенье
січень лютий березень квітень травень червень липень серпень вересень жовтень листопад грудень
січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня
понеділок вівторок середа четвер пʼятниця субота неділя
年 月 日 曜 火 水 木 金 土 周 星 期 一 二 三 四 五 六 七 八 九 十
년 월 일 월요일 화요일 수요일 목요일 금요일 토요일 일요일 화 수 목 금 토
يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر
الأحد الاثنين الإثنين الثلاثاء الأربعاء الخميس الجمعة السبت
ינואר פברואר מרץ אפריל מאי יוני יולי אוגוסט ספטמבר אוקטובר נובמבר דצמבר
ראשון שני שלישי רביעי חמישי שישי שבת
januari februari maret april mei juni juli agustus september oktober november desember senin selasa rabu kamis jumat sabtu minggu
"""

_BITS = 16


def among(words: NDArray[Any]) -> NDArray[Any]:
    """Which of these hashes of words are of such a name."""
    import numpy as np

    known, likely = _hashes()
    found: NDArray[Any] = likely[words & np.uint64((1 << _BITS) - 1)]
    at = np.flatnonzero(found)
    found[at] = np.isin(words[at], known)
    return found


@cache
def _hashes() -> tuple[NDArray[Any], NDArray[Any]]:
    """The hashes of the names, and which last bits any of them has: most words are told from that alone."""
    import numpy as np

    from unquilt import kernel

    text = np.frombuffer(NAMES.encode(), np.uint8)
    words, _ = kernel.words(text, np.array([0, len(text)]))
    known = np.unique(words)
    likely = np.zeros(1 << _BITS, bool)
    likely[known & np.uint64((1 << _BITS) - 1)] = True
    return known, likely
