// Czech.
#include "rag/text/languages/paper_words.h"

namespace mneme::rag::papers {

const PaperWords kCzech = {
    .salutations = "vážený, vážená, vážení, milý, milá, milí, drahý, drahá, dobrý den, ahoj",
    .closings =
        "s pozdravem, s přátelským pozdravem, s úctou, srdečné pozdravy, zdravím, mějte se, s pozdravy, hezký den, "
        "líbám",
    .totals = "celkem, celkem k úhradě, k úhradě, k zaplacení, součet, částka celkem, celková částka",
    .defects =
        "rozbitý, rozbitá, rozbité, poškozený, poškozená, poškozené, závada, závady, vada, vady, porucha, prasklý, "
        "prasklá, prasklé, prasklina, teče, kape, protéká, uvolněný, uvolněná, chybí, zasekává, zaseknutý, ucpaný, "
        "ucpaná, bliká, vrže, pípá, smrdí, rezavý, rez, plíseň, opotřebovaný, roztržený, škrábanec, skvrna, skvrny, "
        "nefunguje, nejde, nezavírá, nesvítí, netěsní, odpadá, prasklou",
};

}  // namespace mneme::rag::papers
