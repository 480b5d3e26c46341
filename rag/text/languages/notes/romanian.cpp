// Romanian.
#include "rag/text/languages/notes.h"

namespace mneme::rag::notes {

const NoteTexts kRomanian = {
    .digit_groups = ".",
    .not_said = "Documentele nu spun nimic despre asta.",
    .parts_not_said = "Documentele nu spun nimic despre asta: {parts}",
    .rows_not_reckoned = "Rândurile sunt citate, nu se calculează nimic din ele",
    .rows_added_up = "Rânduri adunate: {n}",
    .rows_counted_once = "Rânduri aflate în mai multe documente, numărate o dată: {n}",
    .payments_compared = "Plăți comparate: {n}",
    .payments_averaged = "Plăți din medie: {n}",
    .bills_added_up = "Facturi adunate: {n}",
    .no_payments = "nici tabelele, nici facturile nu vorbesc de asemenea plăți",
    .only_quoted = "Numai citate: {why}",
    .no_such_source = "Răspunsul numește [{n}], care nu este o sursă",
    .listed_about = "{n} din {all} documente care vorbesc despre asta; `mneme search` le găsește pe celelalte",
    .listed_dated = "{n} din {all} documente",
    .listed_tasks = "{n} din {all} sarcini",
    .no_task_open = "Nu a mai rămas nimic de făcut dintre acestea",
    .by_file_date =
        "„modificat”: documentul nu spune nicio dată, în locul ei stă cea a ultimei modificări a fișierului",
    .dated = "din {date}",
    .named = "după nume {date}",
    .changed = "modificat {date}",
    .taken_in = "adăugat {date}",
    .held = "{collection}: documente: {documents}, pasaje: {passages}, din {folders}.",
    .gist_read = "Au fost citite {n} din {all} pasaje din {document}: începutul și altele la distanțe egale",
    .also_called = "Se mai numesc așa: {others}",
    .which_document = "Nu este clar la ce document vă referiți; spuneți titlul sau fișierul",
    .no_page = "{document} nu are pagina {page}",
    .not_all_with = "Cu „{word}” nimic nu răspunde la toată întrebarea; s-a căutat „{other}”",
    .no_passage_says = "Niciun pasaj nu spune „{word}”; s-a căutat „{other}”",
    .looked_for = "S-a căutat „{other}”",
    .no_vectors =
        "Colecția {collection} nu are încă vectori de la {embedder}; până sunt gata se caută numai după cuvinte; "
        "`mneme index` îi face imediat",
    .not_reranked = "Fără reordonare de către {by}: {why}",
    .no_date = "{filter} nu este o dată (AAAA-LL-ZZ, AAAA-LL sau AAAA), așa că a fost căutat ca text",
    .no_filter = "{filter} nu spune după ce să se filtreze, așa că a fost căutat ca text",
    .repeats_left_out = "Pasaje omise fiindcă repetă aproape altele mai bune: {n}",
    .no_match = "Niciun document nu corespunde cu {filters}",
    .either = " sau cu ",
    .no_match_of_all = "Niciun document nu corespunde deodată cu {filters}",
    .no_passage_of_match = "În documentele care corespund cu {filters} niciun pasaj nu se potrivește cu aceste cuvinte",
    .nothing_goes_with = "Nimic nu se potrivește cu aceste cuvinte; încercați altele.",
    .collection_empty = "Colecția {collection} nu conține încă documente.",
    .nothing_indexed = "Nu a fost citit încă niciun document; `mneme index DOSAR` le citește.",
    .welcome = "Cu plăcere.",
    .greeting = "Bună ziua! Ce doriți să aflați?",
    .caches_not_measured =
        "Cache-urile acestui model nu au fost încă măsurate, așa că totul a fost calculat; `mneme model add FIȘIER` le "
        "măsoară o dată",
    .being_tried_out =
        "Acest model este încercat chiar acum, așa că totul a fost calculat; răspunsurile următoare vor începe mai "
        "devreme",
    .caches_differ =
        "Acest model răspunde altfel din cache-uri reparate (KL {kl}, {percent} % din cei mai probabili tokeni egali "
        "la o parte de {share}), așa că totul este calculat; --recompute R trece peste asta",
    .goal_had_no_say = "Ținta de timp nu a avut efect, fiindcă totul a fost calculat",
    .ends_in_middle = "Răspunsul se oprește la mijloc: {why}",
    .still_thinking =
        "Modelul nu a ajuns la un răspuns cu cei {n} tokeni pe care îi are pentru gândire; întrebați mai restrâns sau "
        "folosiți un model care răspunde imediat",
    .turns_left_out = "Schimburi anterioare omise din lipsă de loc: {n}",
    .passages_left_out = "{n} din {all} pasaje nu au încăput în contextul modelului și au fost omise",
    .passage_cut = "Primul pasaj a fost scurtat la {n} din {all} tokeni ca să încapă în contextul modelului",
    .cache_recomputed = "Un cache KV păstrat nu a putut fi folosit și a fost calculat din nou: {why}",
};

}  // namespace mneme::rag::notes
