// Danish.
#include "rag/text/languages/paper_words.h"

namespace mneme::rag::papers {

const PaperWords kDanish = {
    .salutations = "kære, hej, goddag, til rette vedkommende",
    .closings =
        "med venlig hilsen, venlig hilsen, venlige hilsner, mange hilsner, hilsen, kærlig hilsen, de bedste hilsner, "
        "mvh, knus, kh",
    .totals = "i alt, total, samlet beløb, at betale, beløb i alt, til betaling, sum",
    .defects =
        "i stykker, ødelagt, defekt, fejl, mangel, mangler, beskadiget, skade, skader, revnet, revne, revner, utæt, "
        "lækker, drypper, løs, løst, sidder fast, tilstoppet, blinker, knirker, bipper, lugter, rusten, rust, skimmel, "
        "slidt, ridse, ridser, plet, pletter, virker ikke, lukker ikke, falder af, knækket, sprunget",
};

}  // namespace mneme::rag::papers
