// German.
#include "rag/text/languages/document_words.h"

namespace mneme::rag::documents {

const DocumentWords kGerman = {
    .kinds = {.document = {"dokument datei unterlagen", "dokumente dokumenten dateien"},
              .text = {"text buch seite kapitel brief bericht artikel",
                       "texte texten bücher büchern seiten briefe berichte"},
              .invoice = {"rechnung", "rechnungen"},
              .receipt = {"quittung beleg", "quittungen belege belegen"},
              .contract = {"vertrag vertrags vertrages vereinbarung", "verträge verträgen vereinbarungen"},
              .lease = {"mietvertrag mietvertrags", "mietverträge mietverträgen"},
              .licence = {"lizenz", "lizenzen"},
              .letter = {"brief schreiben briefs", "briefe briefen"},
              .mail = {"mail email nachricht", "mails emails nachrichten"},
              .report = {"bericht berichts", "berichte berichten"},
              .article = {"artikel aufsatz", "aufsätze aufsätzen"},
              .policy = {"versicherungsschein police", "versicherungsscheine policen"},
              .certificate = {"bescheinigung zeugnis zertifikat", "bescheinigungen zeugnisse zertifikate"},
              .statement = {"kontoauszug auszug", "kontoauszüge auszüge"},
              .minutes = {"protokoll", "protokolle protokollen"},
              .manual = {"handbuch anleitung", "handbücher anleitungen"},
              .offer = {"angebot offerte", "angebote angeboten offerten"},
              .note = {"notiz", "notizen"},
              .recipe = {"rezept", "rezepte rezepten"},
              .form = {"formular", "formulare formularen"},
              .presentation = {"präsentation folien", "präsentationen"},
              .spreadsheet = {"tabelle", "tabellen"},
              .cv = {"lebenslauf", "lebensläufe"},
              .chat = {"gespräch", "gespräche gesprächen"},
              .notice = {"bescheid mitteilung", "bescheide mitteilungen"},
              .payslip = {"lohnabrechnung gehaltsabrechnung verdienstabrechnung",
                          "lohnabrechnungen gehaltsabrechnungen verdienstabrechnungen"},
              .prescription = {"befund", "befunde befunden"},
              .newsletter = {"rundbrief", "rundbriefe"}},
    .lead =
        "zeig zeige mir finde öffne bitte welche welcher welches welchen ist sind wo der die das den mein meine "
        "meinen unsere unser liste nenne alle einen was",
    .closing = "bitte",
    .articles = "der die das den dem des mein meine meinen",
    .joins = "sind ist von vom der des zu zum zur über für mit aus im an die dem den es gibt ich habe",
    .of = "von vom",
    .asking = "wann wer wie warum wo was welche welcher welches",
    .newest =
        "neueste, neuesten, neuester, neuestes, neuste, neusten, neuster, neustes, jüngste, jüngsten, jüngster, "
        "jüngstes, aktuellste, aktuellsten, aktuellster, aktuellstes",
    .oldest = "älteste, ältesten, ältester, ältestes, früheste, frühesten, frühester, frühestes",
    .last = "letzte letzten letzter letztes",
    .told = "summe betrag nummer datum preis stand titel saldo seite status version",
    .changed = "geändert bearbeitet geschrieben gespeichert aktualisiert erstellt verändert",
    .taken_in = "hinzugefügt indiziert importiert aufgenommen",
    .doing = "habe haben ich wir wurde wurden die",
    .last_done = "zuletzt kürzlich",
    .first_done = "zuerst",
    .listing = "liste zeig zeige alle",
    .how_many = "wie viele",
    .have = "habe ich, haben wir, gibt es",
    .held =
        "wie viele # gibt es, wie viele # habe ich, wie viele # hast du, wie viele # kennst du, welche # gibt es, "
        "welche # hast du, welche # kennst du, was ist indiziert, zeige alle #",
    .which = "welche welchen in zeig zeige finde nenne liste",
    .telling = "erwähnen, enthalten, handeln von, behandeln, sprechen von, sprechen über, gehen um, über, zu",
    .where_mentioned = "wo wird, wo werden",
    .mentioned = "erwähnt",
    .finding = "wo ist, wo finde ich, wo liegt, öffne, zeig mir, zeige mir, finde",
    .writers =
        "wer hat mir wegen # geschrieben, wer hat uns wegen # geschrieben, wer hat mir über # geschrieben, wer hat uns "
        "über # geschrieben, wer hat mir zu # geschrieben, wer hat uns zu # geschrieben, wer hat mir von # "
        "geschrieben, wer schrieb mir wegen #, wer schrieb mir über #, wer schrieb uns wegen #, wer schrieb uns über "
        "#, wer schreibt mir wegen #, wer hat mich wegen # angeschrieben, wer hat uns wegen # angeschrieben, wer hat "
        "sich wegen # gemeldet, wer hat mir eine mail wegen # geschickt, wer hat mir einen brief wegen # geschickt, "
        "wer hat mir einen brief über # geschickt, wer hat mir geschrieben, wer hat uns geschrieben, von wem ist der "
        "brief über #, von wem ist der brief wegen #, von wem kam der brief über #, von wem kam der brief wegen #",
    .gist =
        "worum geht es in #, worum geht s in #, worum geht es im #, um was geht es in #, um was geht es im #, wovon "
        "handelt #, fasse # zusammen, zusammenfassung von #, zusammenfassung des #, zusammenfassung der #, was steht "
        "in #, was steht im #, zusammenfassung #, # zusammenfassung, kurzfassung #, überblick #, inhaltsangabe #",
    .around = "bitte kurz mir eine kurze gib und kannst du in drei sätzen",
    .this_one = "es dies dieses diesem ihn sie",
    .sections = "abschnitt paragraf paragraph kapitel artikel ziffer punkt",
    .annexes = "anhang anlage",
    .place_asking = "was steht, was sagt, was regelt, worum geht es in, was ist in",
    .page = "seite seiten",
    .showing = "zeig zeige lies steht sagt inhalt bitte und mit in zusammen mehr noch",
    .ordinals =
        "erste ersten erstes erster, zweite zweiten zweites zweiter, dritte dritten drittes dritter, vierte vierten "
        "viertes, fünfte fünften fünftes, sechste sechsten sechstes, siebte siebten, achte achten",
    .last_one = "letzte letzten letztes letzter",
    .numbered = "nummer nr",
    .tasks =
        {.tasks = "aufgaben, aufgabenliste, to do liste, to dos, to do, todo liste, todos, todo, checkliste",
         .headings = "aufgaben bis zum nächsten treffen, to do, todo, todos, to dos, offene punkte, offene aufgaben, "
                     "noch zu tun, zu erledigen, noch zu erledigen",
         .open = "offen offene offenen unerledigt unerledigte unerledigten ausstehende ausstehenden übrig noch",
         .done = "erledigt erledigte erledigten fertig fertige fertigen abgeschlossen abgeschlossene abgeschlossenen "
                 "getan geschafft gemacht abgehakt",
         .all = "alle sämtliche",
         .around = "schon bereits erledigen machen tun zu es gibt habe haben muss müssen ich wir mir steht stehen auf "
                   "meiner meinen meine unsere an in im",
         .asking_open = "was muss ich noch, was müssen wir noch, was muss noch, was habe ich noch, was ist noch zu "
                        "tun, was gibt es noch zu tun, was ist noch zu erledigen, was ist noch offen, was steht noch "
                        "an, was steht noch aus, was fehlt noch, was bleibt zu tun, was ist zu tun, was ist zu "
                        "erledigen, noch zu tun, noch zu erledigen, was habe ich noch nicht",
         .asking_done =
             "was habe ich schon, was habe ich bereits, was haben wir schon, was haben wir bereits, was ist schon, was "
             "ist bereits, was ist erledigt, was habe ich erledigt, was habe ich geschafft, was haben wir geschafft"},
};

}  // namespace mneme::rag::documents
