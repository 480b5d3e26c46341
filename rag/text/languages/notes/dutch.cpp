// Dutch.
#include "rag/text/languages/notes.h"

namespace mneme::rag::notes {

const NoteTexts kDutch = {
    .digit_groups = ".",
    .not_said = "De documenten zeggen hier niets over.",
    .parts_not_said = "Hier zeggen de documenten niets over: {parts}",
    .rows_not_reckoned = "Er worden rijen aangehaald, er wordt niets mee berekend",
    .rows_added_up = "Opgetelde regels: {n}",
    .rows_counted_once = "Regels die in meerdere documenten staan, één keer geteld: {n}",
    .payments_compared = "Vergeleken betalingen: {n}",
    .payments_averaged = "Gemiddelde betalingen: {n}",
    .bills_added_up = "Opgetelde rekeningen: {n}",
    .no_payments = "tabellen noch rekeningen noemen zulke betalingen",
    .only_quoted = "Alleen citaten: {why}",
    .no_such_source = "Het antwoord noemt [{n}], dat is geen bron",
    .listed_about = "{n} van {all} documenten die erover spreken; `mneme search` vindt de andere",
    .listed_dated = "{n} van {all} documenten",
    .listed_tasks = "{n} van {all} taken",
    .no_task_open = "Hiervan staat niets meer open",
    .by_file_date =
        "“gewijzigd”: het document noemt geen datum, in plaats daarvan staat die van de laatste wijziging van het "
        "bestand",
    .dated = "van {date}",
    .named = "volgens de naam {date}",
    .changed = "gewijzigd {date}",
    .taken_in = "toegevoegd {date}",
    .held = "{collection}: documenten: {documents}, passages: {passages}, uit {folders}.",
    .gist_read = "{n} van de {all} passages van {document} zijn gelezen: het begin, en andere op gelijke afstanden",
    .also_called = "Zo heten ook: {others}",
    .which_document = "Het is niet duidelijk welk document bedoeld is; noem de titel of het bestand",
    .no_page = "{document} heeft geen pagina {page}",
    .not_all_with = "Met “{word}” beantwoordt niets de hele vraag; er is gezocht naar “{other}”",
    .no_passage_says = "In geen passage staat “{word}”; er is gezocht naar “{other}”",
    .looked_for = "Er is gezocht naar “{other}”",
    .no_vectors =
        "De verzameling {collection} heeft nog geen vectoren van {embedder}; tot ze er zijn wordt alleen op woorden "
        "gezocht; `mneme index` maakt ze meteen",
    .not_reranked = "Niet opnieuw geordend door {by}: {why}",
    .no_date = "{filter} is geen datum (JJJJ-MM-DD, JJJJ-MM of JJJJ), daarom is op de woorden gezocht",
    .no_filter = "{filter} noemt niets om op te filteren, daarom is op de woorden gezocht",
    .repeats_left_out = "Weggelaten omdat ze betere passages bijna herhalen: {n}",
    .no_match = "Geen document voldoet aan {filters}",
    .either = " of aan ",
    .no_match_of_all = "Geen document voldoet tegelijk aan {filters}",
    .no_passage_of_match = "In de documenten die aan {filters} voldoen past geen passage bij deze woorden",
    .nothing_goes_with = "Niets past bij deze woorden; probeer andere.",
    .collection_empty = "De verzameling {collection} bevat nog geen documenten.",
    .nothing_indexed = "Er is nog geen document ingelezen; `mneme index MAP` leest er een in.",
    .welcome = "Graag gedaan.",
    .greeting = "Hallo! Wat wilt u weten?",
    .caches_not_measured =
        "De caches van dit model zijn nog niet gemeten, daarom is alles berekend; `mneme model add BESTAND` meet ze "
        "één keer",
    .being_tried_out = "Dit model wordt nu uitgeprobeerd, daarom is alles berekend; latere antwoorden beginnen eerder",
    .caches_differ =
        "Dit model antwoordt anders uit herstelde caches (KL {kl}, {percent} % van de waarschijnlijkste tokens gelijk "
        "bij een deel van {share}), daarom wordt alles berekend; --recompute R gaat daaraan voorbij",
    .goal_had_no_say = "Het tijdsdoel had geen invloed, omdat alles berekend is",
    .ends_in_middle = "Het antwoord breekt halverwege af: {why}",
    .still_thinking =
        "Het model kwam met de {n} tokens die het mag nadenken tot geen antwoord; stel een engere vraag, of gebruik "
        "een model dat meteen antwoordt",
    .turns_left_out = "Eerdere beurten die niet pasten en zijn weggelaten: {n}",
    .passages_left_out = "{n} van {all} passages pasten niet in de context van het model en zijn weggelaten",
    .passage_cut = "De eerste passage is ingekort tot {n} van {all} tokens om in de context van het model te passen",
    .cache_recomputed = "Een opgeslagen KV-cache was onbruikbaar en is opnieuw berekend: {why}",
};

}  // namespace mneme::rag::notes
