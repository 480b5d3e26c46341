// Turkish.
#include "rag/text/languages/paper_words.h"

namespace mneme::rag::papers {

const PaperWords kTurkish = {
    .salutations = "sayın, sevgili, değerli, merhaba, canım, iyi günler",
    .closings =
        "saygılarımla, saygılarımızla, sevgiler, sevgilerimle, selamlar, en iyi dileklerimle, hürmetlerimle, iyi "
        "günler dilerim, öptüm",
    .totals = "toplam, genel toplam, ödenecek tutar, toplam tutar, ödenecek toplam, fatura tutarı",
    .defects =
        "bozuk, bozuldu, arızalı, arıza, kusur, kusurlu, hasarlı, hasar, kırık, kırıldı, çatlak, çatladı, sızdırıyor, "
        "akıyor, damlıyor, gevşek, eksik, sıkışmış, sıkışıyor, tıkalı, tıkandı, titriyor, gıcırdıyor, ötüyor, kokuyor, "
        "paslı, pas, küf, küflü, aşınmış, yırtık, çizik, leke, değiştirilmeli, değişmeli, çalışmıyor, kapanmıyor, "
        "yanmıyor, açılmıyor, düşüyor, patlak, yanmış",
};

}  // namespace mneme::rag::papers
