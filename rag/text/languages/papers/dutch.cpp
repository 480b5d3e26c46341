// Dutch.
#include "rag/text/languages/paper_words.h"

namespace mneme::rag::papers {

const PaperWords kDutch = {
    .salutations = "beste, geachte, lieve, hallo, hoi, goedendag, goedemorgen, weledele",
    .closings =
        "met vriendelijke groet, met vriendelijke groeten, vriendelijke groet, vriendelijke groeten, hartelijke groet, "
        "hartelijke groeten, groetjes, groeten, groet, hoogachtend, met hartelijke groet, veel liefs, liefs, kusjes",
    .totals = "totaal, totaalbedrag, te betalen, totaal te betalen, factuurbedrag, eindbedrag, totaal incl btw",
    .defects =
        "kapot, defect, defecte, gebrek, gebreken, beschadigd, schade, gebroken, gebarsten, barst, barsten, scheur, "
        "lekt, lek, lekkage, druppelt, los, ontbreekt, ontbreken, klemt, vast, verstopt, knippert, piept, kraakt, "
        "wiebelt, stinkt, roest, roestig, schimmel, versleten, gescheurd, kras, krassen, vlek, vlekken, niet meer, "
        "doet het niet, werkt niet, sluit niet, valt eraf, doorgebrand, lekke",
};

}  // namespace mneme::rag::papers
