// Italian.
#include "rag/text/languages/language_facts.h"

namespace mneme::rag::languages {

const LanguageFacts kItalian = {
    .language = Language::kItalian,
    .grammar =
        "le la un il una o del con al lo gli uno di da che chi cosa come dove quando sono nel nella della delle dei "
        "no qual va vanno quanto quanta quanti quante perche mio mia miei mie nostro nostra suo sua ho hai hanno "
        "abbiamo devo deve dobbiamo posso puo alla allo alle agli dal dalla dello degli negli nelle sul sulla ogni "
        "cui dell nell dall sull avere essere possiamo significa",
    .own_grammar =
        "tempo faccio fare fanno i nei e sta per senza su quale quali si mi ci non più ha è era erano c ai agli coi "
        "fra tra anche ma se quello questa questo quest tutto ne ti vi lei lui noi loro suoi nostri sua fa serve "
        "servono bisogna occorre vuole ammonta ammontano chiama",
    .telling = "costa",
    .marked_letters = "àèéìòù",
    .notes = &notes::kItalian,
    .documents = &documents::kItalian,
    .papers = &papers::kItalian,
    .thanks = "grazie, grazie mille, perfetto, va bene",
    .greetings = "ciao, buongiorno, buonasera",
    .numbers = "quattro cinque sette nove dieci dodici quindici venti trenta due tre sei otto",
    .months = {{{"gennaio"},
                {"febbraio"},
                {"marzo"},
                {"aprile"},
                {"maggio"},
                {"giugno"},
                {"luglio"},
                {"agosto"},
                {"settembre"},
                {"ottobre"},
                {"novembre"},
                {"dicembre"}}},
    .weekdays = "lunedi, martedi, mercoledi, giovedi, venerdi, sabato, domenica",
    .recurring_days = "di ogni mese, fine mese",
    .time_units = "secondi, minuti, ora, ore, giorno, giorni, settimana, settimane, mese, mesi, anno, anni",
    .often = "ogni, volta, volte, giornaliero, settimanale, mensile, annuale",
    .within = "entro",
    .until = "durante, valido, entro, fino, scade, scadenza",
    .asking_hour = "che ora",
    .asking_deadline = "entro quando, fino a quando, entro che",
    .asking =
        {
            .date = "quando, che ora, che giorno, quale giorno, che data, quale data, che anno, quale anno, quale mese",
            .number = "quanto, quanta, quanti, quante, che prezzo, che importo",
            .duration = "quanto tempo, quanto dura, quanto durano",
            .frequency = "ogni quanto, ogni quanti, ogni quante, che frequenza, quante volte al, quante volte a",
            .person = "^chi, di chi, a chi, da chi, con chi, per chi",
            .place = "^dove, dov e, da dove",
            .reason = "^perche",
            .manner = "^come",
            .steps = "cosa fare, cosa faccio",
            .list = "ingredienti, cosa serve, cosa bisogna portare, cosa devo portare, cosa devono portare",
            .definition = "cosa significa, cos e, cosa e",
            .difference = "differenza tra, differenza fra",
        },
    .own_asking = {.number = "quant è, a quanto, qual è l importo, a che temperatura",
                   .list = "cosa portare, che cosa portare, cosa dobbiamo portare, che cosa serve",
                   .definition = "che cosa significa, che significa"},
    .areas = "superficie mq metratura",
    .heat = "gradi temperatura",
    .values = "importo ammontare somma",
    .sums = "affitto canone cauzione deposito franchigia premio stipendio",
    .date_labels = "data quando",
    .place_labels = "luogo indirizzo dove",
    .lasting = "dura valida valido valgono",
    .free_of_charge = "gratuito, gratuita, gratuiti, incluso, inclusa, niente da pagare, a mio carico",
    .percent = "per cento",
    .rents = "affitto mensilita",
    .price = {.asking = "quanto costa, quanto costano, quanto è costato",
              .how_much = "quanto",
              .words = "costa costano costato pagare paghiamo",
              .earning = "guadagna",
              .reckoning = "in totale, somma, speso"},
    .rules = {.asking_may = "posso, possiamo, si può, si possono, è permesso, è vietato",
              .asking_must = "devo, dobbiamo, bisogna",
              .permits = "permesso permessi vietato vietati consentito",
              .may_rules = "può, possono, vietato, vietati, vietata, permesso, permessi, consentito, ammesso, ammessi, "
                           "autorizzazione",
              .must_rules = "deve, devono, obbligatorio, bisogna, occorre",
              .light_deeds = "avere tenere usare portare"},
    .talk = {.continuing = "e ed ma", .pronouns = "lui lei esso essa essi esse"},
    .families =
        "inizia iniziato inizio comincia decorre decorrenza, finisce termina termine scade scadenza, torna tornano "
        "ritorno rientro, comunica comunicare comunicazione, rotto guasto guasti rompe, recesso recedere disdetta, "
        "ripara riparazione riparazioni riparare",
    .synonyms =
        "affitto canone, mese mensile mensili mensilmente, anno annuo annua annuale, cuocere cottura, gradi "
        "temperatura, cane cani animali, gatto gatti animali, metri mq superficie, preside direttore dirigente",
    .asking_state =
        "cosa non va con #, cosa non va nella #, cosa non va nel #, cosa non va in #, che cosa non va con #, che cosa "
        "ha #, cosa ha #, cosa c è che non va con #, cosa è rotto in #, cosa è rotto nella #, cosa è rotto nel #, cosa "
        "è rotto, cosa non funziona in #, cosa non funziona nella #, cosa non funziona nel #, che difetti ha #, in che "
        "stato è #, qual è il problema con #",
    .payments = {.spent = "speso, pagato in totale, spese totali, totale delle spese, somma delle spese",
                 .received = "guadagnato, incassato, totale delle entrate, entrate totali",
                 .otherwise = "media, di più, di meno",
                 .average = "in media, media, mediamente",
                 .weekly = "alla settimana, a settimana, ogni settimana, settimanalmente",
                 .monthly = "al mese, ogni mese, mensilmente, per mese",
                 .yearly = "all'anno, ogni anno, annualmente, per anno",
                 .most = "di più, più caro, più cara, maggiore, più alta, più alto, più grande, il massimo",
                 .least = "di meno, meno caro, meno cara, minore, più bassa, più basso, il minimo",
                 .expenses = "spesa spese acquisto acquisti pagamento pagamenti bolletta uscita",
                 .paid = "pagato speso comprato",
                 .spending = "spendo, spendiamo",
                 .paying = "ho pagato, abbiamo pagato",
                 .paying_for = "per",
                 .amount_columns = "importo somma totale prezzo costo addebito uscita uscite dare",
                 .balance_columns = "saldo",
                 .received_columns = "accredito entrata entrate avere"},
    .periods =
        {
            .today = "oggi",
            .yesterday = "ieri",
            .current = "questo questa quest",
            .past = "scorso scorsa passato passata ultimo ultima ultimi ultime",
            .days = "giorno giorni",
            .weeks = "settimana settimane",
            .months = "mese mesi",
            .years = "anno anni",
            .around = "di del dell della dei in nel nell nella il la l gli le durante",
            .since = "da dal dalla",
            .until = "prima fino entro",
            .after = "dopo",
            .numbers = "uno due tre quattro cinque sei sette otto nove dieci undici dodici",
            .weekdays = "lunedì, martedì, mercoledì, giovedì, venerdì, sabato, domenica",
        },
};

}  // namespace mneme::rag::languages
