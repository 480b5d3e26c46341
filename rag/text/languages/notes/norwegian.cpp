// Norwegian.
#include "rag/text/languages/notes.h"

namespace mneme::rag::notes {

const NoteTexts kNorwegian = {
    .digit_groups = "\u00a0",
    .not_said = "Dokumentene sier ikke noe om det.",
    .parts_not_said = "Dokumentene sier ikke noe om dette: {parts}",
    .rows_not_reckoned = "Rader siteres, det regnes ikke på dem",
    .rows_added_up = "Rader lagt sammen: {n}",
    .rows_counted_once = "Rader som står i flere dokumenter, talt én gang: {n}",
    .payments_compared = "Sammenlignede betalinger: {n}",
    .payments_averaged = "Betalinger i gjennomsnittet: {n}",
    .bills_added_up = "Sammenlagte regninger: {n}",
    .no_payments = "verken tabeller eller regninger nevner slike betalinger",
    .only_quoted = "Bare sitater: {why}",
    .no_such_source = "Svaret nevner [{n}], som ikke er en kilde",
    .listed_about = "{n} av {all} dokumenter som omtaler det; `mneme search` finner de andre",
    .listed_dated = "{n} av {all} dokumenter",
    .listed_tasks = "{n} av {all} oppgaver",
    .no_task_open = "Ingenting av dette gjenstår å gjøre",
    .by_file_date = "«endret»: dokumentet oppgir ingen dato, i stedet står datoen da filen sist ble endret",
    .dated = "datert {date}",
    .named = "ifølge navnet {date}",
    .changed = "endret {date}",
    .taken_in = "lagt til {date}",
    .held = "{collection}: dokumenter: {documents}, avsnitt: {passages}, fra {folders}.",
    .gist_read = "{n} av de {all} avsnittene i {document} ble lest: begynnelsen og andre med like mellomrom",
    .also_called = "Heter også det: {others}",
    .which_document = "Det er ikke klart hvilket dokument som menes; oppgi tittelen eller filen",
    .no_page = "{document} har ingen side {page}",
    .not_all_with = "Med «{word}» svarer ingenting på hele spørsmålet; det ble søkt etter «{other}» i stedet",
    .no_passage_says = "Ingen avsnitt nevner «{word}»; det ble søkt etter «{other}» i stedet",
    .looked_for = "Det ble søkt etter «{other}» i stedet",
    .no_vectors =
        "Samlingen {collection} har ennå ingen vektorer fra {embedder}; til de er klare, søkes det bare etter ord; "
        "`mneme index` lager dem med en gang",
    .not_reranked = "Ikke omordnet av {by}: {why}",
    .no_date = "{filter} er ingen dato (ÅÅÅÅ-MM-DD, ÅÅÅÅ-MM eller ÅÅÅÅ), så det ble søkt etter ordene",
    .no_filter = "{filter} oppgir ikke noe å filtrere etter, så det ble søkt etter ordene",
    .repeats_left_out = "Utelatte avsnitt som nesten gjentar bedre: {n}",
    .no_match = "Ingen dokumenter passer til {filters}",
    .either = " eller ",
    .no_match_of_all = "Ingen dokumenter passer samtidig til {filters}",
    .no_passage_of_match = "I dokumentene som passer til {filters}, passer ingen avsnitt til disse ordene",
    .nothing_goes_with = "Ingenting passer til disse ordene; prøv andre.",
    .collection_empty = "Samlingen {collection} inneholder ennå ingen dokumenter.",
    .nothing_indexed = "Ingen dokumenter er lest inn ennå; `mneme index MAPPE` leser dem inn.",
    .welcome = "Vær så god.",
    .greeting = "Hei! Hva vil du vite?",
    .caches_not_measured =
        "Hurtiglagrene til denne modellen er ikke målt ennå, så alt ble beregnet; `mneme model add FIL` måler dem én "
        "gang",
    .being_tried_out = "Denne modellen prøves ut akkurat nå, så alt ble beregnet; senere svar begynner tidligere",
    .caches_differ =
        "Denne modellen svarer annerledes fra reparerte hurtiglagre (KL {kl}, {percent} % av de mest sannsynlige "
        "tokenene like ved en andel på {share}), så alt beregnes; --recompute R overstyrer det",
    .goal_had_no_say = "Tidsmålet fikk ingen virkning, siden alt ble beregnet",
    .ends_in_middle = "Svaret slutter midt i: {why}",
    .still_thinking =
        "Modellen kom ikke fram til noe svar med de {n} tokenene den får tenke med; still et smalere spørsmål, eller "
        "bruk en modell som svarer med en gang",
    .turns_left_out = "Tidligere spørsmål og svar som det ikke var plass til: {n}",
    .passages_left_out = "{n} av {all} avsnitt fikk ikke plass i modellens kontekst og ble utelatt",
    .passage_cut = "Det første avsnittet ble kortet ned til {n} av {all} tokener for å få plass i modellens kontekst",
    .cache_recomputed = "Et lagret KV-hurtiglager kunne ikke brukes og ble beregnet på nytt: {why}",
};

}  // namespace mneme::rag::notes
