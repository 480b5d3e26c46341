// Words that carry no meaning of their own, by language. Only questions are thinned by them: chunks keep every word, so
// that phrases match and a question of nothing but such words still finds something.
#include <string>
#include <unordered_set>

#include "storage/catalogue/lexical_terms.h"

namespace mneme::storage {
namespace {

constexpr const char* kWords[] = {
    // English
    "a an the this that these those and or but if then else of in on at to from by for with about as into onto over "
    "under is are was were be been being am do does did done has have had having will would shall should can could "
    "may might must not no nor so than too very it its he she they them his her their our your my we you i me us who "
    "whom whose which what when where why how there here also just only own same such s t don didn isn wasn "
    "tell explain describe please",
    // German
    "der die das den dem des ein eine einen einem einer eines und oder aber wenn dann als wie von vom zu zum zur im in "
    "auf an am aus bei mit nach seit ist sind war waren wird werden wurde wurden hat haben hatte nicht kein keine es "
    "er "
    "sie wir ihr ich du was wer wo wann warum welche welcher welches fur uber unter auch nur noch sich",
    // French
    "le la les un une des du de et ou mais si que qui quoi dont en dans sur sous par pour avec sans ce cet cette ces "
    "est sont etait etaient sera a ont avait il elle ils elles on nous vous je tu ne pas plus au aux son sa ses leur "
    "quel quelle quels quelles quand comment pourquoi",
    // Spanish, Portuguese, Italian
    "el los las una unos unas del al y o pero que quien cual cuando donde como por para con sin es son era fue ser ha "
    "han se su sus no lo le mas muy os as um uma uns umas do da dos das no na nos nas ao e ou mas com sem foi il lo "
    "gli "
    "di del della dei delle che chi quale quando dove come perche per con non si",
    // Russian
    "и в во не что он на я с со как а то все она так его но да ты к у же вы за бы по только ее мне было вот от меня "
    "еще "
    "нет о из ему когда даже ну ли если или ни быть был него до вас они тут где есть для мы их чем была сам без какой "
    "какая какие кто это этот эта этих",
    // Arabic
    "في من على إلى الى عن مع هذا هذه ذلك تلك التي الذي الذين هو هي هم كان كانت أن ان إن ما ماذا متى أين اين كيف لماذا "
    "هل كم أي اي قد لا لم لن ثم أو او و بين بعد قبل كل",
    // Chinese and Japanese: pairs that are grammar
    "什么 怎么 怎样 为什 哪些 哪个 哪里 的是 是什 多少 如何 因为 所以 可以 以及 他们 我们 你们 这个 那个 一个 没有 "
    "是谁 谁的 "
    "何で なに 何か です ます した して され れた れて いる いた てい であ ある った とは には では のは という いう "
    "うな はど "
    "どの どん んな よう うに から まで です すか ますか たか か",
};

}  // namespace

bool is_stop_term(std::string_view term) {
  static const std::unordered_set<std::string> kTerms = [] {
    std::unordered_set<std::string> terms;
    for (const char* words : kWords) {
      std::string_view rest = words;
      while (!rest.empty()) {
        const size_t space = rest.find(' ');
        // Each word alone: its first term is the word itself (for the pairs, the pair).
        const std::vector<std::string> made = lexical_terms(rest.substr(0, space));
        if (!made.empty()) terms.insert(made.front());
        if (space == std::string_view::npos) break;
        rest.remove_prefix(space + 1);
      }
    }
    return terms;
  }();
  return kTerms.contains(std::string(term));
}

}  // namespace mneme::storage
