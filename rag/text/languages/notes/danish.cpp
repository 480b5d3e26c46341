// Danish.
#include "rag/text/languages/notes.h"

namespace mneme::rag::notes {

const NoteTexts kDanish = {
    .digit_groups = ".",
    .not_said = "Dokumenterne siger ikke noget om det.",
    .parts_not_said = "Dokumenterne siger ikke noget om dette: {parts}",
    .rows_not_reckoned = "Rækker citeres, der regnes ikke på dem",
    .rows_added_up = "Rækker lagt sammen: {n}",
    .rows_counted_once = "Rækker, der står i flere dokumenter, talt én gang: {n}",
    .payments_compared = "Sammenlignede betalinger: {n}",
    .payments_averaged = "Betalinger i gennemsnittet: {n}",
    .bills_added_up = "Sammenlagte regninger: {n}",
    .no_payments = "hverken tabeller eller regninger nævner sådanne betalinger",
    .only_quoted = "Kun citater: {why}",
    .no_such_source = "Svaret nævner [{n}], som ikke er en kilde",
    .listed_about = "{n} af {all} dokumenter, der omtaler det; `mneme search` finder de andre",
    .listed_dated = "{n} af {all} dokumenter",
    .listed_tasks = "{n} af {all} opgaver",
    .no_task_open = "Intet af dette mangler at blive gjort",
    .by_file_date = "»ændret«: dokumentet angiver ingen dato, i stedet står datoen for filens seneste ændring",
    .dated = "dateret {date}",
    .named = "ifølge navnet {date}",
    .changed = "ændret {date}",
    .taken_in = "tilføjet {date}",
    .held = "{collection}: dokumenter: {documents}, afsnit: {passages}, fra {folders}.",
    .gist_read = "{n} af de {all} afsnit i {document} blev læst: begyndelsen og andre med lige store mellemrum",
    .also_called = "Hedder også sådan: {others}",
    .which_document = "Det er ikke klart, hvilket dokument der menes; angiv dets titel eller fil",
    .no_page = "{document} har ingen side {page}",
    .not_all_with = "Med »{word}« besvarer intet hele spørgsmålet; der blev søgt efter »{other}« i stedet",
    .no_passage_says = "Intet afsnit nævner »{word}«; der blev søgt efter »{other}« i stedet",
    .looked_for = "Der blev søgt efter »{other}« i stedet",
    .no_vectors =
        "Samlingen {collection} har endnu ingen vektorer fra {embedder}; indtil de er klar, søges der kun efter ord; "
        "`mneme index` laver dem med det samme",
    .not_reranked = "Ikke omordnet af {by}: {why}",
    .no_date = "{filter} er ikke en dato (ÅÅÅÅ-MM-DD, ÅÅÅÅ-MM eller ÅÅÅÅ), så der blev søgt efter ordene",
    .no_filter = "{filter} angiver ikke noget at filtrere efter, så der blev søgt efter ordene",
    .repeats_left_out = "Udeladte afsnit, der næsten gentager bedre: {n}",
    .no_match = "Intet dokument passer til {filters}",
    .either = " eller ",
    .no_match_of_all = "Intet dokument passer på én gang til {filters}",
    .no_passage_of_match = "I de dokumenter, der passer til {filters}, passer intet afsnit til disse ord",
    .nothing_goes_with = "Intet passer til disse ord; prøv andre.",
    .collection_empty = "Samlingen {collection} indeholder endnu ingen dokumenter.",
    .nothing_indexed = "Der er endnu ikke læst noget dokument ind; `mneme index MAPPE` læser dem ind.",
    .welcome = "Selv tak.",
    .greeting = "Hej! Hvad vil du gerne vide?",
    .caches_not_measured =
        "Denne models cacher er endnu ikke målt, så alt blev beregnet; `mneme model add FIL` måler dem én gang",
    .being_tried_out = "Denne model bliver netop afprøvet, så alt blev beregnet; senere svar begynder tidligere",
    .caches_differ =
        "Denne model svarer anderledes fra reparerede cacher (KL {kl}, {percent} % af de mest sandsynlige tokens ens "
        "ved en andel på {share}), så alt beregnes; --recompute R tilsidesætter det",
    .goal_had_no_say = "Tidsmålet fik ingen virkning, da alt blev beregnet",
    .ends_in_middle = "Svaret slutter midt i: {why}",
    .still_thinking =
        "Modellen kom ikke til noget svar med de {n} tokens, den må tænke; stil et snævrere spørgsmål, eller brug en "
        "model, der svarer med det samme",
    .turns_left_out = "Tidligere spørgsmål og svar, der ikke var plads til: {n}",
    .passages_left_out = "{n} af {all} afsnit kunne ikke være i modellens kontekst og blev udeladt",
    .passage_cut = "Det første afsnit blev forkortet til {n} af {all} tokens for at kunne være i modellens kontekst",
    .cache_recomputed = "En gemt KV-cache kunne ikke bruges og blev beregnet igen: {why}",
};

}  // namespace mneme::rag::notes
