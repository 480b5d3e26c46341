// Polish.
#include "rag/text/languages/paper_words.h"

namespace mneme::rag::papers {

const PaperWords kPolish = {
    .salutations =
        "szanowny, szanowna, szanowni, drogi, droga, drodzy, kochany, kochana, kochani, dzień dobry, cześć, witam",
    .closings =
        "z poważaniem, z wyrazami szacunku, pozdrawiam, serdecznie pozdrawiam, z pozdrowieniami, pozdrowienia, "
        "serdeczne pozdrowienia, łączę pozdrowienia, ściskam, całuję, uściski",
    .totals = "razem, suma, do zapłaty, razem do zapłaty, łącznie, ogółem, wartość brutto, kwota do zapłaty, suma pln",
    .defects =
        "zepsuty, zepsuta, zepsute, uszkodzony, uszkodzona, uszkodzone, usterka, usterki, wada, wady, awaria, "
        "pęknięty, pęknięta, pęknięte, pęknięcie, cieknie, przecieka, kapie, luźny, luźna, brakuje, brak, zacina, "
        "zablokowany, zablokowana, zatkany, zatkana, miga, skrzypi, piszczy, śmierdzi, zardzewiały, rdza, pleśń, "
        "zużyty, zużyta, podarty, zarysowany, rysa, rysy, plama, plamy, nie działa, nie zamyka, już nie, odpada, "
        "przepalona",
};

}  // namespace mneme::rag::papers
