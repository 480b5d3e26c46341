// Swedish.
#include "rag/text/languages/notes.h"

namespace mneme::rag::notes {

const NoteTexts kSwedish = {
    .digit_groups = "\u00a0",
    .not_said = "Dokumenten säger inget om det.",
    .parts_not_said = "Dokumenten säger inget om detta: {parts}",
    .rows_not_reckoned = "Rader citeras, inget räknas ut av dem",
    .rows_added_up = "Summerade rader: {n}",
    .rows_counted_once = "Rader som finns i flera dokument, räknade en gång: {n}",
    .payments_compared = "Jämförda betalningar: {n}",
    .payments_averaged = "Betalningar i genomsnittet: {n}",
    .bills_added_up = "Hopräknade räkningar: {n}",
    .no_payments = "varken tabeller eller räkningar nämner sådana betalningar",
    .only_quoted = "Endast citat: {why}",
    .no_such_source = "Svaret anger [{n}], som inte är någon källa",
    .listed_about = "{n} av {all} dokument som talar om det; `mneme search` hittar de andra",
    .listed_dated = "{n} av {all} dokument",
    .listed_tasks = "{n} av {all} uppgifter",
    .no_task_open = "Inget av detta är kvar att göra",
    .by_file_date = "”ändrat”: dokumentet anger inget datum, i stället står datumet då filen senast ändrades",
    .dated = "daterat {date}",
    .named = "enligt namnet {date}",
    .changed = "ändrat {date}",
    .taken_in = "tillagt {date}",
    .held = "{collection}: dokument: {documents}, avsnitt: {passages}, från {folders}.",
    .gist_read = "{n} av {all} avsnitt i {document} lästes: början, och andra med jämna mellanrum",
    .also_called = "Heter också så: {others}",
    .which_document = "Det är oklart vilket dokument som avses; ange dess titel eller fil",
    .no_page = "{document} har ingen sida {page}",
    .not_all_with = "Med ”{word}” svarar inget på hela frågan; i stället söktes ”{other}”",
    .no_passage_says = "Inget avsnitt säger ”{word}”; i stället söktes ”{other}”",
    .looked_for = "I stället söktes ”{other}”",
    .no_vectors =
        "Samlingen {collection} har ännu inga vektorer från {embedder}; tills de är klara söks bara efter ord; `mneme "
        "index` skapar dem genast",
    .not_reranked = "Inte omordnat av {by}: {why}",
    .no_date = "{filter} är inget datum (ÅÅÅÅ-MM-DD, ÅÅÅÅ-MM eller ÅÅÅÅ), så orden söktes",
    .no_filter = "{filter} anger inget att filtrera på, så orden söktes",
    .repeats_left_out = "Utelämnade avsnitt som nästan upprepar bättre: {n}",
    .no_match = "Inget dokument stämmer med {filters}",
    .either = " eller ",
    .no_match_of_all = "Inget dokument stämmer samtidigt med {filters}",
    .no_passage_of_match = "I de dokument som stämmer med {filters} passar inget avsnitt till dessa ord",
    .nothing_goes_with = "Inget passar till dessa ord; pröva andra.",
    .collection_empty = "Samlingen {collection} innehåller ännu inga dokument.",
    .nothing_indexed = "Inget dokument är inläst ännu; `mneme index MAPP` läser in dem.",
    .welcome = "Varsågod.",
    .greeting = "Hej! Vad vill du veta?",
    .caches_not_measured =
        "Den här modellens cachar är inte uppmätta ännu, så allt beräknades; `mneme model add FIL` mäter dem en gång",
    .being_tried_out = "Den här modellen provas just nu, så allt beräknades; senare svar börjar tidigare",
    .caches_differ =
        "Den här modellen svarar annorlunda från lagade cachar (KL {kl}, {percent} % av de troligaste tokens lika vid "
        "andelen {share}), så allt beräknas; --recompute R åsidosätter det",
    .goal_had_no_say = "Tidsmålet fick ingen verkan, eftersom allt beräknades",
    .ends_in_middle = "Svaret slutar mitt i: {why}",
    .still_thinking =
        "Modellen kom inte till något svar med de {n} tokens som den får tänka; ställ en snävare fråga, eller använd "
        "en modell som svarar genast",
    .turns_left_out = "Tidigare frågor och svar som inte fick plats och utelämnades: {n}",
    .passages_left_out = "{n} av {all} avsnitt fick inte plats i modellens kontext och utelämnades",
    .passage_cut = "Det första avsnittet kortades till {n} av {all} tokens för att få plats i modellens kontext",
    .cache_recomputed = "En sparad KV-cache gick inte att använda och beräknades på nytt: {why}",
};

}  // namespace mneme::rag::notes
