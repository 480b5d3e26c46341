#include "rag/text/asked/plain_question.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <vector>

#include "rag/text/documents/document_kinds.h"
#include "rag/text/words/phrases.h"
#include "rag/text/words/placed_words.h"

namespace mneme::rag {

namespace {

using Words = std::span<const PlacedWord>;
using Phrases = std::span<const std::string_view>;

// How one language makes requests. All phrases folded.
struct Requests {
  Phrases explain;         // before a thing or a question: "explain"
  Phrases tell;            // before a question, or the name of what is wanted: "tell me"
  Phrases give;            // before the name of what is wanted: "give me"
  Phrases of;              // between "explain" and the thing: "the meaning of"
  std::string_view what;   // "What is "
  std::string_view which;  // "What is " of what is wanted by its name: "Quel est "
  std::string_view end;    // behind the question
};

constexpr std::string_view kExplainEnglish[] = {"explain",     "explain me", "explain to me", "describe",
                                                "describe me", "define",     "describe to me"};
constexpr std::string_view kTellEnglish[] = {
    "tell me",          "tell us",         "let me know",          "i want to know",
    "i d like to know", "do you know",     "i would like to know", "remind me",
    "i need to know",   "can you tell me", "could you tell me"};
constexpr std::string_view kGiveEnglish[] = {"give me", "name", "name me", "state", "get me", "i need", "give us"};
constexpr std::string_view kOfEnglish[] = {"the concept of", "the meaning of",    "the term",     "the word",
                                           "the idea of",    "the definition of", "the notion of"};
constexpr std::string_view kExplainGerman[] = {"erklare",    "erklar",         "erklare mir", "erklar mir",
                                               "beschreibe", "beschreibe mir", "beschreib",   "definiere",
                                               "erlautere",  "erlautere mir"};
constexpr std::string_view kTellGerman[] = {
    "sag mir", "sage mir", "verrate mir", "ich mochte wissen", "weisst du", "kannst du mir sagen", "sagen sie mir"};
constexpr std::string_view kGiveGerman[] = {"nenne", "nenn", "nenne mir", "nenn mir", "gib mir", "nennen sie mir"};
constexpr std::string_view kOfGerman[] = {"den begriff", "die bedeutung von", "das wort"};
constexpr std::string_view kExplainFrench[] = {"explique", "explique moi", "expliquez", "expliquez moi",
                                               "decris",   "decrivez",     "definis",   "definissez"};
constexpr std::string_view kTellFrench[] = {"dis moi", "dites moi", "je veux savoir"};
constexpr std::string_view kGiveFrench[] = {"donne moi", "donnez moi", "nomme", "indique moi", "indiquez moi"};
constexpr std::string_view kExplainSpanish[] = {"explica", "explicame", "explique", "describe", "define", "definir"};
constexpr std::string_view kTellSpanish[] = {"dime", "digame", "quiero saber"};
constexpr std::string_view kGiveSpanish[] = {"dame", "deme", "nombra", "indicame"};
constexpr std::string_view kExplainItalian[] = {"spiega", "spiegami", "descrivi", "descrivimi", "definisci"};
constexpr std::string_view kTellItalian[] = {"dimmi", "mi dica", "vorrei sapere"};
constexpr std::string_view kGiveItalian[] = {"dammi", "mi dia", "indicami"};
constexpr std::string_view kExplainPortuguese[] = {"explica me", "explique me", "descreva", "defina"};
constexpr std::string_view kTellPortuguese[] = {"diz me", "diga me", "me diga", "quero saber"};
constexpr std::string_view kGivePortuguese[] = {"da me", "de me", "me de", "indique"};
constexpr std::string_view kExplainRussian[] = {"объясни", "объясните", "объясни мне", "опиши", "опишите", "определи"};
constexpr std::string_view kTellRussian[] = {"скажи", "скажите", "скажи мне", "подскажи", "подскажите", "расскажи"};

constexpr std::array kLanguages = {
    Requests{kExplainEnglish, kTellEnglish, kGiveEnglish, kOfEnglish, "What is ", "What is ", "?"},
    Requests{kExplainGerman, kTellGerman, kGiveGerman, kOfGerman, "Was ist ", "Was ist ", "?"},
    Requests{kExplainFrench, kTellFrench, kGiveFrench, {}, "Qu'est-ce que ", "Quel est ", " ?"},
    Requests{kExplainSpanish, kTellSpanish, kGiveSpanish, {}, "¿Qué es ", "¿Cuál es ", "?"},
    Requests{kExplainItalian, kTellItalian, kGiveItalian, {}, "Che cosa è ", "Qual è ", "?"},
    Requests{kExplainPortuguese, kTellPortuguese, kGivePortuguese, {}, "O que é ", "Qual é ", "?"},
    Requests{kExplainRussian, kTellRussian, {}, {}, "Что такое ", "", "?"}};

constexpr std::string_view kAsking[] = {
    "what",    "who",    "whom",   "whose",  "when",    "where",    "why",     "how",     "which",  "was",
    "wer",     "wem",    "wen",    "wann",   "wo",      "warum",    "wieso",   "wie",     "welche", "welcher",
    "welches", "wohin",  "qui",    "quand",  "ou",      "pourquoi", "comment", "combien", "quel",   "quelle",
    "quien",   "cuando", "donde",  "como",   "cuanto",  "cual",     "que",     "chi",     "cosa",   "quando",
    "dove",    "perche", "come",   "quanto", "quale",   "quem",     "onde",    "qual",    "кто",    "что",
    "когда",   "где",    "почему", "как",    "сколько", "какой",    "какая",   "какие"};
// Of what is given or told by its name.
constexpr std::string_view kDetermining[] = {
    "the", "my", "our", "his", "her", "their", "der", "die", "das", "den", "mein", "meine", "meinen", "le", "la",
    "les", "l",  "mon", "ma",  "el",  "los",   "las", "mi",  "il",  "lo",  "gli",  "i",     "o",      "os", "as"};
constexpr std::string_view kPolite[] = {"please", "can",    "could", "would",  "you", "kindly",
                                        "bitte",  "kannst", "du",    "konnen", "sie"};
constexpr std::string_view kPoliteLast[] = {"please", "bitte"};
constexpr std::string_view kToWhom[] = {"me", "us", "mir", "uns"};

std::string with_capital(std::string text) {
  if (!text.empty() && text.front() >= 'a' && text.front() <= 'z')
    text.front() = static_cast<char>(text.front() - 'a' + 'A');
  return text;
}

// What is asked from these words on, as a question behind `before`.
std::string asked(std::string_view question, Words words, std::string_view before, std::string_view end = "?") {
  std::string_view rest = question.substr(words.front().begin);
  const PlacedWord& last = words.back();
  const size_t n = last.end - words.front().begin;
  const std::string_view behind = rest.substr(n);
  // "Box<T>": signs behind the last word belong to it, marks that end a sentence do not.
  const size_t signs = std::min(behind.find_first_of(" .!?,;"), behind.size());
  return with_capital(std::string(before) + std::string(rest.substr(0, n + signs)) + std::string(end));
}

// Several of them, in English: "logs", not "address" or "status".
bool is_plural(std::string_view folded) {
  return folded.ends_with("s") && !folded.ends_with("ss") && !folded.ends_with("us");
}

bool says_any_of(Words words, Phrases of) {
  return std::any_of(words.begin(), words.end(), [&](const PlacedWord& word) { return one_of(word.text, of); });
}

// "The phone number of the bank", "my size": what is wanted has a name; not "a list", nor one of the documents.
bool is_wanted_by_name(Words words) {
  return words.size() > 1 && one_of(words.front().text, kDetermining) && !is_any_document(words[1].text);
}

std::optional<std::string> asked_by(const Requests& language, std::string_view question, Words words) {
  if (const size_t n = begins_with(words, language.explain); n > 0 && n < words.size()) {
    Words thing = words.subspan(n);
    if (one_of(thing.front().text, kAsking)) return asked(question, thing, "", language.end);
    thing = thing.subspan(begins_with(thing, language.of));
    if (thing.size() > 2 && thing[thing.size() - 2].text == "to" && one_of(thing.back().text, kToWhom))
      thing = thing.first(thing.size() - 2);
    return thing.empty() ? std::nullopt : std::optional(asked(question, thing, language.what, language.end));
  }
  const size_t told = begins_with(words, language.tell);
  const size_t given = begins_with(words, language.give);
  const size_t n = std::max(told, given);
  if (n == 0 || n >= words.size()) return std::nullopt;
  const Words wanted = words.subspan(n);
  if (told > 0 && one_of(wanted.front().text, kAsking)) return asked(question, wanted, "", language.end);
  if (language.which.empty() || !is_wanted_by_name(wanted)) return std::nullopt;
  constexpr std::string_view kOne = "What is ";
  const bool several = language.which == kOne && is_plural(wanted[1].text);
  return asked(question, wanted, several ? "What are " : language.which, language.end);
}

// "List the steps to bake bread", "list the ingredients of the cake", "find the address of the bank".
std::optional<std::string> asked_of_thing(std::string_view question, Words words) {
  constexpr std::string_view kList[] = {"list", "list me", "enumerate"};
  constexpr std::string_view kSteps[] = {
      "the steps to",        "steps to",      "all steps to",       "all the steps to",
      "the steps needed to", "the steps for", "the instructions to"};
  constexpr std::string_view kFind[] = {"find", "find me", "find out", "look up", "show me", "get"};
  constexpr std::string_view kOf[] = {"of", "for"};
  constexpr std::string_view kAny[] = {"a", "an", "any"};
  constexpr std::string_view kAbout[] = {"tell me about", "tell me more about", "tell me something about"};
  if (const size_t n = begins_with(words, kAbout); n > 0 && n < words.size())
    return asked(question, words.subspan(n), "What is ");
  if (const size_t n = begins_with(words, kList); n > 0 && n < words.size()) {
    const Words listed = words.subspan(n);
    const size_t steps = begins_with(listed, kSteps);
    if (steps > 0 && steps < listed.size()) return asked(question, listed.subspan(steps), "How do I ");
    // "List the contents of a folder" asks for a command.
    const bool of_one = is_wanted_by_name(listed) && says_any_of(listed, kOf) && !says_any_of(listed, kAny);
    return of_one ? std::optional(asked(question, listed, "What are ")) : std::nullopt;
  }
  const size_t n = begins_with(words, kFind);
  if (n == 0 || n >= words.size()) return std::nullopt;
  const Words found = words.subspan(n);
  const bool of_one = is_wanted_by_name(found) && says_any_of(found, kOf) && !says_any_of(found, kAny) &&
                      !is_document_kind(found[1].text) && !is_plural(found[1].text);
  return of_one ? std::optional(asked(question, found, "What is ")) : std::nullopt;
}

// Who was not there, as minutes put it.
struct Absence {
  Phrases asking;
  std::string_view plain;
};

constexpr std::string_view kAbsentEnglish[] = {"who did not come to",    "who didn t come to",   "who did not attend",
                                               "who didn t attend",      "who did not join",     "who didn t join",
                                               "who was not at",         "who wasn t at",        "who missed",
                                               "who did not show up to", "who didn t show up to"};
constexpr std::string_view kAbsentGerman[] = {"wer war nicht bei",       "wer war nicht auf",  "wer kam nicht zu",
                                              "wer kam nicht zur",       "wer kam nicht zum",  "wer war nicht in",
                                              "wer war nicht dabei bei", "wer hat gefehlt bei"};
constexpr std::string_view kAbsentFrench[] = {"qui n etait pas a", "qui n est pas venu a", "qui a manque"};
constexpr std::string_view kAbsentSpanish[] = {"quien no vino a", "quien no asistio a", "quien no estuvo en",
                                               "quien falto a"};
constexpr std::string_view kAbsentItalian[] = {"chi non c era a",       "chi non c era alla", "chi non e venuto a",
                                               "chi non e venuto alla", "chi mancava a",      "chi mancava alla"};
constexpr std::string_view kAbsentDutch[] = {"wie was er niet bij", "wie was niet bij", "wie kwam niet naar",
                                             "wie ontbrak bij"};
constexpr std::string_view kAbsentSwedish[] = {"vem var inte med pa", "vem kom inte till", "vem saknades pa"};
constexpr std::string_view kAbsentRussian[] = {"кто не пришел на", "кого не было на"};

constexpr Absence kAbsences[] = {
    {kAbsentEnglish, "Who was absent from "},    {kAbsentGerman, "Wer fehlte bei "},
    {kAbsentFrench, "Qui était absent à "},      {kAbsentSpanish, "¿Quién estuvo ausente en "},
    {kAbsentItalian, "Chi era assente a "},      {kAbsentDutch, "Wie was afwezig bij "},
    {kAbsentSwedish, "Vem var frånvarande på "}, {kAbsentRussian, "Кто отсутствовал на "}};

std::optional<std::string> asked_of_absent(std::string_view question, Words words) {
  for (const Absence& absence : kAbsences) {
    const size_t n = begins_with(words, absence.asking);
    if (n > 0 && n < words.size()) return asked(question, words.subspan(n), absence.plain);
  }
  return std::nullopt;
}

// Of writings without spaces.
std::optional<std::string> asked_wide(std::string_view question) {
  struct Form {
    std::string_view before;
    std::string_view behind;
    std::string_view asks;  // behind what stands between
  };
  constexpr Form kForms[] = {{"请告诉我", "", ""},
                             {"告诉我", "", ""},
                             {"请解释一下", "", "是什么？"},
                             {"请解释", "", "是什么？"},
                             {"解释一下", "", "是什么？"},
                             {"解释", "", "是什么？"},
                             {"", "について説明して", "とは何ですか？"},
                             {"", "を説明して", "とは何ですか？"},
                             {"", "について教えて", "とは何ですか？"},
                             {"", "を教えて", "は？"}};
  constexpr std::string_view kEnds[] = {"。", "！", "ください", "下さい", "吧"};
  for (bool cut = true; cut;) {
    cut = false;
    for (const std::string_view end : kEnds) {
      if (question.ends_with(end)) question.remove_suffix(end.size()), cut = true;
    }
  }
  for (const Form& form : kForms) {
    const size_t around = form.before.size() + form.behind.size();
    if (question.size() <= around || !question.starts_with(form.before) || !question.ends_with(form.behind)) continue;
    std::string_view thing = question.substr(form.before.size(), question.size() - around);
    while (thing.starts_with("，") || thing.starts_with("、")) thing.remove_prefix(std::string_view("，").size());
    const bool asks = thing.ends_with("？") || thing.find("什么") != std::string_view::npos || thing.ends_with("か");
    return std::string(thing) + std::string(asks ? "" : form.asks);
  }
  return std::nullopt;
}

}  // namespace

namespace {

// "Whats the code", as people type it.
std::string with_apostrophes(std::string_view question) {
  struct Typed {
    std::string_view folded;
    std::string_view end;  // behind the apostrophe
  };
  constexpr Typed kTyped[] = {{"whats", "s"}, {"wheres", "s"}, {"whos", "s"},   {"whens", "s"}, {"hows", "s"},
                              {"didnt", "t"}, {"doesnt", "t"}, {"dont", "t"},   {"isnt", "t"},  {"arent", "t"},
                              {"wasnt", "t"}, {"werent", "t"}, {"havent", "t"}, {"hasnt", "t"}, {"couldnt", "t"}};
  std::string plain;
  size_t copied = 0;
  WordScanner scanner(question);
  for (Word word; scanner.next(word);) {
    const auto* const typed =
        std::find_if(std::begin(kTyped), std::end(kTyped), [&](const Typed& one) { return one.folded == word.text; });
    if (typed == std::end(kTyped) || word.byte_end - word.byte_begin != typed->folded.size()) continue;
    const size_t end = word.byte_end - typed->end.size();
    plain.append(question.substr(copied, end - copied)).append("'");
    copied = end;
  }
  return plain.append(question.substr(copied));
}

std::string plainly(std::string_view question);

}  // namespace

std::string plain_question(std::string_view question) {
  return plainly(with_apostrophes(question));
}

namespace {

std::string plainly(std::string_view question) {
  const std::vector<PlacedWord> all = placed_words(question);
  Words words(all);
  if (words.empty()) return std::string(question);
  if (words.front().pair || words.back().pair) return asked_wide(question).value_or(std::string(question));
  while (words.size() > 2 && one_of(words.front().text, kPolite)) words = words.subspan(1);
  while (words.size() > 2 && one_of(words.back().text, kPoliteLast)) words = words.first(words.size() - 1);
  for (const Requests& language : kLanguages) {
    if (std::optional<std::string> asks = asked_by(language, question, words)) return *std::move(asks);
  }
  if (std::optional<std::string> absent = asked_of_absent(question, words)) return *std::move(absent);
  return asked_of_thing(question, words).value_or(std::string(question));
}

}  // namespace

}  // namespace mneme::rag
