// Czech.
#include "rag/text/languages/notes.h"

namespace mneme::rag::notes {

const NoteTexts kCzech = {
    .digit_groups = "\u00a0",
    .not_said = "Dokumenty o tom nic neříkají.",
    .parts_not_said = "Dokumenty o tom nic neříkají: {parts}",
    .rows_not_reckoned = "Řádky se citují, nic se z nich nepočítá",
    .rows_added_up = "Sečtené řádky: {n}",
    .rows_counted_once = "Řádky, které jsou ve více dokumentech, započtené jednou: {n}",
    .payments_compared = "Porovnané platby: {n}",
    .payments_averaged = "Zprůměrované platby: {n}",
    .bills_added_up = "Sečtené účty: {n}",
    .no_payments = "tabulky ani účty o takových platbách nemluví",
    .only_quoted = "Jen citace: {why}",
    .no_such_source = "Odpověď uvádí [{n}], a to není žádný zdroj",
    .listed_about = "Zobrazené dokumenty, které o tom mluví: {n} z {all}; ostatní najde `mneme search`",
    .listed_dated = "Zobrazené dokumenty: {n} z {all}",
    .listed_tasks = "Úkoly: {n} z {all}",
    .no_task_open = "Nic z toho už nezbývá udělat",
    .by_file_date = "„změněno“: dokument neuvádí datum, místo něj je datum poslední změny souboru",
    .dated = "ze dne {date}",
    .named = "podle názvu {date}",
    .changed = "změněno {date}",
    .taken_in = "přidáno {date}",
    .held = "{collection}: dokumenty: {documents}, úryvky: {passages}, z {folders}.",
    .gist_read = "Přečtené úryvky dokumentu {document}: {n} z {all}, začátek a další ve stejných odstupech",
    .also_called = "Stejně se jmenují: {others}",
    .which_document = "Není jasné, který dokument je míněn; uveďte jeho název nebo soubor",
    .no_page = "{document} nemá stranu {page}",
    .not_all_with = "Se slovem „{word}“ nic neodpovídá na celou otázku; místo něj se hledalo „{other}“",
    .no_passage_says = "V žádném úryvku není „{word}“; místo toho se hledalo „{other}“",
    .looked_for = "Místo toho se hledalo „{other}“",
    .no_vectors =
        "Sbírka {collection} ještě nemá vektory {embedder}; než vzniknou, hledá se jen podle slov; `mneme index` je "
        "vytvoří hned",
    .not_reranked = "Pořadí neupraveno ({by}): {why}",
    .no_date = "{filter} není datum (RRRR-MM-DD, RRRR-MM nebo RRRR), proto se hledala tato slova",
    .no_filter = "{filter} neuvádí, podle čeho filtrovat, proto se hledala tato slova",
    .repeats_left_out = "Vynechané úryvky, které téměř opakují lepší: {n}",
    .no_match = "Žádný dokument nevyhovuje {filters}",
    .either = " ani ",
    .no_match_of_all = "Žádný dokument nevyhovuje zároveň {filters}",
    .no_passage_of_match = "V dokumentech, které vyhovují {filters}, žádný úryvek neodpovídá těmto slovům",
    .nothing_goes_with = "Těmto slovům nic neodpovídá; zkuste jiná.",
    .collection_empty = "Sbírka {collection} zatím neobsahuje žádné dokumenty.",
    .nothing_indexed = "Zatím není načten žádný dokument; načte je `mneme index SLOŽKA`.",
    .welcome = "Není zač.",
    .greeting = "Dobrý den! Co chcete vědět?",
    .caches_not_measured =
        "Mezipaměti tohoto modelu ještě nejsou změřeny, proto se vše spočítalo; `mneme model add SOUBOR` je jednou "
        "změří",
    .being_tried_out = "Tento model se právě zkouší, proto se vše spočítalo; další odpovědi začnou dříve",
    .caches_differ =
        "Z opravených mezipamětí odpovídá tento model jinak (KL {kl}, {percent} % nejpravděpodobnějších tokenů "
        "shodných při podílu {share}), proto se vše počítá; --recompute R to přebije",
    .goal_had_no_say = "Časový cíl neměl vliv, protože se vše počítalo",
    .ends_in_middle = "Odpověď uprostřed končí: {why}",
    .still_thinking =
        "Model nedospěl k odpovědi, i když směl přemýšlet po {n} tokenů; zeptejte se úžeji nebo použijte model, který "
        "odpovídá hned",
    .turns_left_out = "Dřívější otázky a odpovědi vynechané pro nedostatek místa: {n}",
    .passages_left_out = "Úryvky, které se nevešly do kontextu modelu a byly vynechány: {n} z {all}",
    .passage_cut = "První úryvek byl zkrácen, aby se vešel do kontextu modelu; zbylo tokenů: {n} z {all}",
    .cache_recomputed = "Uložená mezipaměť KV se nedala použít a byla spočítána znovu: {why}",
};

}  // namespace mneme::rag::notes
