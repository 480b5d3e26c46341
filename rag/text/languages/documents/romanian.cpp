// Romanian.
#include "rag/text/languages/document_words.h"

namespace mneme::rag::documents {

const DocumentWords kRomanian = {
    .kinds = {.document = {"document documentul fișier fișierul", "documente documentele fișiere fișierele"},
              .text = {"text carte cartea pagina capitol", "texte cărți pagini"},
              .invoice = {"factură factura", "facturi facturile"},
              .receipt = {"chitanță chitanța bon bonul", "chitanțe chitanțele bonuri bonurile"},
              .contract = {"contract contractul acord acordul", "contracte contractele acorduri"},
              .letter = {"scrisoare scrisoarea", "scrisori scrisorile"},
              .mail = {"mesaj mesajul email", "mesaje mesajele emailuri"},
              .report = {"raport raportul", "rapoarte rapoartele"},
              .article = {"articol articolul", "articole articolele"},
              .policy = {"poliță polița", "polițe polițele"},
              .certificate = {"certificat certificatul adeverință", "certificate certificatele adeverințe"},
              .statement = {"extras extrasul", "extrase extrasele"},
              .minutes = {"proces-verbal"},
              .manual = {"manual manualul ghid", "manuale ghiduri"},
              .offer = {"ofertă oferta", "oferte ofertele"},
              .note = {"notă nota notiță", "note notele notițe notițele"},
              .recipe = {"rețetă rețeta", "rețete rețetele"},
              .form = {"formular formularul", "formulare formularele"},
              .presentation = {"prezentare prezentarea", "prezentări"}},
    .own_kinds = "extras carte cartea bon bonul note notă nota",
    .lead =
        "care ce este sunt e arată arată-mi mi găsește deschide dă listează afișează te rog toate toți mea meu mele "
        "mei noastră nostru în din",
    .closing = "rog",
    .articles = "un o mea meu mele mei",
    .joins = "de din la despre pentru cu care în sunt este am de-la mea meu mele",
    .of = "de la din",
    .asking = "când cine cum unde ce care",
    .newest =
        "ultima, ultimul, ultimele, ultimii, cea mai nouă, cel mai nou, cele mai noi, cea mai recentă, cel mai "
        "recent, cele mai recente",
    .oldest = "cea mai veche, cel mai vechi, cele mai vechi, prima",
    .told = "total sumă număr dată preț sold nume autor titlu pagină chirie salariu adresă tva",
    .changed = "modificat modificate schimbat schimbate editat editate scris scrise salvat salvate creat create",
    .taken_in = "adăugat adăugate importat importate",
    .doing = "am eu noi care au fost",
    .last_done = "recent ultima",
    .listing = "listează arată afișează toate",
    .how_many = "câte, câți",
    .have = "am, avem, există, sunt, am eu",
    .held = "câte # am, câte # există, ce # ai, ce # există, listează toate #, arată toate #",
    .which = "care ce listează arată găsește în",
    .telling = "menționează, vorbesc despre, vorbește despre, conțin, conține, tratează, despre, pomenesc",
    .where_mentioned = "unde este, unde sunt, unde se",
    .mentioned = "menționat menționată menționează",
    .finding = "găsește, deschide, arată mi, arată, unde este, unde e",
    .writers =
        "cine mi a scris despre #, cine mi a scris în legătură cu #, cine ne a scris despre #, cine ne a scris în "
        "legătură cu #, cine mi a scris pentru #, cine mi a scris, cine ne a scris",
    .gist = "despre ce este #, despre ce e #, despre ce vorbește #, rezumă #, rezumatul #, rezumat #, ce scrie în #",
    .around = "te rog pe scurt",
    .this_one = "asta aceasta",
    .sections = "secțiunea capitolul articolul paragraful clauza punctul",
    .annexes = "anexa",
    .place_asking = "ce spune, ce scrie, ce conține, ce este în",
    .page = "pagina",
    .showing = "arată citește scrie spune conține",
    .ordinals = "primul prima, al-doilea doua, treia treilea, patra patrulea, cincea cincilea",
    .last_one = "ultimul ultima",
    .numbered = "numărul",
    .tasks = {.tasks = "sarcini, sarcinile, lista de sarcini, treburi, lucruri de făcut, de făcut, todo, to do",
              .headings = "de făcut, sarcini, puncte deschise, todo, to do",
              .open = "deschise rămase neterminate restante rămas mai încă",
              .done = "terminate făcute finalizate încheiate făcut terminat gata deja",
              .all = "toate",
              .around = "am avem trebuie să ce care sunt este mele mea pe în la pentru fac facem",
              .asking_open =
                  "ce mai am de făcut, ce am de făcut, ce a mai rămas de făcut, ce a rămas de făcut, ce mai trebuie să "
                  "fac, ce trebuie să fac, ce mai trebuie făcut, ce trebuie făcut, ce mai este de făcut",
              .asking_done = "ce am făcut, ce am terminat, ce am făcut deja, ce este gata, ce s a făcut"},
};

}  // namespace mneme::rag::documents
