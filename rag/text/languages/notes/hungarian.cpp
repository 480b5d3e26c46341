// Hungarian.
#include "rag/text/languages/notes.h"

namespace mneme::rag::notes {

const NoteTexts kHungarian = {
    .digit_groups = "\u00a0",
    .not_said = "A dokumentumok erről nem írnak.",
    .parts_not_said = "A dokumentumok erről nem írnak: {parts}",
    .rows_not_reckoned = "A sorok idézetek, számítás nem történik velük",
    .rows_added_up = "Összeadott sorok: {n}",
    .rows_counted_once = "Több dokumentumban is szereplő, egyszer számolt sorok: {n}",
    .payments_compared = "Összehasonlított kifizetések: {n}",
    .payments_averaged = "Átlagolt kifizetések: {n}",
    .bills_added_up = "Összeadott számlák: {n}",
    .no_payments = "sem táblázatok, sem számlák nem említenek ilyen kifizetést",
    .only_quoted = "Csak idézetek: {why}",
    .no_such_source = "A válaszban szereplő [{n}] nem forrás",
    .listed_about = "A {all} erről szóló dokumentumból {n}; a többit a `mneme search` találja meg",
    .listed_dated = "{all} dokumentumból {n}",
    .listed_tasks = "{all} feladatból {n}",
    .no_task_open = "Ezek közül már egyik sincs nyitva",
    .by_file_date = "„módosítva”: a dokumentum nem ad meg dátumot, helyette a fájl utolsó módosításának napja áll",
    .dated = "kelte {date}",
    .named = "a neve szerint {date}",
    .changed = "módosítva {date}",
    .taken_in = "felvéve {date}",
    .held = "{collection}: dokumentumok: {documents}, szakaszok: {passages}, innen: {folders}.",
    .gist_read = "Elolvasott szakaszok ({document}): {all} közül {n}, az eleje és egyenlő távolságban továbbiak",
    .also_called = "Ugyanígy hívják: {others}",
    .which_document = "Nem világos, melyik dokumentumról van szó; adja meg a címét vagy a fájlját",
    .no_page = "Ebben a dokumentumban nincs {page}. oldal: {document}",
    .not_all_with = "A „{word}” szóval semmi sem felel az egész kérdésre; helyette ezt kerestük: „{other}”",
    .no_passage_says = "A „{word}” szó egyetlen szakaszban sem szerepel; helyette ezt kerestük: „{other}”",
    .looked_for = "Helyette ezt kerestük: „{other}”",
    .no_vectors =
        "A(z) {collection} gyűjteménynek még nincsenek vektorai ({embedder}); amíg elkészülnek, csak szavak szerint "
        "keresünk; a `mneme index` azonnal elkészíti őket",
    .not_reranked = "Nincs újrarendezve ({by}): {why}",
    .no_date = "{filter} nem dátum (ÉÉÉÉ-HH-NN, ÉÉÉÉ-HH vagy ÉÉÉÉ), ezért a szavakat kerestük",
    .no_filter = "{filter} nem mondja meg, mire szűrjünk, ezért a szavakat kerestük",
    .repeats_left_out = "Kihagyott szakaszok, amelyek szinte megismétlik a jobbakat: {n}",
    .no_match = "Egyetlen dokumentum sem felel meg ennek: {filters}",
    .either = " vagy ",
    .no_match_of_all = "Egyetlen dokumentum sem felel meg ezeknek együtt: {filters}",
    .no_passage_of_match = "Az ennek megfelelő dokumentumokban egy szakasz sem illik e szavakhoz: {filters}",
    .nothing_goes_with = "Semmi sem illik ezekhez a szavakhoz; próbáljon másokat.",
    .collection_empty = "A(z) {collection} gyűjteményben még nincs dokumentum.",
    .nothing_indexed = "Még egy dokumentum sincs beolvasva; a `mneme index MAPPA` olvassa be őket.",
    .welcome = "Szívesen.",
    .greeting = "Jó napot! Mit szeretne tudni?",
    .caches_not_measured =
        "E modell gyorsítótárai még nincsenek megmérve, ezért minden ki lett számítva; a `mneme model add FÁJL` "
        "egyszer megméri őket",
    .being_tried_out =
        "Ez a modell éppen próba alatt áll, ezért minden ki lett számítva; a következő válaszok hamarabb kezdődnek",
    .caches_differ =
        "Ez a modell a javított gyorsítótárakból másképp felel (KL {kl}, a legvalószínűbb tokenek {percent} %-a azonos "
        "{share} arány mellett), ezért minden ki lesz számítva; a --recompute R ezt felülbírálja",
    .goal_had_no_say = "Az időcélnak nem volt hatása, mert minden ki lett számítva",
    .ends_in_middle = "A válasz a közepén megszakad: {why}",
    .still_thinking =
        "A modell a gondolkodásra engedett {n} tokennel nem jutott válaszra; kérdezzen szűkebben, vagy használjon "
        "azonnal felelő modellt",
    .turns_left_out = "Korábbi kérdések és válaszok, amelyek nem fértek el: {n}",
    .passages_left_out = "{all} szakaszból {n} nem fért a modell kontextusába, és kimaradt",
    .passage_cut = "Az első szakasz {all} tokenje helyett {n} maradt, hogy beférjen a modell kontextusába",
    .cache_recomputed = "Egy tárolt KV-gyorsítótár nem volt használható, és újra ki lett számítva: {why}",
};

}  // namespace mneme::rag::notes
