// German.
#include "rag/text/languages/language_facts.h"

namespace mneme::rag::languages {

const LanguageFacts kGerman = {
    .language = Language::kGerman,
    .grammar =
        "der die das den dem des ein eine einer eines einem einen und oder ist sind war waren wird werden wurde im zu "
        "zum zur mit von vom auf fur nicht wie wer wo wann warum welche welcher welches sich auch aus bei nach ich er "
        "sie es wir ihr als dass dieser diese dieses hat haben tun tue tut mache machst macht machen wogegen womit "
        "wofur worauf woran worin wovon wodurch woraus mein meine meiner meinem meinen unser unsere unserer unserem "
        "unseren ihre ihren ihrem sein seine seinen muss mussen soll sollen darf durfen kann konnen hatte hatten "
        "wurden viel viele wieviel wieviele uber unter durch wenn weil dann noch nur schon sehr gibt beim ans ins mir "
        "mich uns wen wem wessen wohin woher wieso weshalb wozu kein keine keinen seit bis vor ohne welchem welchen "
        "habe hast habt bin bist seid wirst ware konnte konnten sollte sollten musste mussten mochte mochten wollen "
        "bedeutet passiert",
    .telling = "was gibts kannst du dir dich euch dein deine in am an kostet hoch lange oft heisst steht",
    .marked_letters = "äöüß",
    .notes = &notes::kGerman,
    .documents = &documents::kGerman,
    .papers = &papers::kGerman,
    .thanks = "danke, vielen dank, danke schön, ok danke, super, super danke, gut, alles klar",
    .greetings = "hallo, guten tag, guten morgen, guten abend",
    .numbers =
        "eins zwei drei vier funf sechs sieben acht neun zehn elf zwolf zwanzig dreissig hundert tausend einmal "
        "zweimal dreimal halbe halben",
    .months = {{{"januar", "jan janner"},
                {"februar", "feb"},
                {"marz", "mar"},
                {"april", "apr"},
                {"mai"},
                {"juni", "jun"},
                {"juli", "jul"},
                {"august", "aug"},
                {"september", "sep"},
                {"oktober", "okt"},
                {"november", "nov"},
                {"dezember", "dez"}}},
    .other_dates = "jahrhundert",
    .weekdays =
        "montag, dienstag, mittwoch, donnerstag, freitag, samstag, sonntag, montags, dienstags, mittwochs, "
        "donnerstags, freitags, samstags, sonntags, sonnabend, wochenende",
    .recurring_days = "werktag, monatsende, ende des monats, tag des monats, des monats",
    .time_units =
        "sekunde, sekunden, minuten, stunde, stunden, std, tag, tage, tagen, woche, wochen, monat, monate, monaten, "
        "jahr, jahre, jahren",
    .often =
        "alle, jede, jeden, jedes, jeder, einmal, zweimal, dreimal, mal, pro, taglich, wochentlich, monatlich, "
        "vierteljahrlich, halbjahrlich, jahrlich, regelmassig",
    .within = "innerhalb, binnen",
    .until = "bis, spatestens, fallig, innerhalb, binnen, frist, gultig",
    .asking_hour = "um wie viel uhr, um wieviel uhr, welche uhrzeit, welcher uhrzeit",
    .asking_deadline = "bis wann, bis zu welchem, bis spatestens wann, wann spatestens",
    .asking =
        {
            .date = "wann, wie viel uhr, wieviel uhr, welches datum, welchem datum, welchem tag, welcher tag, welches "
                    "jahr, "
                    "welchem jahr, welchem monat, welche uhrzeit, welcher uhrzeit",
            .number = "wie viel, wie viele, wieviel, wieviele, wie lange, welchen betrag, welcher betrag",
            .duration = "wie lange, wie lang",
            .frequency = "wie oft, wie haufig, welchen abstanden",
            .person = "wer, wem, wen, wessen",
            .place = "wo, wohin, woher",
            .reason = "warum, wieso, wozu, weshalb, weswegen",
            .manner = "wie",
            .steps = "was tun, was mache ich",
            .list = "zutaten, welche zutaten, was brauche ich, was brauchen, was soll ich mitbringen, was soll ich "
                    "mitnehmen, "
                    "was muss ich mitbringen, was muss ich mitnehmen, was kommt in, was gehort in, werkzeug, werkzeuge",
            .definition = "was ist, was sind, was bedeutet",
            .difference = "unterschied zwischen",
        },
    .sums = "miete gebühr gehalt lohn beitrag prämie kaution preis zuschlag selbstbeteiligung",
    .date_labels = "datum termin wann",
    .place_labels = "ort wo treffpunkt adresse anschrift",
    .takes_time = "dauert dauern läuft laufen laufzeit dauer gilt gelten gültig",
    .terms = "laufzeit dauer gilt",
    .free_of_charge =
        "frei fur, kostenlos, kostenlose, kostenloser, kostenlosen, kostenfrei, gebuhrenfrei, umsonst, inbegriffen, "
        "inklusive, entfallt, entfallen, wird nicht erhoben, werden nicht erhoben, nichts zu zahlen, auf meine kosten",
    .percent = "prozent",
    .rents = "miete mieten monatsmiete monatsmieten kaltmiete kaltmieten nettokaltmieten",
    .currencies = "franken, kronen",
    .price = {.asking = "was kostet, was kosten, was kostete, wie teuer",
              .how_much = "wie viel, wieviel",
              .words = "kostet kosten kostete gekostet zahle zahlen zahlt bezahlen bezahle bezahlt",
              .earning = "verdient verdiene verdienen",
              .reckoning =
                  "insgesamt, summe, durchschnitt, durchschnittlich, im schnitt, ausgegeben, wie viele zeilen"},
    .rules = {.asking_may = "darf, dürfen, kann ich, kann man, können wir, ist es erlaubt",
              .asking_must = "muss, müssen, brauche ich",
              .permits_closing = "erlaubt verboten gestattet zulässig untersagt",
              .may_rules = "kann, können, darf, dürfen, erlaubt, verboten, gestattet, untersagt, zulässig, "
                           "genehmigung, zustimmung, ausgeschlossen, nicht möglich",
              .must_rules = "muss, müssen, pflicht, notwendig, erforderlich, verpflichtet, nicht nötig, ist zu, sind "
                            "zu, nicht brauchen, braucht kein",
              .light_deeds = "halten haben nehmen benutzen nutzen mitnehmen mitbringen machen"},
    .asking_state =
        "was stimmt mit # nicht, was ist mit # los, was ist mit # nicht in ordnung, was ist mit # kaputt, was ist an # "
        "kaputt, was ist an # defekt, was ist in # kaputt, was ist in # defekt, was ist bei # kaputt, was fehlt # , "
        "was hat # für mängel, welche mängel hat #, welche mängel gibt es an #, welche schäden hat #, was funktioniert "
        "an # nicht, was funktioniert in # nicht, was funktioniert bei # nicht, was geht an # nicht, was geht in # "
        "nicht, was ist kaputt, was ist defekt, in welchem zustand ist #, was ist das problem mit #, was stimmt nicht "
        "mit #, was ist falsch mit #, was ist auf # kaputt",
    .payments = {.spent = "ausgegeben, insgesamt bezahlt, insgesamt gezahlt, summe der ausgaben, ausgaben insgesamt",
                 .received = "eingenommen, verdient, insgesamt erhalten, summe der einnahmen, einnahmen insgesamt",
                 .otherwise = "durchschnitt, durchschnittlich, im schnitt, am meisten, am wenigsten, das meiste",
                 .average = "durchschnitt, durchschnittlich, im schnitt, im durchschnitt, im mittel",
                 .weekly = "pro woche, in der woche, wöchentlich, jede woche",
                 .monthly = "pro monat, im monat, monatlich, jeden monat, je monat",
                 .yearly = "pro jahr, im jahr, jährlich, jedes jahr",
                 .most = "das meiste, am meisten, teuerste, teuersten, teuerster, teuerstes, größte, größten, größter, "
                         "höchste, höchsten, höchster",
                 .least =
                     "das wenigste, am wenigsten, billigste, günstigste, kleinste, kleinsten, niedrigste, niedrigsten",
                 .expenses = "ausgabe ausgaben einkauf einkäufe anschaffung zahlung zahlungen posten rechnung",
                 .paid = "bezahlt gezahlt ausgegeben gekauft zahlte",
                 .spending =
                     "gebe ich # aus, geben wir # aus, gab ich # aus, gaben wir # aus, gebe ich aus, geben wir aus",
                 .paying = "habe ich # gezahlt, habe ich # bezahlt, haben wir # gezahlt, haben wir # bezahlt, hab ich "
                           "# gezahlt, hab ich # bezahlt, ging an",
                 .paying_for = "für",
                 .amount_columns = "betrag summe gesamt preis kosten umsatz brutto soll ausgabe ausgaben",
                 .balance_columns = "saldo kontostand stand",
                 .received_columns = "haben eingang einnahme einnahmen gutschrift"},
    .periods =
        {
            .today = "heute",
            .yesterday = "gestern",
            .current = "diese diesen dieser diesem dieses",
            .past = "letzte letzten letzter letztem letztes vorige vorigen voriges",
            .days = "tag tage tagen",
            .weeks = "woche wochen",
            .months = "monat monate monaten monats",
            .years = "jahr jahre jahren jahres",
            .around = "in im am vom von aus der den des dem die",
            .since = "seit",
            .until = "vor bis",
            .after = "nach",
            .numbers = "ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf",
            .weekdays = "montag, dienstag, mittwoch, donnerstag, freitag, samstag sonnabend, sonntag",
        },
};

}  // namespace mneme::rag::languages
