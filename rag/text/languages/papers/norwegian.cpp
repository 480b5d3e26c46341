// Norwegian.
#include "rag/text/languages/paper_words.h"

namespace mneme::rag::papers {

const PaperWords kNorwegian = {
    .salutations = "kjære, hei, god dag, til den det måtte angå",
    .closings =
        "med vennlig hilsen, vennlig hilsen, vennlige hilsener, mange hilsener, hilsen, kjærlig hilsen, beste hilsen, "
        "mvh, klem, klemmer",
    .totals = "totalt, total, å betale, sum, beløp å betale, totalsum, til sammen",
    .defects =
        "i stykker, ødelagt, defekt, feil, mangel, mangler, skadet, skade, skader, sprukket, sprekk, sprekker, lekker, "
        "lekkasje, drypper, løs, løst, sitter fast, tett, tilstoppet, blinker, knirker, piper, lukter, rusten, rust, "
        "mugg, slitt, ripe, riper, flekk, flekker, virker ikke, lukker ikke, faller av, knekt",
};

}  // namespace mneme::rag::papers
