# ruff: noqa: RUF001
"""In which words do pages say that they are none? A table of some forty languages, folded as `not_found.folded` does."""

from __future__ import annotations

# Of pages and addresses: (what must be there, for a quick look; what it says in full). Lower case, without accents.
# `~` is a gap of up to 60 characters.
PHRASES: tuple[tuple[str, str], ...] = (
    # English
    (
        (
            "not found|be found|t find|t exist|not exist|longer exist|longer available|not available|unavailable|been (?:re)?moved|been"
            " deleted|t here|no such"
        ),
        (
            r"(?:requested )?(?:web ?page|page|file|document|url|uri|address|resource|object|site|link|content|article|post|product|item"
            r"|topic|thread|user|profile|entry|category|location|path|host|domain|account|listing)s?(?: (?:that |which )?(?:you|you are"
            r"|you're|you were|we are|they are)(?:'ve| have| are| were)? (?:looking for|trying to (?:reach|access|view|open|find)"
            r"|requested|seeking|searching for|asked for|wanted|followed|entered|clicked)~)?(?: requested)?(?: \S*/\S*)?(?:,? (?:does"
            r" not exist|doesn't exist|did not exist|no longer exists?|is no longer available|isn't here|is not here|(?:was |is |were "
            r"|are |has |have )?not (?:be |been )?found|(?:was |is )?nowhere to be found|(?:wasn't|isn't|weren't) found|(?:could not"
            r"|couldn't|cannot|can not|can't|may not) be (?:found|located|displayed)|(?:may |might )?(?:have|has) (?:been )?(?:moved"
            r"|removed|deleted)(?: or (?:re)?moved| or deleted| or renamed)*))(?: on (?:this|the|our) (?:server|(?:web ?)?site)"
            r"|,[^.!?]{0,60}(?:changed|unavailable|moved|deleted|exists?))?"
        ),
    ),
    (
        "t find|not find|unable to find|couldn|cannot locate",
        (
            "(?:we |i |sorry,? )?(?:couldn't|can't|could not|cannot|can not|were unable to|are unable to|was unable to) (?:find|locate)"
            " (?:the |that |this |your |a )?(?:web ?)?(?:page|file|document|url|address|site|link|content|resource)~"
        ),
    ),
    (
        "no such",
        "no such (?:page|article|url|topic|thread|user)",
    ),
    (
        "no text in this page",
        "there is currently no text in this page",
    ),
    # German
    (
        "nicht gefunden|nicht finden|existiert nicht|nicht (?:mehr )?(?:verfugbar|vorhanden)|nicht (?:mehr )?existiert",
        (
            "(?:seite|datei|url|adresse|dokument|inhalt|artikel|beitrag|website|webseite|internetseite|ressource|objekt|thema"
            "|benutzer)n?~(?:(?:konnte|wurde|kann|ist)?~(?:leider )?nicht (?:mehr )?(?:gefunden(?: werden)?|verfugbar|vorhanden"
            "|aufgerufen werden)|existiert (?:leider )?nicht(?: mehr)?|nicht (?:mehr )?existiert)"
        ),
    ),
    (
        "nicht finden",
        "(?:seite|datei)~nicht finden",
    ),
    # French
    (
        "introuvable|existe p|ete trouvee?|trouve pas|n'est plus disponible|pas ete trouv",
        (
            "(?:page|fichier|document|url|adresse|article|contenu|site|ressource|sujet|lien)s?~(?:introuvable|n'existe (?:pas|plus)|n'a"
            " (?:pas|pu)(?: pu)? (?:ete|etre) trouvee?|non trouvee?|n'est (?:plus|pas) disponible|pas trouvee?|inexistante?)"
        ),
    ),
    # Spanish, Portuguese, Galician, Catalan
    (
        (
            "no encontrad|no se (?:ha |pudo |puede )?encontr|no (?:ha sido|fue) encontrad|no existe|no (?:esta )?disponible|no s'ha"
            " trobat|no trobada|non atopad"
        ),
        (
            "(?:pagina|archivo|documento|url|direccion|articulo|contenido|sitio|recurso|objeto|tema|enlace|fitxer|adreca)s?~(?:no (?:ha"
            " sido |fue |pudo ser )?encontrad[ao]|no se (?:ha |pudo |puede )?(?:encontrad[ao]|encontrar|encuentra|encontro)|(?:ya )?no"
            " existe|(?:ya )?no (?:esta )?disponible|no s'ha trobat|no trobada|non (?:foi )?atopada)"
        ),
    ),
    (
        "nao (?:foi |pode ser |pôde ser )?encontrad|nao existe|nao encontr|nao (?:esta )?disponivel|inexistente",
        (
            "(?:pagina|arquivo|ficheiro|documento|url|endereco|artigo|conteudo|site|recurso|topico)s?~(?:nao (?:foi |pode ser"
            " )?(?:encontrad[ao]|localizad[ao])|nao existe(?: mais)?|nao (?:esta )?(?:mais )?disponivel|inexistente)"
        ),
    ),
    # Italian, Romanian
    (
        "non (?:e stat[ao] )?trovat|non esiste|non (?:e )?(?:piu )?disponibile|inesistente|non (?:e )?presente",
        (
            "(?:pagina|file|documento|url|indirizzo|articolo|contenuto|sito|risorsa)~(?:non (?:e (?:stat[ao] )?)?trovat[ao]|non (?:e"
            " stato possibile )?trova(?:re|ta|to)|non esiste(?: piu)?|non (?:e )?(?:piu )?(?:disponibile|presente)|inesistente)"
        ),
    ),
    (
        "nu (?:a fost|a putut fi|poate fi) gasit|nu exista|negasit|inexistent",
        (
            "(?:pagina|fisierul|documentul|adresa|articolul)~(?:nu (?:a fost|a putut fi|poate fi) gasit[ae]?|nu (?:mai )?exista|negasita"
            "|inexistenta)"
        ),
    ),
    # Dutch, Scandinavian, Finnish
    (
        "niet (?:worden )?gevonden|bestaat niet|niet (?:meer )?(?:beschikbaar|gevonden|bestaat)|niet vinden",
        (
            "(?:pagina|bestand|document|url|adres|artikel|inhoud|website)~(?:(?:kan |kon |is |werd )?~niet (?:meer )?(?:worden"
            " )?(?:gevonden(?: worden)?|beschikbaar)|bestaat (?:helaas )?niet(?: meer)?|niet (?:meer )?bestaat)"
        ),
    ),
    (
        "hittades inte|finns (?:tyvarr )?inte|hittas inte|kunde inte hitta|hittar inte|kan inte hitta",
        (
            "(?:(?:sidan|sida|filen|dokumentet|adressen|artikeln)~(?:hittades inte|finns (?:tyvarr )?inte(?: langre)?|(?:kunde|kan) inte"
            " hittas)|(?:kunde|kan|hittar) (?:tyvarr )?inte (?:hitta )?(?:sidan|den sida))"
        ),
    ),
    (
        (
            "ikke fun[dn]et|ikke (?:finnes|findes)|findes (?:desværre )?ikke|finnes (?:dessverre )?ikke|ikke finde|ikke finne|eksisterer"
            " ikke|ble ikke funnet|blev ikke fundet"
        ),
        (
            "(?:siden?|filen|dokumentet|adressen|artikkelen|artiklen)~(?:(?:ble|blev|kunne|kan)?~ikke (?:blive |bli )?(?:fundet|funnet"
            "|findes|finnes)|f(?:inne|inde)s (?:desværre |dessverre )?ikke(?: længere| lenger)?|eksisterer ikke)"
        ),
    ),
    (
        "ei loydy|ei loytynyt|ei ole olemassa|ei loydetty",
        (
            "(?:sivua?|tiedostoa?|hakemaasi sivua|osoitetta|sisaltoa)~ei (?:valitettavasti )?(?:loydy|loytynyt|loydetty|ole (?:enaa"
            " )?olemassa)"
        ),
    ),
    # Polish, Czech, Slovak, Croatian, Slovenian, Hungarian, Baltic
    (
        "nie (?:zostala |zostal |zostalo )?znalezion|nie istnieje|nie odnaleziono",
        (
            "(?:stron[ay]|plik|dokument|adres|artykul|zasob)~(?:nie (?:zostal[ao]? )?(?:znalezion[aoy]?|odnaleziona)|(?:juz )?nie"
            " istnieje)|nie (?:znaleziono|odnaleziono|mozna znalezc) (?:takiej |zadanej |szukanej )?(?:strony|pliku|dokumentu)"
        ),
    ),
    (
        "nenalezen|nebyla nalezena|neexistuje|nenasli|nenajden|nebola najdena|sa nenasla|nebol najdeny",
        (
            "(?:strank[ay]|soubor|subor|dokument|adresa|clanok|clanek|pozadovana stranka)~(?:nenalezena?|(?:nebyla?|nebol[ay]?)"
            " (?:bohuzel )?(?:nalezena?|najden[ay])|(?:bohuzel |bohuzial )?(?:jiz |uz )?neexistuje|nenajden[ay]|sa nenasla)"
        ),
    ),
    (
        "nije (?:pronađena|pronaðena|pronadena|pronajdena)|ne postoji|ni (?:bila )?najdena|ne obstaja",
        (
            "(?:stranica|datoteka|stran|dokument|strana)~(?:nije pron(?:a[đðd]|ajd)ena|(?:vise )?ne postoji|ni (?:bila )?(?:mogoce"
            " )?naj(?:dena|ti)|ne obstaja)"
        ),
    ),
    (
        "nem talalhato|nem letezik|nem talalhat",
        "(?:az? )?(?:keresett |kert )?(?:oldal|lap|fajl|dokumentum|cim)~nem (?:talalhato|letezik|erheto el)",
    ),
    (
        "nerastas|neegzistuoja|nav atrast|neeksiste|ei leitud",
        "(?:puslapis|lapa|lehekulge|lehte)~(?:nerastas|neegzistuoja|nav atrasta|neeksiste|ei leitud)",
    ),
    # Greek, Russian, Ukrainian, Bulgarian, Serbian
    (
        "δεν βρεθηκε|δεν υπαρχει",
        "(?:σελιδα|αρχειο|διευθυνση)~δεν (?:βρεθηκε|υπαρχει)",
    ),
    (
        "не наи?йден|не существует|не найти|несуществующ",
        (
            "(?:страниц[аыу]|файл|документ|адрес|статья|ресурс|объект|материал|тема|товар)~(?:не (?:была? |было )?наи?йден[ао]?"
            "|(?:больше )?не существует)"
        ),
    ),
    (
        "не знаи?йден|не існує|не знаи?дено",
        "(?:сторінк[ауи]|файл|документ|адреса|стаття|матеріал)~не (?:знаи?йден[аоу]?|було знаи?йдено|існує)|(?:сторінку) не знаи?йдено",
    ),
    (
        "не (?:е|беше) намерен|не съществува|ниje пронађен|не постоји|није пронађен",
        "(?:страницата|страница|страна|файлът|датотека)~(?:не (?:е|беше|бе) намерен[а]?|не съществува|не постоји|није пронађена)",
    ),
    # Turkish, Indonesian, Malay, Vietnamese
    (
        "bulunamad|mevcut degil|bulunmamaktad",
        r"(?:sayfa|dosya|belge|adres|icerik|konu)\S*~(?:bulunamad[iı]|mevcut degil|bulunmamaktad[iı]r)",
    ),
    (
        "tidak (?:di)?temukan|tidak ada|tidak dijumpai|tidak wujud|tidak ditemui",
        "(?:halaman|laman|berkas|artikel|dokumen|konten)~tidak (?:dapat )?(?:di)?(?:temukan|jumpai|temui|wujud|tersedia|ada)",
    ),
    (
        "khong tim thay|khong ton tai|khong đuoc tim thay",
        "(?:khong tim thay (?:trang|tap tin|noi dung)|trang~khong (?:đuoc tim thay|ton tai|tim thay))",
    ),
    # Arabic, Persian, Hebrew, Hindi, Thai
    (
        "غير موجود|لم يتم العثور|يافت نشد|پیدا نشد|لا يمكن العثور|وجود ندارد|غير متوفر",
        (
            "(?:الصفحه|الصفحة|صفحه|صفحة|صفحهٔ|الملف|المحتوى)~(?:غير (?:موجود[هة]?|متوفر[هة]?)|لم يتم العثور عليها?|يافت نشد|پیدا نشد"
            "|وجود ندارد)|لم يتم العثور على (?:الصفح[هة]|الملف)"
        ),
    ),
    (
        "לא נמצא|לא קיים|אינו קיים|אינה קיימת|לא קיימת",
        "(?:הדף|העמוד|דף|הקובץ|העמוד המבוקש)~(?:לא נמצאה?|לא קיימת?|אינו קיים|אינה קיימת)",
    ),
    (
        "नहीं मिला|नहीं मिली|मौजूद नहीं",
        "(?:पृष्ठ|पेज|फ़ाइल|लेख)~(?:नहीं (?:मिला|मिली|मिल)|मौजूद नहीं)",
    ),
    (
        "ไม่พบ|ไม่มีหน้า",
        "ไม่พบ(?:หน้า|เพจ|ไฟล์|เนื้อหา|ข้อมูล)[^.!?]{0,60}",
    ),
    # Chinese, Japanese, Korean
    (
        "不存在|找不到|未找到|无法找到|無法找到|沒有找到|没有找到|已被?删除|已被?刪除",
        (
            "(?:(?:页面|頁面|网页|網頁|文件|檔案|地址|网址|網址|文章|内容|內容|帖子|主题|主題|资源|資源|商品|链接)[^。！？，,]{0,20}(?:不存在|找不到|未找到|无法找到|無法找到|已(?:经|經)?被?(?:删除|刪除))"
            "|(?:找不到|未找到|无法找到|無法找到|没有找到|沒有找到)[^。！？，,]{0,20}?(?:页面|頁面|网页|網頁|文件|檔案|网址|網址|地址|内容|內容))"
        ),
    ),
    (
        "見つかりません|見つかりませんでした|存在しません|見つけることができません",
        "(?:ページ|ファイル|記事|url|サイト|コンテンツ)[^。！？]{0,30}(?:見つかりません(?:でした)?|存在しません|見つけることができません(?:でした)?|存在しないか)",
    ),
    (
        "찾을 수 없|존재하지 않",
        r"(?:페이지|파일|문서|게시물|주소|글)\S*~(?:찾을 수 없\S*|존재하지 않\S*)",
    ),
)

# In titles only: that nothing was found, whatever was sought.
NOTHING: tuple[str, ...] = (
    "nothing (?:was |could be )?found",
    "no (?:results?|posts?|entries|articles|pages|products|records|matches)(?: were| was)? found",
    "nichts gefunden",
    "keine (?:ergebnisse|beitrage|artikel) gefunden",
    "aucun (?:resultat|article|contenu)(?: trouve)?",
    "rien (?:n'a ete )?trouve",
    "(?:nada|ningun resultado) encontrado",
    "no se (?:han encontrado|encontraron) resultados",
    "nenhum (?:resultado|artigo|post) encontrado",
    "nada (?:foi )?encontrado",
    "nessun (?:risultato|articolo)(?: trovato)?",
    "niets gevonden",
    "geen resultaten(?: gevonden)?",
    "ничего не наи?йдено",
    "nic nie znaleziono",
    "sonuc bulunamadi",
    "没有找到(?:相关)?(?:内容|结果)",
    "見つかりませんでした",
)

# Said on its own: the number and words around it, or nothing but "not found". `Page 404` is a page of a list.
_AROUND = (
    r"(?:error|errors|http|https|status|code|fehler|erreur|erro|errore|fout|fejl|feil|fel|virhe|blad|chyba|hiba|eroare|hata|ошибка"
    r"|помилка|грешка|σφαλμα|loi|エラー|错误|錯誤|오류|خطأ|خطا|oops|ooops|uh oh|whoops|sorry|ups|hoppla)"
)
_BEHIND = rf"(?:{_AROUND}|page|pagina|seite|gone)"
_NOT_FOUND = (
    r"(?:not found|nicht gefunden|non trouvee?|introuvable|no encontrad[ao]|nao encontrad[ao]|non trovat[ao]|niet gevonden|hittades inte"
    r"|ikke fundet|ikke funnet|nie znaleziono|nenalezeno|не наи?йден[ао]?|未找到|找不到|bulunamad[iı])"
)
_BETWEEN = r"[ :,!\-–—]*"
NUMBER_ALONE = rf"(?:{_AROUND}{_BETWEEN})*(?:404|410)(?:{_BETWEEN}{_BEHIND})*"
NOT_FOUND_ALONE = (
    rf"(?:{_AROUND}{_BETWEEN})*(?:(?:404|410){_BETWEEN})?(?:{_AROUND}{_BETWEEN})*{_NOT_FOUND}(?:{_BETWEEN}(?:404|410|{_AROUND}))*"
)
ALONE_STEMS = (
    *("404", "410", "not found", "nicht gefunden", "trouve", "introuvable", "encontrad", "trovat", "gevonden", "hittades inte"),
    *("ikke fun", "nie znaleziono", "nenalezeno", "не наиден", "未找到", "找不到", "bulunamad"),
)
