// Italian.
#include "rag/text/languages/paper_words.h"

namespace mneme::rag::papers {

const PaperWords kItalian = {
    .salutations =
        "caro, cara, cari, care, carissimo, carissima, gentile, gentili, egregio, egregia, spettabile, buongiorno, "
        "ciao, salve",
    .closings =
        "cordiali saluti, distinti saluti, un cordiale saluto, cordialmente, saluti, un saluto, un abbraccio, un caro "
        "saluto, tanti saluti, baci, con affetto, con stima, in fede, i migliori saluti",
    .totals =
        "totale, totale da pagare, importo totale, totale fattura, importo da pagare, totale complessivo, totale euro, "
        "totale documento, netto a pagare",
    .defects =
        "rotto, rotta, rotti, rotte, guasto, guasta, difettoso, difettosa, difetto, difetti, danneggiato, danneggiata, "
        "danno, danni, crepa, crepe, crepato, perde, perdita, gocciola, allentato, allentata, manca, mancano, "
        "bloccato, bloccata, intasato, intasata, lampeggia, cigola, puzza, arrugginito, arrugginita, muffa, consumato, "
        "consumata, strappato, graffio, graffi, graffiato, macchia, macchie, non funziona, non più, si stacca, "
        "fulminata, forato, forata, rumore",
};

}  // namespace mneme::rag::papers
