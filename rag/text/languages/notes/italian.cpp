// Italian.
#include "rag/text/languages/notes.h"

namespace mneme::rag::notes {

const NoteTexts kItalian = {
    .digit_groups = ".",
    .not_said = "I documenti non lo dicono.",
    .parts_not_said = "I documenti non lo dicono: {parts}",
    .rows_not_reckoned = "Si citano righe, non se ne calcola nulla",
    .rows_added_up = "Righe sommate: {n}",
    .rows_counted_once = "Righe presenti in più documenti, contate una volta: {n}",
    .payments_compared = "Pagamenti confrontati: {n}",
    .payments_averaged = "Pagamenti di cui è fatta la media: {n}",
    .bills_added_up = "Fatture sommate: {n}",
    .no_payments = "né tabelle né fatture riportano pagamenti di questo tipo",
    .only_quoted = "Solo citazioni: {why}",
    .no_such_source = "La risposta nomina [{n}], che non è una fonte",
    .listed_about = "{n} di {all} documenti che ne parlano; `mneme search` trova gli altri",
    .listed_dated = "{n} di {all} documenti",
    .listed_tasks = "{n} di {all} attività",
    .no_task_open = "Di queste non resta nulla da fare",
    .by_file_date =
        "«modificato»: il documento non indica una data, al suo posto c’è quella dell’ultima modifica del file",
    .dated = "con data {date}",
    .named = "secondo il nome {date}",
    .changed = "modificato {date}",
    .taken_in = "aggiunto {date}",
    .held = "{collection}: documenti: {documents}, brani: {passages}, da {folders}.",
    .gist_read = "Sono stati letti {n} dei {all} brani di {document}: l’inizio e altri a distanze uguali",
    .also_called = "Si chiamano così anche: {others}",
    .which_document = "Non è chiaro di quale documento si tratti; indichi il titolo o il file",
    .no_page = "{document} non ha una pagina {page}",
    .not_all_with = "Niente risponde a tutta la domanda con «{word}»; si è cercato «{other}»",
    .no_passage_says = "Nessun brano dice «{word}»; si è cercato «{other}»",
    .looked_for = "Si è cercato «{other}»",
    .no_vectors =
        "La raccolta {collection} non ha ancora vettori di {embedder}; intanto si cerca solo per parole; `mneme index` "
        "li crea subito",
    .not_reranked = "Non riordinato da {by}: {why}",
    .no_date = "{filter} non è una data (AAAA-MM-GG, AAAA-MM o AAAA), quindi è stato cercato come parole",
    .no_filter = "{filter} non indica nulla per cui filtrare, quindi è stato cercato come parole",
    .repeats_left_out = "Brani tralasciati perché ne ripetono quasi di migliori: {n}",
    .no_match = "Nessun documento corrisponde a {filters}",
    .either = " o a ",
    .no_match_of_all = "Nessun documento corrisponde insieme a {filters}",
    .no_passage_of_match = "Nei documenti che corrispondono a {filters} nessun brano va con queste parole",
    .nothing_goes_with = "Niente va con queste parole; ne provi altre.",
    .collection_empty = "La raccolta {collection} non contiene ancora documenti.",
    .nothing_indexed = "Nessun documento è ancora stato letto; `mneme index CARTELLA` ne aggiunge.",
    .welcome = "Prego.",
    .greeting = "Buongiorno! Che cosa vuole sapere?",
    .caches_not_measured =
        "Le cache di questo modello non sono ancora state misurate, quindi è stato calcolato tutto; `mneme model add "
        "FILE` le misura una volta",
    .being_tried_out =
        "Questo modello è in prova, quindi è stato calcolato tutto; le prossime risposte inizieranno prima",
    .caches_differ =
        "Questo modello risponde diversamente da cache riparate (KL {kl}, {percent} % dei token più probabili uguali "
        "con una quota di {share}), quindi si calcola tutto; --recompute R lo ignora",
    .goal_had_no_say = "L’obiettivo di tempo non ha avuto effetto, perché è stato calcolato tutto",
    .ends_in_middle = "La risposta si interrompe a metà: {why}",
    .still_thinking =
        "Il modello non è giunto a una risposta con i {n} token che può usare per pensare; faccia una domanda più "
        "ristretta o usi un modello che risponde subito",
    .turns_left_out = "Scambi precedenti tralasciati per mancanza di spazio: {n}",
    .passages_left_out = "{n} di {all} brani non entravano nel contesto del modello e sono stati tralasciati",
    .passage_cut = "Il primo brano è stato ridotto a {n} di {all} token perché entrasse nel contesto del modello",
    .cache_recomputed = "Una cache KV salvata non era utilizzabile ed è stata ricalcolata: {why}",
};

}  // namespace mneme::rag::notes
