// Romanian.
#include "rag/text/languages/paper_words.h"

namespace mneme::rag::papers {

const PaperWords kRomanian = {
    .salutations = "dragă, draga, stimate, stimată, stimați, stimată doamnă, bună ziua, bună, salut, dragi",
    .closings =
        "cu stimă, cu respect, cu drag, cu salutări, salutări, toate cele bune, cu prietenie, te îmbrățișez, vă "
        "îmbrățișez, cu considerație",
    .totals = "total, total de plată, de plată, suma totală, total general, total factură, sumă de plată",
    .defects =
        "stricat, stricată, stricate, defect, defectă, defecte, defecțiune, deteriorat, deteriorată, spart, spartă, "
        "crăpat, crăpată, crăpătură, curge, picură, slăbit, slăbită, lipsește, lipsesc, blocat, blocată, înfundat, "
        "înfundată, pâlpâie, scârțâie, miroase, ruginit, ruginită, mucegai, uzat, uzată, rupt, ruptă, zgâriat, "
        "zgârietură, pată, pete, nu funcționează, nu mai, ars, arsă",
};

}  // namespace mneme::rag::papers
