// Italian.
#include "rag/text/languages/document_words.h"

namespace mneme::rag::documents {

const DocumentWords kItalian = {
    .kinds = {.document = {"documento file archivio", "documenti files archivi"},
              .text = {"testo libro pagina capitolo lettera", "testi libri pagine"},
              .invoice = {"fattura bolletta", "fatture bollette"},
              .receipt = {"ricevuta scontrino", "ricevute scontrini"},
              .contract = {"contratto accordo", "contratti accordi"},
              .licence = {"licenza", "licenze"},
              .letter = {"lettera", "lettere"},
              .mail = {"messaggio email mail", "messaggi"},
              .report = {"relazione rapporto", "relazioni rapporti"},
              .article = {"articolo", "articoli"},
              .policy = {"polizza", "polizze"},
              .certificate = {"certificato", "certificati"},
              .statement = {"estratto", "estratti"},
              .minutes = {"verbale", "verbali"},
              .manual = {"manuale", "manuali"},
              .offer = {"offerta preventivo", "offerte preventivi"},
              .note = {"nota appunto", "note appunti"},
              .recipe = {"ricetta", "ricette"},
              .form = {"modulo", "moduli"},
              .presentation = {"presentazione", "presentazioni"},
              .cv = {"curriculum"},
              .notice = {"avviso", "avvisi"}},
    .lead =
        "qual quale quali è sono mostrami mostra dammi trova apri elenca elencami per favore il lo la i gli le l mio "
        "mia miei mie nostro nostra tutti tutte tutto che di del dei delle in nei quanti fammi vedere fai",
    .closing = "per favore",
    .articles = "il lo la i gli le l un una mio mia miei mie del della dello",
    .joins =
        "di del della dei delle dello d da dal dalla il la lo l per su sulla sul a al con che in sono è ho risalgono",
    .of = "di del della dei d da dal dalla dalle",
    .asking = "quando chi come perché dove cosa quale",
    .newest = "più recente, più recenti, ultima, ultimo, ultime, ultimi, più nuova, più nuovo, più nuove, più nuovi",
    .oldest = "più vecchia, più vecchio, più vecchie, più vecchi, più antica, più antico, meno recente",
    .told =
        "totale importo numero data prezzo saldo nome autore titolo pagina pagine somma affitto stipendio indirizzo "
        "iva",
    .changed =
        "modificato modificati modificata modificate cambiato cambiati scritto scritti scritte salvato salvati "
        "creato creati create aggiornato aggiornati",
    .taken_in = "aggiunto aggiunti aggiunte importato importati indicizzato indicizzati",
    .doing = "ho abbiamo io che sono stati state",
    .last_done = "recentemente ultimamente",
    .listing = "elenca elencami mostra mostrami tutti tutte",
    .how_many = "quante, quanti",
    .have = "ho, abbiamo, ci sono",
    .held = "quanti # ho, quanti # ci sono, quali # hai, quali # ci sono, elenca tutti i #, mostra tutti i #",
    .which = "quali quale elenca mostra trova in",
    .telling =
        "menzionano, menziona, parlano di, parlano del, parlano della, parla di, parla del, parla della, "
        "contengono, contiene, trattano di, trattano del, citano, riguardano, su, sul, sulla, nominano",
    .where_mentioned = "dove è, dove sono, dove viene, dove si",
    .mentioned = "menzionato menzionata menzionati menzionate nominato nominata",
    .finding = "trova, apri, mostrami, mostra, dov è, dove è, dove sono",
    .writers =
        "chi mi ha scritto di #, chi mi ha scritto su #, chi mi ha scritto per #, chi mi ha scritto riguardo a #, chi "
        "mi ha scritto a proposito di #, chi ci ha scritto di #, chi ci ha scritto su #, chi ci ha scritto per #, chi "
        "mi ha scritto del #, chi mi ha scritto della #, chi mi ha scritto dell #, chi mi ha scritto dei #, chi mi ha "
        "scritto delle #, chi mi ha scritto degli #, chi ci ha scritto del #, chi ci ha scritto della #, chi ci ha "
        "scritto dell #, chi mi ha mandato una mail su #, chi mi ha mandato una lettera su #, chi mi ha scritto, chi "
        "ci ha scritto",
    .gist =
        "di cosa parla #, di cosa tratta #, di che parla #, riassumi #, riassunto di #, riassunto del #, riassunto "
        "della #, riassunto #, cosa dice #",
    .around = "per favore puoi un breve mi in",
    .this_one = "esso questo",
    .sections = "sezione articolo capitolo paragrafo clausola",
    .annexes = "allegato appendice",
    .place_asking = "cosa dice, cosa contiene, che dice, cosa c è",
    .page = "pagina",
    .showing = "leggi mostra dice contenuto contiene e poi cosa",
    .ordinals =
        "primo prima, secondo seconda, terzo terza, quarto quarta, quinto quinta, sesto sesta, settimo settima, ottavo "
        "ottava",
    .last_one = "ultimo ultima",
    .numbered = "numero",
    .tasks =
        {.tasks = "compiti, attività, cose da fare, lista delle cose da fare, elenco delle cose da fare, lista di cose "
                  "da fare, da fare, to do list, todo, todos",
         .headings = "da fare, cose da fare, ancora da fare, azioni, punti aperti, to do, todo",
         .open = "aperti aperte ancora rimaste rimanenti sospese sospeso resta restano incompiute",
         .done = "fatte finite completate concluse terminate fatto finito completato già svolte",
         .all = "tutte tutti",
         .around =
             "ho abbiamo devo dobbiamo mi mio mia miei mie nostra in per cosa che cos c è ci sono fare quali sono",
         .asking_open =
             "cosa mi resta da fare, cosa resta da fare, che cosa resta da fare, cosa devo ancora fare, cosa devo "
             "fare, che cosa devo fare, cosa dobbiamo fare, cosa dobbiamo ancora fare, cosa c è da fare, cosa c è "
             "ancora da fare, cosa rimane da fare, cosa manca da fare, cosa ho ancora da fare, cosa è ancora aperto",
         .asking_done = "cosa ho fatto, cosa ho già fatto, cosa ho finito, cosa ho già finito, cosa è stato fatto, "
                        "cosa è fatto, cosa abbiamo fatto"},
};

}  // namespace mneme::rag::documents
