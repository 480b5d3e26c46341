// German.
#include "rag/text/languages/paper_words.h"

namespace mneme::rag::papers {

const PaperWords kGerman = {
    .salutations =
        "sehr geehrte, sehr geehrter, sehr geehrtes, liebe, lieber, liebes, guten tag, guten morgen, hallo, hi, "
        "verehrte, werte, werter",
    .closings =
        "mit freundlichen grüßen, mit freundlichem gruß, freundliche grüße, freundlichen gruß, herzliche grüße, "
        "herzliche grüsse, viele grüße, liebe grüße, beste grüße, schöne grüße, herzlichst, mit besten grüßen, mit "
        "herzlichen grüßen, hochachtungsvoll, alles liebe, alles gute, gruß, grüße, mfg, lg, vg, euer, eure, dein, "
        "deine, bis bald",
    .totals =
        "gesamtbetrag, rechnungsbetrag, gesamtsumme, summe, gesamt, total, endbetrag, zu zahlen, zu zahlender betrag, "
        "zahlbetrag, gesamtpreis, bruttobetrag, betrag, endsumme, fälliger betrag, summe eur, gesamtkosten",
    .defects =
        "kaputt, defekt, defekte, beschädigt, schaden, schäden, mangel, mängel, riss, risse, gerissen, gebrochen, "
        "bricht, undicht, tropft, leckt, locker, lose, fehlt, fehlen, fehlend, klemmt, klemmen, verstopft, flackert, "
        "piept, quietscht, wackelt, wackelig, brummt, riecht, stinkt, rostet, rostig, verrostet, schimmel, schimmelt, "
        "abgenutzt, verschlissen, zerkratzt, kratzer, fleck, flecken, delle, nicht mehr, schwergängig, überhitzt, "
        "ausgefallen, fällt aus, funktioniert nur, geht nur, geht nicht, blockiert, sprung, gesprungen, löst sich, "
        "abgebrochen, abgefallen, verzogen, zieht nicht, läuft aus, schließt nicht, durchgebrannt, platt, geplatzt",
};

}  // namespace mneme::rag::papers
