// Finnish.
#include "rag/text/languages/document_words.h"

namespace mneme::rag::documents {

const DocumentWords kFinnish = {
    .kinds = {.document = {"asiakirja asiakirjan asiakirjaa asiakirjani dokumentti dokumenttia tiedosto tiedoston "
                           "tiedostoa tiedostoni",
                           "asiakirjat asiakirjoja asiakirjoissa dokumentit dokumentteja dokumenteissa tiedostot "
                           "tiedostoja tiedostoissa"},
              .text = {"teksti kirja kirjan sivu luku", "tekstit kirjat sivut"},
              .invoice = {"lasku laskun laskua laskuni", "laskut laskuja laskujen laskuissa"},
              .receipt = {"kuitti kuitin kuittia", "kuitit kuitteja"},
              .contract = {"sopimus sopimuksen sopimusta sopimukseni", "sopimukset sopimuksia sopimuksissa"},
              .letter = {"kirje kirjeen kirjettä kirjeeni", "kirjeet kirjeitä kirjeissä"},
              .mail = {"viesti viestin viestiä sähköposti sähköpostia viestini", "viestit viestejä sähköpostit"},
              .report = {"raportti raportin raporttia", "raportit raportteja"},
              .article = {"artikkeli artikkelin artikkelia", "artikkelit artikkeleita"},
              .certificate = {"todistus todistuksen todistusta", "todistukset todistuksia"},
              .statement = {"tiliote tiliotteen", "tiliotteet tiliotteita"},
              .minutes = {"pöytäkirja pöytäkirjan pöytäkirjaa", "pöytäkirjat pöytäkirjoja"},
              .manual = {"ohje opas käyttöohje", "ohjeet oppaat"},
              .offer = {"tarjous tarjouksen tarjousta", "tarjoukset tarjouksia"},
              .note = {"muistiinpano muistiinpanon", "muistiinpanot muistiinpanoja muistiinpanoissa"},
              .recipe = {"resepti reseptin reseptiä", "reseptit reseptejä"},
              .form = {"lomake lomakkeen lomaketta", "lomakkeet lomakkeita"},
              .presentation = {"esitys esityksen", "esitykset"}},
    .own_kinds = "luku",
    .lead =
        "mikä mitkä mitä missä on ovat näytä minulle etsi avaa anna luettele listaa kaikki kaikista minun meidän ole",
    .closing = "kiitos",
    .articles = "minun meidän",
    .joins = "ovat on jotka joka",
    .of = "",
    .asking = "milloin kuka miten miksi mikä",
    .names_first = true,
    .newest = "uusin, uusimman, uusimmat, viimeisin, viimeisimmän, viimeisimmät, tuorein",
    .oldest = "vanhin, vanhimman, vanhimmat, varhaisin",
    .last = "viimeinen",
    .told = "summa määrä numero päivämäärä hinta saldo nimi kirjoittaja otsikko sivu vuokra palkka osoite",
    .changed = "muutin muutettu muokkasin muokattu kirjoitin tallensin loin päivitin muutimme",
    .taken_in = "lisäsin lisätty",
    .doing = "minä me olen",
    .last_done = "viimeksi äskettäin",
    .listing = "luettele listaa näytä kaikki",
    .how_many = "montako, kuinka monta, kuinka paljon",
    .have = "minulla on, meillä on, on, on olemassa",
    .held = "montako # on, montako # minulla on, mitä # on, luettele kaikki #, näytä kaikki #",
    .which = "mitkä missä mitä näytä etsi luettele",
    .telling =
        "mainitsevat, mainitsee, mainitaan, kertovat, käsittelevät, sisältävät, koskevat, mainitsevat, käsittelevät",
    .where_mentioned = "missä",
    .mentioned = "mainitaan",
    .finding = "etsi, avaa, näytä, missä on",
    .writers =
        "kuka kirjoitti minulle #, kuka on kirjoittanut minulle #, kuka kirjoitti meille #, kuka on kirjoittanut "
        "meille #, kuka kirjoitti minulle, kuka on kirjoittanut minulle",
    .gist = "mistä # kertoo, mistä # puhuu, mitä # sisältää, tiivistä #, # tiivistelmä, yhteenveto #",
    .around = "kiitos lyhyesti",
    .this_one = "se tämä",
    .sections = "kohta kohdassa luku luvussa artikla artiklassa pykälä pykälässä",
    .annexes = "liite liitteessä",
    .place_asking = "mitä sanoo, mitä lukee, mitä on, mitä kohdassa, mitä luvussa, mitä sanotaan",
    .page = "sivu sivulla",
    .showing = "näytä lue lukee sanoo sisältö on",
    .ordinals =
        "ensimmäinen ensimmäisen, toinen toisen, kolmas kolmannen, neljäs, viides, kuudes, seitsemäs, kahdeksas",
    .last_one = "viimeinen viimeisen",
    .numbered = "numero",
    .tasks =
        {.tasks =
             "tehtävät, tehtäväni, tehtäviä, tehtävälista, tehtävälistalla, tehtävälistallani, tehtävälistani, todo",
         .headings = "tehtävät, tehtävää, tekemättä, avoimet asiat, todo",
         .open = "avoimet avoimia avoinna jäljellä keskeneräiset tekemättömät vielä",
         .done = "tehdyt tehtyjä tehty valmiit valmiina suoritetut jo",
         .all = "kaikki",
         .around = "mitä mitkä on ovat minulla meillä minun olen olemme pitää täytyy",
         .asking_open = "mitä on vielä tekemättä, mitä on tekemättä, mitä minulla on tekemättä, mitä minulla on vielä "
                        "tekemättä, mitä minun pitää vielä tehdä, mitä minun pitää tehdä, mitä minun täytyy tehdä, "
                        "mitä pitää vielä tehdä, mitä pitää tehdä, mitä on jäljellä",
         .asking_done = "mitä olen tehnyt, mitä olen jo tehnyt, mitä on tehty, mitä on jo tehty, mitä sain valmiiksi"},
};

}  // namespace mneme::rag::documents
