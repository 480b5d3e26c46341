// Polish.
#include "rag/text/languages/document_words.h"

namespace mneme::rag::documents {

const DocumentWords kPolish = {
    .kinds = {.document = {"dokument dokumentu dokumencie plik pliku",
                           "dokumenty dokumentów dokumentach pliki plików plikach"},
              .text = {"tekst książka książkę strona rozdział", "teksty książki strony stron"},
              .invoice = {"faktura fakturę faktury fakturze rachunek rachunku",
                          "faktury faktur fakturach rachunki "
                          "rachunków"},
              .receipt = {"paragon pokwitowanie", "paragony paragonów pokwitowania"},
              .contract = {"umowa umowę umowy umowie kontrakt", "umowy umów umowach kontrakty"},
              .letter = {"list listu pismo", "listy listów pisma pism"},
              .mail = {"mail wiadomość wiadomości", "maile maili wiadomości"},
              .report = {"raport raportu sprawozdanie", "raporty raportów sprawozdania"},
              .article = {"artykuł artykułu", "artykuły artykułów"},
              .policy = {"polisa polisę polisy", "polisy polis"},
              .certificate = {"zaświadczenie certyfikat", "zaświadczenia certyfikaty"},
              .statement = {"wyciąg wyciągu", "wyciągi wyciągów"},
              .minutes = {"protokół protokołu", "protokoły protokołów"},
              .manual = {"instrukcja instrukcję podręcznik", "instrukcje podręczniki"},
              .offer = {"oferta ofertę", "oferty ofert"},
              .note = {"notatka notatkę notatki", "notatki notatek notatkach"},
              .recipe = {"przepis przepisu", "przepisy przepisów"},
              .form = {"formularz formularza", "formularze formularzy"},
              .presentation = {"prezentacja prezentację", "prezentacje"},
              .cv = {"życiorys"}},
    .own_kinds = "list listu",
    .lead =
        "jaki jaka jakie jest są co który która które pokaż mi znajdź otwórz daj wymień wypisz proszę mój moja moje "
        "moją nasz nasza wszystkie wszystkich wszystko w z",
    .closing = "proszę",
    .articles = "mój moja moje moją nasz nasza",
    .joins = "od z ze o dla do w na są jest mam które który która pochodzą",
    .of = "od z ze dla",
    .asking = "kiedy kto jak dlaczego gdzie co który która",
    .newest =
        "najnowsza, najnowszą, najnowszy, najnowsze, najnowszej, najnowszego, ostatnia, ostatnią, ostatni, ostatnie",
    .oldest = "najstarsza, najstarszą, najstarszy, najstarsze, najstarszej, najstarszego, najwcześniejszy",
    .told = "suma kwota numer data cena saldo nazwa autor tytuł strona czynsz adres",
    .changed =
        "zmieniłem zmieniłam zmieniono zmienione edytowałem edytowałam napisałem napisałam zapisałem zapisałam "
        "utworzyłem zmienił",
    .taken_in = "dodałem dodałam dodano dodane zaindeksowane",
    .doing = "ja my które zostały",
    .last_done = "ostatnio niedawno",
    .listing = "wymień wypisz pokaż wszystkie",
    .how_many = "ile",
    .have = "mam, mamy, jest, ja mam",
    .held = "ile mam #, ile jest #, jakie # masz, pokaż wszystkie #, wymień wszystkie #",
    .which = "które który która jakie pokaż znajdź w",
    .telling = "wspominają o, wspomina o, mówią o, mówi o, zawierają, zawiera, dotyczą, dotyczy, są o, o, wymieniają",
    .where_mentioned = "gdzie jest, gdzie są",
    .mentioned = "wspomniany wspomniana wspomniane",
    .finding = "znajdź, otwórz, pokaż mi, pokaż, gdzie jest, gdzie są",
    .writers =
        "kto do mnie pisał w sprawie #, kto napisał do mnie w sprawie #, kto do mnie napisał w sprawie #, kto do nas "
        "pisał w sprawie #, kto napisał do nas w sprawie #, kto pisał do mnie o #, kto pisał do mnie w sprawie #, kto "
        "napisał do mnie o #, kto do mnie napisał, kto do mnie pisał, kto do mnie napisał o #",
    .gist =
        "o czym jest #, o czym mówi #, o czym traktuje #, streść #, podsumuj #, streszczenie #, podsumowanie #, co "
        "jest w #",
    .around = "proszę krótko",
    .this_one = "to",
    .sections = "paragraf paragrafie rozdział rozdziale artykuł artykule punkt punkcie sekcja sekcji",
    .annexes = "załącznik załączniku",
    .place_asking = "co jest, co mówi, co stoi, co zawiera, co znajduje się",
    .page = "strona stronie stronę",
    .showing = "pokaż czytaj jest mówi treść napisane stoi znajduje się",
    .ordinals =
        "pierwszy pierwszą pierwsza pierwsze, drugi drugą druga drugie, trzeci trzecią trzecia trzecie, czwarty "
        "czwartą, piąty piątą, szósty szóstą, siódmy, ósmy",
    .last_one = "ostatni ostatnią ostatnia",
    .numbered = "numer nr",
    .tasks = {.tasks = "zadania, zadań, lista zadań, listę zadań, liście zadań, sprawy do załatwienia, rzeczy do "
                       "zrobienia, do zrobienia, todo, to do",
              .headings = "do zrobienia, zadania, do załatwienia, otwarte punkty, todo, to do",
              .open = "otwarte nieskończone niewykonane pozostałe zostało zostały jeszcze nierozpoczęte niedokończone",
              .done = "zrobione skończone wykonane ukończone zakończone gotowe załatwione już",
              .all = "wszystkie",
              .around = "mam mamy muszę musimy moje moja mojej na w do co jakie są jest dla zrobić jest",
              .asking_open =
                  "co mi zostało do zrobienia, co zostało do zrobienia, co jeszcze muszę zrobić, co muszę jeszcze "
                  "zrobić, co muszę zrobić, co mam do zrobienia, co mam jeszcze do zrobienia, co jest do zrobienia, co "
                  "jest jeszcze do zrobienia, co jeszcze jest do zrobienia, co trzeba zrobić, co trzeba jeszcze zrobić",
              .asking_done = "co już zrobiłem, co już zrobiłam, co zrobiłem, co zrobiłam, co jest zrobione, co już "
                             "jest zrobione, co skończyłem, co skończyłam, co zostało zrobione"},
};

}  // namespace mneme::rag::documents
