// Hungarian.
#include "rag/text/languages/paper_words.h"

namespace mneme::rag::papers {

const PaperWords kHungarian = {
    .salutations = "kedves, tisztelt, szia, szervusz, drága, jó napot",
    .closings =
        "üdvözlettel, tisztelettel, szívélyes üdvözlettel, baráti üdvözlettel, szeretettel, ölel, puszi, köszönettel, "
        "minden jót",
    .totals = "összesen, fizetendő, fizetendő összeg, végösszeg, fizetendő végösszeg, bruttó összesen, mindösszesen",
    .defects =
        "rossz, elromlott, hibás, hiba, hibája, hibák, törött, eltört, sérült, sérülés, repedt, repedés, csöpög, "
        "szivárog, folyik, laza, meglazult, hiányzik, hiányoznak, beragadt, akad, eldugult, villog, nyikorog, csipog, "
        "büdös, rozsdás, rozsda, penész, penészes, kopott, karcos, karcolás, folt, foltos, nem működik, már nem, "
        "kiégett, leesik",
};

}  // namespace mneme::rag::papers
