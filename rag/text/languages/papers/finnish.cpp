// Finnish.
#include "rag/text/languages/paper_words.h"

namespace mneme::rag::papers {

const PaperWords kFinnish = {
    .salutations = "hyvä, hei, rakas, arvoisa, arvoisat, hyvät, moi, terve",
    .closings =
        "ystävällisin terveisin, parhain terveisin, terveisin, kunnioittavasti, lämpimin terveisin, sydämellisin "
        "terveisin, terveiset, halauksin, rakkaudella",
    .totals = "yhteensä, maksettava, maksettavaa, loppusumma, laskun summa, maksettava yhteensä",
    .defects =
        "rikki, vika, viat, vikoja, viallinen, vaurio, vauriot, vaurioitunut, halki, haljennut, halkeama, vuotaa, "
        "vuoto, tippuu, löysä, irti, puuttuu, puuttuvat, jumissa, jumittaa, tukossa, vilkkuu, narisee, piippaa, "
        "haisee, ruosteessa, ruostunut, home, kulunut, naarmu, naarmuja, tahra, tahroja, vaihdettava, ei toimi, ei "
        "sulkeudu, irtoaa, palanut",
};

}  // namespace mneme::rag::papers
