// Polish.
#include "rag/text/languages/notes.h"

namespace mneme::rag::notes {

const NoteTexts kPolish = {
    .digit_groups = "\u00a0",
    .not_said = "Dokumenty o tym nie mówią.",
    .parts_not_said = "Dokumenty o tym nie mówią: {parts}",
    .rows_not_reckoned = "Wiersze są cytowane, nic nie jest z nich obliczane",
    .rows_added_up = "Zsumowane wiersze: {n}",
    .rows_counted_once = "Wiersze z kilku dokumentów, policzone raz: {n}",
    .payments_compared = "Porównane płatności: {n}",
    .payments_averaged = "Uśrednione płatności: {n}",
    .bills_added_up = "Zsumowane rachunki: {n}",
    .no_payments = "ani tabele, ani rachunki nie mówią o takich płatnościach",
    .only_quoted = "Tylko cytaty: {why}",
    .no_such_source = "Odpowiedź podaje [{n}], a to nie jest źródło",
    .listed_about = "Pokazane dokumenty, które o tym mówią: {n} z {all}; pozostałe znajdzie `mneme search`",
    .listed_dated = "Pokazane dokumenty: {n} z {all}",
    .listed_tasks = "Zadania: {n} z {all}",
    .no_task_open = "Nic z tego nie zostało do zrobienia",
    .by_file_date = "„zmieniony”: dokument nie podaje daty, zamiast niej jest data ostatniej zmiany pliku",
    .dated = "z dnia {date}",
    .named = "według nazwy {date}",
    .changed = "zmieniony {date}",
    .taken_in = "dodany {date}",
    .held = "{collection}: dokumenty: {documents}, fragmenty: {passages}, z {folders}.",
    .gist_read = "Przeczytane fragmenty dokumentu {document}: {n} z {all}, początek i dalsze w równych odstępach",
    .also_called = "Tak nazywają się też: {others}",
    .which_document = "Nie jest jasne, o który dokument chodzi; proszę podać jego tytuł lub plik",
    .no_page = "{document} nie ma strony {page}",
    .not_all_with = "Ze słowem „{word}” nic nie odpowiada na całe pytanie; szukano „{other}”",
    .no_passage_says = "W żadnym fragmencie nie ma „{word}”; szukano „{other}”",
    .looked_for = "Szukano „{other}”",
    .no_vectors =
        "Kolekcja {collection} nie ma jeszcze wektorów {embedder}; do czasu ich utworzenia szuka się tylko słów; "
        "`mneme index` tworzy je od razu",
    .not_reranked = "Bez zmiany kolejności przez {by}: {why}",
    .no_date = "{filter} nie jest datą (RRRR-MM-DD, RRRR-MM lub RRRR), więc szukano tych słów",
    .no_filter = "{filter} nie wskazuje, według czego filtrować, więc szukano tych słów",
    .repeats_left_out = "Fragmenty pominięte, bo prawie powtarzają lepsze: {n}",
    .no_match = "Żaden dokument nie spełnia {filters}",
    .either = " ani ",
    .no_match_of_all = "Żaden dokument nie spełnia naraz {filters}",
    .no_passage_of_match = "W dokumentach, które spełniają {filters}, żaden fragment nie pasuje do tych słów",
    .nothing_goes_with = "Nic nie pasuje do tych słów; proszę spróbować innych.",
    .collection_empty = "Kolekcja {collection} nie zawiera jeszcze dokumentów.",
    .nothing_indexed = "Nie wczytano jeszcze żadnego dokumentu; wczytuje je `mneme index FOLDER`.",
    .welcome = "Proszę bardzo.",
    .greeting = "Dzień dobry! Co chcą Państwo wiedzieć?",
    .caches_not_measured =
        "Pamięci podręcznych tego modelu jeszcze nie zmierzono, więc obliczono wszystko; `mneme model add PLIK` mierzy "
        "je raz",
    .being_tried_out =
        "Ten model jest właśnie wypróbowywany, więc obliczono wszystko; następne odpowiedzi zaczną się wcześniej",
    .caches_differ =
        "Ten model odpowiada inaczej z naprawionych pamięci podręcznych (KL {kl}, {percent} % najbardziej "
        "prawdopodobnych tokenów takich samych przy udziale {share}), więc wszystko jest obliczane; --recompute R to "
        "pomija",
    .goal_had_no_say = "Docelowy czas nie miał wpływu, bo obliczono wszystko",
    .ends_in_middle = "Odpowiedź urywa się w połowie: {why}",
    .still_thinking =
        "Model nie doszedł do odpowiedzi, choć mógł myśleć przez {n} tokenów; proszę zapytać węziej lub użyć modelu, "
        "który odpowiada od razu",
    .turns_left_out = "Wcześniejsze pytania i odpowiedzi pominięte z braku miejsca: {n}",
    .passages_left_out = "Fragmenty, które nie zmieściły się w kontekście modelu i zostały pominięte: {n} z {all}",
    .passage_cut = "Pierwszy fragment skrócono, by zmieścił się w kontekście modelu; pozostałe tokeny: {n} z {all}",
    .cache_recomputed = "Zapisanej pamięci podręcznej KV nie dało się użyć i obliczono ją ponownie: {why}",
};

}  // namespace mneme::rag::notes
