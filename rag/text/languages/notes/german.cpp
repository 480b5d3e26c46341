// German.
#include "rag/text/languages/notes.h"

namespace mneme::rag::notes {

const NoteTexts kGerman = {
    .digit_groups = ".",
    .not_said = "Die Dokumente sagen dazu nichts.",
    .parts_not_said = "Dazu sagen die Dokumente nichts: {parts}",
    .rows_not_reckoned = "Zeilen werden angeführt, gerechnet wird damit nicht",
    .rows_added_up = "Zusammengezählte Zeilen: {n}",
    .rows_counted_once = "Zeilen, die in mehreren Dokumenten stehen, einmal gezählt: {n}",
    .payments_compared = "Verglichene Zahlungen: {n}",
    .payments_averaged = "Gemittelte Zahlungen: {n}",
    .bills_added_up = "Zusammengezählte Rechnungen: {n}",
    .no_payments = "weder Tabellen noch Rechnungen nennen solche Zahlungen",
    .only_quoted = "Nur Zitate: {why}",
    .no_such_source = "Die Antwort nennt [{n}], das ist keine Quelle",
    .listed_about = "{n} von {all} Dokumenten, die davon sprechen; `mneme search` findet die übrigen",
    .listed_dated = "{n} von {all} Dokumenten",
    .listed_tasks = "{n} von {all} Aufgaben",
    .no_task_open = "Davon ist nichts mehr offen",
    .by_file_date = "„geändert“: Das Dokument nennt kein Datum, dafür steht das der letzten Änderung der Datei",
    .dated = "vom {date}",
    .named = "laut Dateiname {date}",
    .changed = "geändert {date}",
    .taken_in = "aufgenommen {date}",
    .held = "{collection}: Dokumente: {documents}, Abschnitte: {passages}, aus {folders}.",
    .gist_read = "{n} der {all} Abschnitte von {document} wurden gelesen: der Anfang und weitere in gleichen Abständen",
    .also_called = "So heißen auch: {others}",
    .which_document = "Welches Dokument gemeint ist, ist nicht klar; nennen Sie seinen Titel oder seine Datei",
    .no_page = "{document} hat keine Seite {page}",
    .not_all_with = "Mit „{word}“ beantwortet nichts die ganze Frage; stattdessen wurde „{other}“ gesucht",
    .no_passage_says = "In keinem Abschnitt steht „{word}“; stattdessen wurde „{other}“ gesucht",
    .looked_for = "Stattdessen wurde „{other}“ gesucht",
    .no_vectors =
        "Zur Sammlung {collection} gibt es noch keine Vektoren des Embedders {embedder}; gesucht wurde nur nach "
        "Wörtern, bis sie erstellt sind; `mneme index` erstellt sie sofort",
    .not_reranked = "Von {by} nicht neu geordnet: {why}",
    .no_date = "{filter} ist kein Datum (JJJJ-MM-TT, JJJJ-MM oder JJJJ), deshalb wurde nach den Wörtern gesucht",
    .no_filter = "{filter} nennt nichts, wonach zu filtern wäre, deshalb wurde nach den Wörtern gesucht",
    .repeats_left_out = "Weggelassen, weil sie bessere Abschnitte fast wiederholen: {n}",
    .no_match = "Kein Dokument entspricht {filters}",
    .either = " oder ",
    .no_match_of_all = "Kein Dokument entspricht {filters} zugleich",
    .no_passage_of_match = "In den Dokumenten, die {filters} entsprechen, passt kein Abschnitt zu diesen Wörtern",
    .nothing_goes_with = "Zu diesen Wörtern passt nichts; versuchen Sie es mit anderen.",
    .collection_empty = "Die Sammlung {collection} enthält noch keine Dokumente.",
    .nothing_indexed = "Es ist noch kein Dokument eingelesen; `mneme index ORDNER` liest welche ein.",
    .welcome = "Gern geschehen.",
    .greeting = "Hallo! Was möchten Sie wissen?",
    .caches_not_measured =
        "Die Caches dieses Modells wurden noch nicht gemessen, deshalb wurde alles berechnet; `mneme model add DATEI` "
        "misst sie einmal",
    .being_tried_out =
        "Dieses Modell wird gerade erprobt, deshalb wurde alles berechnet; spätere Antworten beginnen früher",
    .caches_differ =
        "Dieses Modell antwortet aus ausgebesserten Caches anders (KL {kl}, {percent} % der wahrscheinlichsten Token "
        "gleich bei einem Anteil von {share}), deshalb wird alles berechnet; --recompute R übergeht das",
    .goal_had_no_say = "Das Zeitziel blieb ohne Wirkung, weil alles berechnet wurde",
    .ends_in_middle = "Die Antwort bricht mittendrin ab: {why}",
    .still_thinking =
        "Das Modell kam mit den {n} Token, die es nachdenken darf, zu keiner Antwort; fragen Sie enger, oder nehmen "
        "Sie ein Modell, das sofort antwortet",
    .turns_left_out = "Frühere Fragen und Antworten, die nicht hineinpassten und weggelassen wurden: {n}",
    .passages_left_out = "{n} von {all} Abschnitten passten nicht in den Kontext des Modells und wurden weggelassen",
    .passage_cut =
        "Der erste Abschnitt wurde auf {n} von {all} Token gekürzt, damit er in den Kontext des Modells passt",
    .cache_recomputed = "Ein gespeicherter KV-Cache war nicht zu gebrauchen und wurde neu berechnet: {why}",
};

}  // namespace mneme::rag::notes
