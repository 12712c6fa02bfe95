"""Which month does a word mean? The names of the months in some seventy languages, whole and shortened."""

# ruff: noqa: RUF001 - letters of many scripts look alike

from __future__ import annotations

import unicodedata
from functools import cache

# The words for each month: nominative, genitive, short forms; Latin letters without their accents. Two-word names are joined by "_".
_NAMES = """
    ean eanair ene enero faoi gen gener gennaio ian ianuarie ion ionawr jaan jaanuar jaenner jan janaayo janar janeiro jannaayo jannar
    janner jannewaris januar januara januari januarie januaro january januwari janv janvaris janvier led leden ledna oca ocak
    ođđajagemannu ođđj rbn rebendan saus sausio sausis sij sijecanj sijecnja sty styczen stycznia tammi tammikuu tammikuuta urt urtarrila
    urtarrilaren xan xaneiro yan yanvar ιαν ιανουάριοσ ιανουαρίου гыйн гыйнвар сту студзень студзеня січ січень січня янв январ январь
    января яну януари јан јануар јануари қаң қаңтар հնվ հունվար հունվարի ינואר ינו׳ جانفي جنوري جنوری كانون_الثاني يناير ژانویه ژانویهٔ
    जनवरी जन॰ जाने जानेवारी জানু জানুয়ারী ਜਨਵਰੀ જાન્યુ જાન્યુઆરી ஜனவரி జనవరి ಜನವರಿ ജനു ജനുവരി ජනවාරි ม.ค มกราคม ມ.ກ ມັງກອນ ဇန် ဇန်နဝါရီ
    იან იანვარი ጃንዋሪ

    chw chwef chwefror feabh feabhra feb febbraio feber febr febraayo febreiro febrer febrero febrewaris februar februara februari
    februarie februaris februaro february februwari fev fevereiro fevr fevral fevrier fra frar gearr guov guovvamannu helmi helmikuu
    helmikuuta lut lutego luty ots otsaila otsailaren peb pebrero sbt shk shkurt sibat sub subat uno unor unora vas vasario vasaris veebr
    veebruar velj veljaca veljace φεβ φεβρουάριοσ φεβρουαρίου ақп ақпан лют лютага лютий лютого люты феб фебруар фев февр феврал февраль
    февраля февруари փետրվար փետրվարի փտվ פברואר פבר׳ شباط فبراير فبروري فروری فوریه فوریهٔ فيبراير فيفري فېبروري फ़रवरी फ़र॰ फेब्रु
    फेब्रुअरी फेब्रुवारी ফেব ফেব্রুয়ারী ਫ਼ਰ ਫ਼ਰਵਰੀ ફેબ્રુ ફેબ્રુઆરી பிப் பிப்ரவரி ఫిబ్ర ఫిబ్రవరి ಫೆಬ್ರ ಫೆಬ್ರವರಿ ഫെബ്രു ഫെബ്രുവരി පෙබ
    පෙබරවාරි ก.พ กุมภาพันธ์ ກ.ພ ກຸມພາ ဖေဖော်ဝါရီ თებ თებერვალი ፌብሩዋሪ

    adar adr bre brezen brezna kov kovas kovo maalis maaliskuu maaliskuuta maarso maart mac machi mae maerz mar marc marca march marcius
    marco marec maret mars marso mart marta martie marto marts martxoa martxoaren marz marzec marzo marzu mas mashi maw mawrth mrt mrz
    njuk njukcamannu ozu ozujak ozujka μάρ μάρτιοσ μαρ μαρτίου бер березень березня мар март марта нау наурыз сак сакавік сакавіка մարտ
    մարտի մրտ מרץ آدار آذار مارت مارس مارچ मार्च মার্চ ਮਾਰਚ માર્ચ மார் மார்ச் మార్చి ಮಾರ್ಚ್ മാർ മാർച്ച് මාර් මාර්තු มี.ค มีนาคม ມ.ນ ມີນາ
    မတ် მარ მარტი ማርች

    abr abrell abriil abril aib aibrean api apirila apirilaren apr aprel april aprila aprile aprili aprilie aprilis aprill aprilo avr
    avril bal balandis balandzio cuo cuoŋomannu dub duben dubna d’abr d’abril ebr ebrill eph ephreli gibl huhti huhtikuu huhtikuuta kwi
    kwiecien kwietnia nis nisan nsn pri prill tra travanj travnja απρ απρίλιοσ απριλίου апр апрел апрель апреля април квіт квітень квітня
    кра красавік красавіка сәу сәуір ապր ապրիլ ապրիլի אפריל אפר׳ آوریل أبريل أفريل إبريل ابريل اپریل نيسان अप्रिल अप्रैल एप्रि एप्रिल
    এপ্রি এপ্রিল ਅਪ੍ਰੈ ਅਪ੍ਰੈਲ એપ્રિલ ஏப் ஏப்ரல் ఏప్రి ఏప్రిల్ ಏಪ್ರಿ ಏಪ್ರಿಲ್ ഏപ്രി ഏപ്രിൽ අප්‍රේල් เม.ย เมษายน ມ.ສ ເມສາ ဧပြီ აპრ აპრილი ኤፕሪ
    ኤፕሪል

    beal bealtaine ceit geg geguze geguzes gln gulan kve kveten kvetna maaie maayo mag maggio mai maiatza maiatzaren maig maijs maio maj
    maja majo majus may mayo mayıs mee mei mej mejju mey meyi mies miessemannu svi svibanj svibnja touko toukokuu toukokuuta μάι μάιοσ μαΐ
    μαΐου май мам мамыр мая мај трав травень травня մայիս մայիսի մյս מאי أيار ايار مئی ماي مايو مهٔ മേയ് මැයි พ.ค พฤษภาคม ພ.ພ ພຶດສະພາ მაი
    მაისი

    birz birzelio birzelis cerven cervna cvn cze czerwca czerwiec eka ekaina ekainaren geas geassemannu giu giugno gun gunju haz haziran
    heziran hun hunyo hzr iun iunie iyn iyun juin jun juna june junho juni junie junij junijs junio junius juny juun juuni kesa kesakuu
    kesakuuta lipanj lipnja meh mehefin meith meitheamh ogmh qer qershor xuno ιουν ιουνίου ιούν ιούνιοσ июн июнь июня мау маусым черв
    червень червня чэр чэрвень чэрвеня юни јун јуни հնս հունիս հունիսի יוני جوان جون حزيران يونية يونيو ژوئن जुन जून জুন ਜੂਨ જૂન ஜூன் జూన్
    ಜೂನ್ ജൂൺ ජූනි มิ.ย มิถุนายน ມິ.ຖ ມິຖຸນາ ဇွန် ივნ ივნისი

    cervence cervenec cvc gor gorff gorffennaf heina heinakuu heinakuuta hul hulyo iuch iuil iul iulie iyl iyul juil juillet jul jula
    julai julayi julho juli julie julij julijs julio juliol julius july juuli korr korrik liep liepa liepos lip lipca lipiec lug luglio
    lul lulju luulyo srpanj srpnja suoi suoidnemannu tem temmuz tirmeh trm uzt uztaila uztailaren xul xullo ιουλ ιουλίου ιούλ ιούλιοσ июл
    июль июля лип липень липня ліп ліпень ліпеня шіл шілде юли јул јули հլս հուլիս հուլիսի יולי تموز جولائی جولای جويلية يولية يوليو ژوئیه
    ژوئیهٔ जुलाई जुलै जुल॰ জুল জুলাই ਜੁਲਾ ਜੁਲਾਈ જુલાઈ ஜூலை జులై ಜುಲೈ ജൂലൈ ජූලි ก.ค กรกฎาคม ກ.ລ ກໍລະກົດ ဇူလိုင် ივლ ივლისი ጁላይ

    abu abuztua abuztuaren aga agasti ago agost agosti agosto agu agust agustos agustus aout aug august augusta augusti augusto augusts
    augustus augusztus avg avgust avq avqust awst aww awwissu borg borgemannu d’ag d’agost elo elokuu elokuuta gush gusht kol kolovoz
    kolovoza lun luna lunasa ogo ogos ogosto ogs rugp rugpjucio rugpjutis sie sierpien sierpnia srp srpen srpna tbx tebax αυγ αυγούστου
    αύγ αύγουστοσ авг август августа жні жнівень жніўня серп серпень серпня там тамыз օգոստոս օգոստոսի օգս אוגוסט אוג׳ آب أغسطس أوت اغسطس
    اوت اګست اگست अगस्ट अगस्त अग॰ ऑगस्ट আগস্ট ਅਗਸਤ ઑગસ્ટ ஆகஸ்ட் ఆగస్టు ಆಗಸ್ಟ್ ഓഗസ്റ്റ് අගෝ අගෝස්තු ส.ค สิงหาคม ສ.ຫ ສິງຫາ ဩဂုတ် აგვ აგვისტო
    ኦገስ ኦገስት

    cakc cakcamannu eyl eylul iln ilon ira iraila irailaren medi mfomh rugs rugsejis rugsejo ruj rujan rujna seb sebteembar sebtembar sen
    sentabr sentyabr sep sept septemba septembar september septembra septembre septembrie septembris septembro septhemba septiembre
    septimber set setembre setembro setiembre settembre settembru setyembre sht shtator sult syys syyskuu syyskuuta szept szeptember wrz
    wrzesien wrzesnia zar zari σεπ σεπτέμβριοσ σεπτεμβρίου вер верасень верасня вересень вересня сен сент сентябр сентябрь сентября сеп
    септембар септември қыр қыркүйек սեպ սեպտեմբեր սեպտեմբերի ספטמבר ספט׳ أيلول ايلول سبتمبر ستمبر سپتامبر سپتمبر سېپتمبر شتنبر सप्टें
    सप्टेंबर सितंबर सित॰ सेप्टेम्बर সেপ সেপ্টেম্বর ਸਤੰ ਸਤੰਬਰ સપ્ટે સપ્ટેમ્બર செப் செப்டம்பர் సెప్టెం సెప్టెంబర్ ಸೆಪ್ಟೆಂ ಸೆಪ್ಟೆಂಬರ್
    സെപ്റ്റം സെപ്റ്റംബർ සැප් සැප්තැම්බර් ก.ย กันยายน ກ.ຍ ກັນຍາ စက် စက်တင်ဘာ სექ სექტემბერი ሴፕቴ ሴፕቴምበር

    cot cotmeh damh dfomh d’oct d’octubre eki ekim golg golggotmannu hyd hydref loka lokakuu lokakuuta oct october octobre octombrie
    octubre okt oktabr okthoba oktoba oktobar oktober oktobra oktobris oktobro oktoobar oktoober oktubre oktyabr ott ottobre ottubru out
    outubro paz pazdziernik pazdziernika rij rijen rijna spal spalio spalis tet tetor urr urria urriaren οκτ οκτωβρίου οκτώβριοσ жовт
    жовтень жовтня кас кастрычнік кастрычніка окт октобар октомври октябр октябрь октября қаз қазан հոկ հոկտեմբեր հոկտեմբերի אוקטובר אוק׳
    أكتوبر اكتوبر اکتبر اکتوبر تشرين_الأول تشرين_الاول अक्टूबर अक्टू॰ अक्टोबर ऑक्टो ऑक्टोबर অক্টো অক্টোবর ਅਕਤੂ ਅਕਤੂਬਰ ઑક્ટો ઑક્ટોબર அக்
    அக்டோபர் అక్టో అక్టోబర్ ಅಕ್ಟೋ ಅಕ್ಟೋಬರ್ ഒക്ടോ ഒക്‌ടോബർ ඔක් ඔක්තෝබර් ต.ค ตุลาคม ຕ.ລ ຕຸລາ အောက် အောက်တိုဘာ ოქტ ოქტომბერი ኦክቶ ኦክቶበር

    aza azaroa azaroaren kas kasim kasım lapkr lapkricio lapkritis lis listopad listopada listopadu marras marraskuu marraskuuta mijdar
    mjd nen nentor nob nobyembre nof noiembrie noofeembar nov novemba novembar november novembra novembre novembris novembro novembru
    noviembre novimber noy noyabr samh samhain skab skabmamannu stu studeni studenoga tach tachwedd νοέ νοέμβριοσ νοε νοεμβρίου лист
    листопад листопада ліс лістапад лістапада нов новембар ное ноември ноя нояб ноябр ноябрь ноября қар қараша նոյ նոյեմբեր նոյեմբերի
    נובמבר נוב׳ تشرين_الثاني نوامبر نوفمبر نومبر نونبر नवंबर नव॰ नोभेम्बर नोव्हें नोव्हेंबर নভে নভেম্বর ਨਵੰ ਨਵੰਬਰ નવે નવેમ્બર நவம்பர் నవం
    నవంబర్ ನವೆಂ ನವೆಂಬರ್ നവം നവംബർ නොවැ නොවැම්බර් พ.ย พฤศจิกายน ພ.ຈ ພະຈິກ နို နိုဝင်ဘာ ნოე ნოემბერი ኖቬም ኖቬምበር

    abe abendua abenduaren ara aralik aralık berfanbar brf dec decembar december decembra decembre decembrie decembris decembro dek dekabr
    des desemba desember desembre desimber dets detsember dez dezember dezembro dhj dhjetor dic dicembre dicembru diciembre dis diseembar
    disemba disember disyembre dubh gru grudnia grudzien gruod gruodis gruodzio joulu joulukuu joulukuuta juov juovlamannu noll nollaig
    pro prosinac prosinca prosince prosinec rhag rhagfyr δεκ δεκέμβριοσ δεκεμβρίου груд грудень грудня дек декабр декабрь декабря декември
    дец децембар жел желтоқсан сне снежань снежня դեկ դեկտեմբեր դեկտեմբերի דצמבר דצמ׳ دجنبر دسامبر دسمبر ديسمبر كانون_الأول كانون_الاول
    डिसें डिसेंबर डिसेम्बर दिसंबर दिस॰ ডিসে ডিসেম্বর ਦਸੰ ਦਸੰਬਰ ડિસે ડિસેમ્બર டிச டிசம்பர் డిసెం డిసెంబర్ ಡಿಸೆಂ ಡಿಸೆಂಬರ್ ഡിസം ഡിസംബർ දෙසැ
    දෙසැම්බර් ธ.ค ธันวาคม ທ.ວ ທັນວາ ဒီဇင်ဘာ დეკ დეკემბერი ዲሴም ዲሴምበር
""".split("\n\n")

# Croatian calls by these what Czech and Polish call another month.
_CROATIAN = {"lip": 6, "srp": 7, "lis": 10, "listopad": 10, "listopada": 10}


def month(word: str, language: str | None = None) -> int | None:
    """1 to 12; `language` as in `hr` decides for the few words that two languages use for two months."""
    key = plain(word)
    if language in ("hr", "bs", "sr") and key in _CROATIAN:
        return _CROATIAN[key]
    return _table().get(key)


def plain(word: str) -> str:
    """Case folded, in Latin, Greek and Cyrillic without accents: sites leave them out, above all in capitals."""
    if word.isascii():
        return word.lower()
    folded = unicodedata.normalize("NFD", word.casefold())
    if max(folded, default="") < "\u0530":
        return "".join(c for c in folded if not unicodedata.combining(c))
    return unicodedata.normalize("NFC", folded)


@cache
def _table() -> dict[str, int]:
    return {plain(name.replace("_", " ")): number for number, line in enumerate(_NAMES, 1) for name in line.split()}
