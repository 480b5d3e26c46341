// Finnish.
#include "rag/text/languages/notes.h"

namespace mneme::rag::notes {

const NoteTexts kFinnish = {
    .digit_groups = "\u00a0",
    .not_said = "Asiakirjoissa ei kerrota siitä.",
    .parts_not_said = "Asiakirjoissa ei kerrota tästä: {parts}",
    .rows_not_reckoned = "Rivit lainataan, niistä ei lasketa mitään",
    .rows_added_up = "Yhteenlaskettuja rivejä: {n}",
    .rows_counted_once = "Useassa asiakirjassa olevia rivejä, laskettu kerran: {n}",
    .payments_compared = "Verrattuja maksuja: {n}",
    .payments_averaged = "Maksuja keskiarvossa: {n}",
    .bills_added_up = "Yhteen laskettuja laskuja: {n}",
    .no_payments = "taulukot eivätkä laskut kerro tällaisista maksuista",
    .only_quoted = "Vain lainauksia: {why}",
    .no_such_source = "Vastauksessa mainittua lähdettä [{n}] ei ole",
    .listed_about = "Asiakirjoja, joissa siitä kerrotaan: {n}/{all}; loput löytää `mneme search`",
    .listed_dated = "Asiakirjoja: {n}/{all}",
    .listed_tasks = "Tehtäviä: {n}/{all}",
    .no_task_open = "Näistä mitään ei ole enää tekemättä",
    .by_file_date = "”muutettu”: asiakirjassa ei ole päiväystä, tilalla on tiedoston viimeisen muutoksen päivä",
    .dated = "päivätty {date}",
    .named = "nimen mukaan {date}",
    .changed = "muutettu {date}",
    .taken_in = "lisätty {date}",
    .held = "{collection}: asiakirjoja: {documents}, katkelmia: {passages}, kansiot: {folders}.",
    .gist_read = "Asiakirjasta {document} luettuja katkelmia: {n}/{all}, alku ja muita tasaisin välein",
    .also_called = "Samannimisiä ovat myös: {others}",
    .which_document = "Ei ole selvää, mitä asiakirjaa tarkoitetaan; mainitse sen otsikko tai tiedosto",
    .no_page = "Asiakirjassa {document} ei ole sivua {page}",
    .not_all_with = "Sanalla ”{word}” mikään ei vastaa koko kysymykseen; sen sijaan haettiin ”{other}”",
    .no_passage_says = "Missään katkelmassa ei ole sanaa ”{word}”; sen sijaan haettiin ”{other}”",
    .looked_for = "Sen sijaan haettiin ”{other}”",
    .no_vectors =
        "Kokoelmalla {collection} ei ole vielä vektoreita ({embedder}); niiden valmistumiseen asti haetaan vain "
        "sanoilla; `mneme index` tekee ne heti",
    .not_reranked = "Ei järjestetty uudelleen ({by}): {why}",
    .no_date = "{filter} ei ole päivämäärä (VVVV-KK-PP, VVVV-KK tai VVVV), joten haettiin sanoja",
    .no_filter = "{filter} ei kerro, minkä mukaan rajataan, joten haettiin sanoja",
    .repeats_left_out = "Pois jätettyjä katkelmia, jotka lähes toistavat parempia: {n}",
    .no_match = "Mikään asiakirja ei vastaa rajausta {filters}",
    .either = " tai ",
    .no_match_of_all = "Mikään asiakirja ei vastaa kaikkia rajauksia {filters}",
    .no_passage_of_match = "Rajausta {filters} vastaavissa asiakirjoissa mikään katkelma ei sovi näihin sanoihin",
    .nothing_goes_with = "Mikään ei sovi näihin sanoihin; kokeile muita.",
    .collection_empty = "Kokoelmassa {collection} ei ole vielä asiakirjoja.",
    .nothing_indexed = "Yhtään asiakirjaa ei ole vielä luettu; `mneme index KANSIO` lukee niitä.",
    .welcome = "Ole hyvä.",
    .greeting = "Hei! Mitä haluaisit tietää?",
    .caches_not_measured =
        "Tämän mallin välimuisteja ei ole vielä mitattu, joten kaikki laskettiin; `mneme model add TIEDOSTO` mittaa ne "
        "kerran",
    .being_tried_out =
        "Tätä mallia kokeillaan parhaillaan, joten kaikki laskettiin; seuraavat vastaukset alkavat aiemmin",
    .caches_differ =
        "Tämä malli vastaa korjatuista välimuisteista toisin (KL {kl}, todennäköisimmistä tokeneista {percent} % "
        "samoja osuudella {share}), joten kaikki lasketaan; --recompute R ohittaa tämän",
    .goal_had_no_say = "Aikatavoite ei vaikuttanut, koska kaikki laskettiin",
    .ends_in_middle = "Vastaus katkeaa kesken: {why}",
    .still_thinking =
        "Malli ei päässyt vastaukseen sallitun pohdinnan aikana (tokeneita {n}); kysy suppeammin tai käytä mallia, "
        "joka vastaa heti",
    .turns_left_out = "Aiempia vuoroja, jotka eivät mahtuneet ja jätettiin pois: {n}",
    .passages_left_out = "Katkelmia, jotka eivät mahtuneet mallin kontekstiin ja jätettiin pois: {n}/{all}",
    .passage_cut = "Ensimmäinen katkelma lyhennettiin, jotta se mahtuu mallin kontekstiin; tokeneita jäi {n}/{all}",
    .cache_recomputed = "Tallennettua KV-välimuistia ei voitu käyttää, ja se laskettiin uudelleen: {why}",
};

}  // namespace mneme::rag::notes
