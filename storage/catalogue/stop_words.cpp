// Only questions are thinned by these words: chunks keep every word, so that phrases match and a question of nothing
// but such words still finds something.
#include "storage/catalogue/stop_words.h"

#include <algorithm>
#include <array>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace mneme::storage {
namespace {

// The languages that share the Latin letters come first, English before all. The Romance ones are one here: they have
// too many of these words in common to be told apart by them.
constexpr size_t kLatin = 3;
constexpr unsigned kEnglish = 1U;
constexpr unsigned kOtherScripts = ~((1U << kLatin) - 1U);  // their words are nobody else's

constexpr const char* kWords[] = {
    // English
    "a an the this that these those and or but if then else of in on at to from by for with about as into onto over "
    "under is are was were be been being am do does did done has have had having will would shall should can could "
    "may might must not no nor so than too very it its he she they them his her their our your my we you i me us who "
    "whom whose which what when where why how there here also just only own same such s t don didn isn wasn come "
    "tell explain describe please",
    // German
    "der die das den dem des ein eine einen einem einer eines und oder aber wenn dann als wie von vom zu zum zur im in "
    "auf an am aus bei mit nach seit ist sind war waren wird werden wurde wurden hat haben hatte nicht kein keine es "
    "er sie wir ihr ich du was wer wem wen wo wohin woher wogegen womit wofur worauf woran wovon wann warum wieso "
    "welche welcher welches welchem welchen fur "
    "uber unter auch nur noch sich viel viele wieviel wieviele mein meine meinen meinem meiner unser unsere unseren "
    "muss mussen soll sollen darf durfen kann konnen mich mir uns man",
    // French, Spanish, Portuguese, Italian
    "le la les un une des du de et ou mais si que qui quoi dont en dans sur sous par pour avec sans ce cet cette ces "
    "est sont etait etaient sera a ont avait il elle ils elles on nous vous je tu ne pas plus au aux son sa ses leur "
    "quel quelle quels quelles quand comment pourquoi "
    "el los las una unos unas del al y o pero que quien cual cuando donde como por para con sin es son era fue ser ha "
    "han se su sus no lo le mas muy os as um uma uns umas do da dos das no na nos nas ao e ou mas com sem foi il lo "
    "gli "
    "di del della dei delle che chi quale quando dove come perche per con non si "
    "combien faut dois doit mon ma mes notre nos votre je "
    "cuanto cuanta cuantos cuantas mi mis tengo tiene tienen hay nos adonde "
    "quanto quanta quanti quante cosa mio mia miei ho devo deve alla al nel nella va "
    "quem quantos quantas qual meu minha tenho tem onde ate ao",
    // Russian
    "и в во не что он на я с со как а то все она так его но да ты к у же вы за бы по только ее мне было вот от меня "
    "еще "
    "нет о из ему когда даже ну ли если или ни быть был него до вас они тут где есть для мы их чем была сам без какой "
    "какая какие кто это этот эта этих какое какого какую каком сколько когда почему зачем куда откуда мой моя мое мои "
    "моего моей мне нас нам наш наша наше кого кому нужно надо",
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

// Words above that English means something else by: they do not show that a question is in another language.
constexpr const char* kEnglishMeanings =
    "war die dies died hat hi sin son sons sans pour per para sur mit bin man era dove con al un non e o y los las";

// Calls visit with each word's term: its first, which is the word itself (for the pairs, the pair).
template <typename Visit>
void for_each_stop_term(std::string_view words, const Visit& visit) {
  while (!words.empty()) {
    const size_t space = words.find(' ');
    const std::vector<std::string> made = lexical_terms(words.substr(0, space));
    if (!made.empty()) visit(made.front());
    if (space == std::string_view::npos) return;
    words.remove_prefix(space + 1);
  }
}

// The languages to which a term says nothing, as bits.
unsigned languages_of(std::string_view term) {
  static const std::unordered_map<std::string, unsigned> kTerms = [] {
    std::unordered_map<std::string, unsigned> terms;
    for (size_t language = 0; language < std::size(kWords); ++language) {
      for_each_stop_term(kWords[language], [&](const std::string& made) { terms[made] |= 1U << language; });
    }
    return terms;
  }();
  const auto at = kTerms.find(std::string(term));
  return at == kTerms.end() ? 0U : at->second;
}

bool is_english_too(const std::string& term) {
  static const std::unordered_set<std::string> kTerms = [] {
    std::unordered_set<std::string> terms;
    for_each_stop_term(kEnglishMeanings, [&](const std::string& made) { terms.insert(made); });
    return terms;
  }();
  return kTerms.contains(term);
}

}  // namespace

// The language with most of the words; where several have as many, all of them, but English alone if it is one: a word
// too many costs a question little, a missing one may be what it asks for.
StopTerms::StopTerms(std::span<const std::string> question_terms) : languages_(kEnglish | kOtherScripts) {
  std::array<size_t, kLatin> counts{};
  for (const std::string& term : question_terms) {
    unsigned shown = languages_of(term);
    if (is_english_too(term)) shown &= kEnglish;
    for (size_t language = 0; language < kLatin; ++language) counts[language] += (shown >> language) & 1U;
  }
  const size_t most = *std::max_element(counts.begin(), counts.end());
  if (counts.front() == most) return;
  languages_ = kOtherScripts;
  for (size_t language = 1; language < kLatin; ++language) {
    if (counts[language] == most) languages_ |= 1U << language;
  }
}

bool StopTerms::may_be_english() const {
  return (languages_ & kEnglish) != 0;
}

bool StopTerms::shares_language(const StopTerms& other) const {
  return (languages_ & other.languages_ & ~kOtherScripts) != 0;
}

bool StopTerms::contains(std::string_view term) const {
  return (languages_of(term) & languages_) != 0;
}

}  // namespace mneme::storage
