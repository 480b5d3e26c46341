#include "rag/text/asked/permission.h"

#include <algorithm>
#include <string>
#include <unordered_set>
#include <vector>

#include "rag/text/asked/question_words.h"
#include "rag/text/languages/language.h"
#include "rag/text/languages/language_facts.h"
#include "rag/text/words/phrases.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

constexpr double kOtherRule = 0.5;

constexpr std::string_view kPermits[] = {"allowed",  "permitted", "forbidden", "prohibited", "erlaubt",
                                         "verboten", "gestattet", "zulassig",  "untersagt"};
// ... in languages whose questions begin in many ways.
constexpr std::string_view kPermitsElsewhere[] = {
    "autorise",  "autorises",  "autorisee",  "autorisees", "permis",    "permise",    "interdit",   "interdits",
    "interdite", "interdites", "permitido",  "permitidos", "permitida", "permitidas", "prohibido",  "prohibidos",
    "prohibida", "prohibidas", "permesso",   "permessi",   "vietato",   "vietati",    "consentito", "proibido",
    "proibidos", "proibida",   "toegestaan", "dozwolone",  "wolno",     "разрешено",  "разрешен",   "разрешена",
    "разрешены", "запрещено",  "запрещен",   "запрещена",  "запрещены", "مسموح",      "ممنوع"};

// "may", "must not", "is not permitted": what somebody may do or may not.
constexpr std::string_view kMayRules[] = {
    "can", "kann", "konnen", "may", "may not", "must not", "must never", "cannot", "can not", "can t", "mustn t",
    "allowed", "permitted", "prohibited", "forbidden", "not permitted", "no longer", "excluded", "never", "do not",
    "don t", "consent", "permission", "at any time", "not possible", "possible", "tolerated", "only with",
    "not insured", "not covered", "not included", "darf", "durfen", "erlaubt", "verboten", "gestattet", "untersagt",
    "zulassig", "genehmigung", "zustimmung", "ausgeschlossen", "nicht moglich",
    // French
    "peut", "peuvent", "interdit", "interdits", "interdite", "interdites", "autorise", "autorises", "autorisee",
    "autorisees", "permis", "tolere", "toleres", "toleree", "tolerees", "accord ecrit", "accord du", "exclu", "exclue",
    // Spanish
    "puede", "pueden", "podra", "prohibido", "prohibida", "prohibidos", "prohiben", "permite", "permiten", "admite",
    "admiten", "permitido", "permitida", "autorizacion", "permiso", "excluido", "excluida",
    // Italian and Portuguese
    "puo", "possono", "vietato", "vietati", "vietata", "permesso", "permessi", "consentito", "ammesso", "ammessi",
    "autorizzazione", "pode", "podem", "proibido", "proibida", "proibidos", "autorizacao", "permitidos",
    // Russian
    "можно", "нельзя", "запрещается", "запрещено", "запрещены", "запрещена", "разрешено", "разрешается", "разрешена",
    "разрешены", "допускается", "согласия", "согласием", "может", "могут", "не допускается",
    // Chinese and Japanese
    "可以", "禁止", "不得", "不可", "不能", "允许", "不准", "须经", "不要", "不许", "できる", "できます", "できません",
    "認める", "許可", "かまいません", "構いません", "可能", "ないでください", "いけません", "承諾",
    // Arabic
    "يجوز", "يسمح", "يمنع", "ممنوع", "مسموح", "يحظر", "موافقه", "يمكن"};
// What has to be done, or need not be.
constexpr std::string_view kMustRules[] = {
    "must", "have to", "has to", "need to", "needs to", "required", "compulsory", "mandatory", "obligatory",
    "necessary", "need not", "needs no", "need no", "need the", "needs the", "is to be", "are to be", "optional",
    "voluntary", "muss", "mussen", "pflicht", "notwendig", "erforderlich", "verpflichtet", "nicht notig", "ist zu",
    "sind zu", "nicht brauchen", "braucht kein",
    // French, Spanish, Italian, Portuguese
    "doit", "doivent", "obligatoire", "obligatoires", "faut", "necessaire", "facultatif", "facultative", "oblige",
    "tenu de", "rien a payer", "debe", "deben", "obligatorio", "obligatoria", "hay que", "tiene que", "necesario",
    "deve", "devono", "obbligatorio", "bisogna", "occorre", "devem", "e preciso",
    // Russian
    "должен", "должна", "должны", "обязан", "обязаны", "обязательно", "необходимо", "нужно", "надо", "требуется",
    // Chinese and Japanese
    "必须", "应当", "需要", "无需", "不必", "须", "必要", "なければ", "ください",
    // Arabic
    "يجب", "ينبغي", "يلزم", "مطلوب"};

// Deeds that every owner, tenant or guest does with a thing.
constexpr std::string_view kLightDeeds[] = {
    "keep",   "have",      "own",        "bring",  "take",    "use",    "get",    "put",      "give",
    "make",   "do",        "hold",       "go",     "come",    "halten", "haben",  "nehmen",   "benutzen",
    "nutzen", "mitnehmen", "mitbringen", "machen", "avoir",   "tenir",  "mettre", "utiliser", "prendre",
    "amener", "apporter",  "tener",      "usar",   "poner",   "llevar", "traer",  "avere",    "tenere",
    "usare",  "portare",   "ter",        "levar",  "держать", "иметь",  "взять",  "брать"};

// How questions begin that ask whether something may be done, and whether it has to be.
constexpr std::string_view kAskMay[] = {
    " can ", " may ", " am i allowed ", " are we allowed ", " could i ", " could we ", " darf ", " durfen ",
    " kann ich ", " kann man ", " konnen wir ", " is it ok ", " is it okay ", " is it allowed ", " ist es erlaubt ",
    // French
    " puis je ", " peut on ", " on peut ", " je peux ", " pouvons nous ", " est ce que je peux ", " est ce qu on peut ",
    " est ce que on peut ", " est ce que nous pouvons ", " ai je le droit ", " a t on le droit ", " est il permis ",
    " est il possible ",
    // Spanish
    " puedo ", " podemos ", " se puede ", " se pueden ", " esta permitido ", " esta prohibido ", " es posible ",
    // Italian and Portuguese
    " posso ", " possiamo ", " si puo ", " si possono ", " e permesso ", " e vietato ", " pode se ", " podem se ",
    " e permitido ",
    // Dutch and Polish
    " mag ik ", " mogen we ", " kan ik ", " czy moge ", " czy mozna ", " czy wolno ",
    // Russian
    " можно ", " могу ли я ", " можем ли мы ", " разрешено ли ", " разрешается ли ", " нельзя ли ", " могу я ",
    // Arabic
    " هل يمكن ", " هل يمكنني ", " هل يجوز ", " هل يسمح ", " هل استطيع ", " هل نستطيع ", " هل مسموح "};
constexpr std::string_view kAskMust[] = {
    " do i have to ", " do we have to ", " do i need to ", " do we need to ", " must ", " have i to ",
    " does it have to ", " should i ", " should we ", " muss ", " mussen ", " brauche ich ",
    // French, Spanish, Italian, Portuguese
    " dois je ", " doit on ", " faut il ", " devons nous ", " est ce que je dois ", " est ce qu il faut ",
    " est ce qu on doit ", " tengo que ", " tenemos que ", " debo ", " hay que ", " devo ", " dobbiamo ", " bisogna ",
    " tenho que ", " preciso ",
    // Dutch and Polish
    " moet ik ", " moeten we ", " czy musze ", " czy trzeba ",
    // Russian
    " нужно ли ", " надо ли ", " должен ли ", " должна ли ", " должны ли ", " обязан ли ", " обязательно ли ",
    // Arabic
    " هل يجب ", " هل علي ", " هل يلزم "};
// Chinese and Japanese, anywhere; of these only what asks yes or no.
constexpr std::string_view kWideMay[] = {"可以",       "能不能",     "可不可以", "能否",       "允许",
                                         "能",         "てもいい",   "ていい",   "ても大丈夫", "てよい",
                                         "できますか", "可能ですか", "許可",     "禁止"};
constexpr std::string_view kWideMust[] = {"必须", "要不要", "需要", "需不需要", "なければ", "必要ですか", "べきですか"};
constexpr std::string_view kWideYesOrNo[] = {
    "吗",     "嗎",       "能不能", "可不可以",   "能否",       "要不要",   "需不需要",   "いいですか", "いいか",
    "ていい", "てもいい", "大丈夫", "できますか", "可能ですか", "なければ", "必要ですか", "べきですか", "ですか"};

bool begins_with_any(std::string_view folded, std::span<const std::string_view> beginnings) {
  return std::any_of(beginnings.begin(), beginnings.end(),
                     [&](std::string_view beginning) { return folded.starts_with(beginning); });
}

}  // namespace

namespace {

bool holds_any(std::string_view text, std::span<const std::string_view> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

// Who asks when, how much, who or where asks for no leave.
bool asks_for_more(std::string_view question, const std::string& folded) {
  constexpr Asking kMore[] = {Asking::kDate,  Asking::kNumber, Asking::kDuration,  Asking::kPerson,
                              Asking::kPlace, Asking::kReason, Asking::kFrequency, Asking::kList};
  return std::any_of(std::begin(kMore), std::end(kMore),
                     [&](Asking asking) { return asks_for(asking, question, folded); });
}

Permission asked_without_spaces(std::string_view question, const std::string& folded) {
  if (!holds_any(question, kWideYesOrNo) || asks_for_more(question, folded)) return Permission::kNone;
  if (holds_any(question, kWideMust)) return Permission::kMust;
  return holds_any(question, kWideMay) ? Permission::kMay : Permission::kNone;
}

// "Sind Hunde erlaubt?", "hühner erlaubt?", "est-ce que les barbecues sont autorisés"
bool asks_by_rule(std::string_view question, const std::string& folded) {
  constexpr std::string_view kBe[] = {" is ", " are ", " ist ", " sind "};
  const std::vector<std::string> words = words_of(question);
  const auto any = [&](std::span<const std::string_view> rules) {
    return std::any_of(words.begin(), words.end(), [&](const std::string& word) { return one_of(word, rules); });
  };
  const bool short_form = !words.empty() && words.size() <= 3 && one_of(words.back(), kPermits);
  if (any(kPermits) && (begins_with_any(folded, kBe) || short_form)) return true;
  return any(kPermitsElsewhere) && !asks_for_more(question, folded);
}

}  // namespace

namespace {

// In words of the question's own language.
Permission asked_in(Language language, std::string_view question, const std::string& folded) {
  static const PhrasesOfLanguages kMay([](const LanguageFacts& facts) { return facts.rules.asking_may; });
  static const PhrasesOfLanguages kMust([](const LanguageFacts& facts) { return facts.rules.asking_must; });
  static const PhrasesOfLanguages kPermitting([](const LanguageFacts& facts) { return facts.rules.permits; }, " ");
  if (kMust.of(language).any_begins(folded)) return Permission::kMust;
  if (kMay.of(language).any_begins(folded)) return Permission::kMay;
  const bool verbs_close = language == Language::kKorean && !asks_for_more(question, folded);  // "피워도 되나요"
  if (verbs_close && kMust.of(language).any_in(folded)) return Permission::kMust;
  if (verbs_close && kMay.of(language).any_in(folded)) return Permission::kMay;
  const bool permits = kPermitting.of(language).any_in(folded);
  return permits && !asks_for_more(question, folded) ? Permission::kMay : Permission::kNone;
}

const FoldedPhrases& may_rules() {
  static const FoldedPhrases kRules{phrases_of_all([](const LanguageFacts& facts) { return facts.rules.may_rules; })};
  return kRules;
}

const FoldedPhrases& must_rules() {
  static const FoldedPhrases kRules{phrases_of_all([](const LanguageFacts& facts) { return facts.rules.must_rules; })};
  return kRules;
}

}  // namespace

Permission asked_permission(std::string_view question) {
  const std::string folded = " " + folded_text(question) + " ";
  const Permission own = asked_in(language_of(question), question, folded);
  if (own != Permission::kNone) return own;
  if (begins_with_any(folded, kAskMust)) return Permission::kMust;
  if (begins_with_any(folded, kAskMay)) return Permission::kMay;
  if (written_without_spaces(question)) return asked_without_spaces(question, folded);
  return asks_by_rule(question, folded) ? Permission::kMay : Permission::kNone;
}

double ruling_cue(std::string_view sentence, Permission asked) {
  if (asked == Permission::kNone) return 0.0;
  const std::string folded = " " + folded_text(sentence) + " ";
  const bool may = says_any(folded, kMayRules) || may_rules().any_in(folded);
  const bool must = says_any(folded, kMustRules) || must_rules().any_in(folded);
  const bool fits = asked == Permission::kMay ? may : must;
  return fits ? 1.0 : may || must ? kOtherRule : 0.0;
}

bool only_asks_permission(std::string_view folded, std::string_view deed) {
  static const std::unordered_set<std::string> kOfLanguages = [] {
    std::unordered_set<std::string> words =
        words_of_all([](const LanguageFacts& facts) { return facts.rules.permits; });
    words.merge(words_of_all([](const LanguageFacts& facts) { return facts.rules.light_deeds; }));
    return words;
  }();
  return one_of(folded, kPermits) || one_of(folded, kPermitsElsewhere) || kOfLanguages.contains(std::string(folded)) ||
         (folded == deed && one_of(folded, kLightDeeds));
}

}  // namespace mneme::rag
