// Swedish.
#include "rag/text/languages/paper_words.h"

namespace mneme::rag::papers {

const PaperWords kSwedish = {
    .salutations = "hej, bästa, bäste, kära, käre, hejsan, god dag",
    .closings =
        "med vänliga hälsningar, vänliga hälsningar, med vänlig hälsning, vänlig hälsning, hälsningar, många "
        "hälsningar, hjärtliga hälsningar, mvh, kram, kramar, högaktningsfullt",
    .totals = "totalt, summa, att betala, totalsumma, summa att betala, totalbelopp, totalt att betala",
    .defects =
        "trasig, trasigt, trasiga, sönder, fel, defekt, skadad, skadat, skada, skador, sprucken, sprucket, spricka, "
        "sprickor, läcker, läckage, droppar, lös, löst, saknas, fastnar, fastnat, igensatt, stopp, blinkar, gnisslar, "
        "piper, luktar, rostig, rost, mögel, sliten, slitet, repa, repor, fläck, fläckar, fungerar inte, stänger inte, "
        "ramlar av, lossnar, utbränd",
};

}  // namespace mneme::rag::papers
