// Dutch.
#include "rag/text/languages/document_words.h"

namespace mneme::rag::documents {

const DocumentWords kDutch = {
    .kinds = {.document = {"document bestand stuk", "documenten bestanden stukken"},
              .text = {"tekst boek bladzijde pagina hoofdstuk", "teksten boeken pagina's"},
              .invoice = {"factuur rekening", "facturen rekeningen"},
              .receipt = {"bon kwitantie", "bonnen kwitanties"},
              .contract = {"contract overeenkomst", "contracten overeenkomsten"},
              .lease = {"huurcontract", "huurcontracten"},
              .licence = {"licentie", "licenties"},
              .letter = {"brief", "brieven"},
              .mail = {"mail email bericht", "mails emails berichten"},
              .report = {"rapport verslag", "rapporten verslagen"},
              .article = {"artikel", "artikelen"},
              .policy = {"polis", "polissen"},
              .certificate = {"certificaat", "certificaten"},
              .statement = {"afschrift", "afschriften"},
              .minutes = {"notulen"},
              .manual = {"handleiding", "handleidingen"},
              .offer = {"offerte aanbieding", "offertes aanbiedingen"},
              .note = {"notitie", "notities"},
              .recipe = {"recept", "recepten"},
              .form = {"formulier", "formulieren"},
              .presentation = {"presentatie", "presentaties"},
              .cv = {"cv"},
              .payslip = {"loonstrook loonstrookje", "loonstroken loonstrookjes"}},
    .own_kinds = "bon bonnen bericht berichten polis",
    .lead =
        "wat welke welk is zijn toon laat me mij zien vind open geef een lijst van alle alstublieft graag de het "
        "mijn ons onze in met",
    .closing = "alsjeblieft alstublieft zien",
    .articles = "de het een mijn ons onze",
    .joins = "van uit over voor aan met die dat in op zijn er heb ik de het",
    .of = "van",
    .asking = "wanneer wie hoe waarom waar wat welke",
    .newest = "nieuwste, meest recente, recentste",
    .oldest = "oudste",
    .last = "laatste",
    .told = "totaal bedrag nummer datum prijs saldo naam auteur titel pagina som huur salaris adres btw",
    .changed = "gewijzigd veranderd bewerkt geschreven opgeslagen aangepast gemaakt",
    .taken_in = "toegevoegd geïndexeerd geïmporteerd",
    .doing = "heb hebben ik we wij die zijn werden",
    .last_done = "laatst onlangs recent",
    .listing = "lijst toon geef alle",
    .how_many = "hoeveel",
    .have = "heb ik, hebben we, zijn er",
    .held = "hoeveel # heb ik, hoeveel # zijn er, welke # heb je, welke # zijn er, toon alle #",
    .which = "welke welk toon vind geef in",
    .telling = "noemen, noemt, vermelden, vermeldt, gaan over, gaat over, bevatten, bevat, spreken over, over",
    .where_mentioned = "waar wordt, waar worden",
    .mentioned = "genoemd vermeld",
    .finding = "vind, open, toon, laat zien, waar is, waar zijn, waar ligt",
    .writers =
        "wie heeft me over # geschreven, wie heeft mij over # geschreven, wie heeft ons over # geschreven, wie schreef "
        "me over #, wie schreef mij over #, wie schreef ons over #, wie heeft me geschreven over #, wie heeft mij "
        "geschreven over #, wie heeft ons geschreven over #, wie mailde me over #, wie heeft me gemaild over #, wie "
        "heeft me een brief gestuurd over #, wie heeft me geschreven, wie heeft ons geschreven",
    .gist =
        "waar gaat # over, waarover gaat #, vat # samen, samenvatting van #, samenvatting #, # samenvatting, wat staat "
        "er in #, wat staat in #",
    .around = "alsjeblieft alstublieft kun je kort een korte",
    .this_one = "dit dat het",
    .sections = "sectie artikel hoofdstuk paragraaf clausule lid",
    .annexes = "bijlage",
    .place_asking = "wat staat, wat zegt, wat regelt, wat is",
    .page = "bladzijde pagina",
    .showing = "toon lees staat zegt inhoud er",
    .ordinals = "eerste, tweede, derde, vierde, vijfde, zesde, zevende, achtste",
    .last_one = "laatste",
    .numbered = "nummer",
    .tasks = {.tasks = "taken, takenlijst, to do lijst, to dos, to do, todo lijst, todos, todo, actiepunten, checklist",
              .headings =
                  "actiepunten, to do, todo, todos, openstaande punten, nog te doen, openstaande taken, te doen",
              .open = "open openstaande openstaand resterende over nog onafgemaakte",
              .done = "gedaan klaar afgerond afgeronde voltooide voltooid afgevinkt afgehandeld",
              .all = "alle",
              .around = "al reeds te doen heb hebben moet moeten ik we wij er is zijn op mijn onze voor aan in",
              .asking_open = "wat moet ik nog doen, wat moet ik nog, wat moeten we nog, wat moet er nog gebeuren, wat "
                             "moet er nog, wat is er nog te doen, wat valt er nog te doen, wat heb ik nog te doen, wat "
                             "staat er nog open, wat is nog niet gedaan, nog te doen",
              .asking_done = "wat heb ik al gedaan, wat heb ik gedaan, wat heb ik al, wat heb ik afgerond, wat is er "
                             "al gedaan, wat is al gedaan, wat is er gedaan, wat hebben we gedaan"},
};

}  // namespace mneme::rag::documents
