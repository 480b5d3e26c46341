#include "rag/text/asked/default.h"

#include <algorithm>
#include <string>

#include "base/ascii.h"
#include "rag/text/words/phrases.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

constexpr std::string_view kWords[] = {
    "default",          "defaults",          "preset",      "standardmassig",   "standardwert",       "voreinstellung",
    "voreingestellt",   "vorgabe",           "vorgabewert", "werkseinstellung", "werkseinstellungen", "werkseitig",
    "grundeinstellung", "grundeinstellungen"};
constexpr std::string_view kPhrases[] = {"factory setting",
                                         "factory settings",
                                         "ab werk",
                                         "out of the box",
                                         "when delivered",
                                         "as delivered",
                                         "unless given",
                                         "unless set",
                                         "unless it is given",
                                         "unless it is set",

                                         "if unset",
                                         "if not set",
                                         "if not given",
                                         "if omitted",
                                         "if left out",
                                         "if it is left out",
                                         "if it is not set",
                                         "if it is not given",
                                         "without it",
                                         "when omitted",
                                         "otherwise",
                                         "initially",
                                         "bei auslieferung",
                                         "wenn nicht anders",
                                         "falls nicht",
                                         "ohne angabe",
                                         "par defaut",
                                         "por defecto",
                                         "predeterminado",
                                         "predefinito",
                                         "por padrao",
                                         "по умолчанию",
                                         "默认",
                                         "缺省",
                                         "既定"};

// "timeout=10.0", as heads of functions have it; not "--width=PIXELS", which stands for any value.
bool assigns(std::string_view text) {
  for (size_t at = text.find('='); at != std::string_view::npos; at = text.find('=', at + 1)) {
    if (at == 0 || at + 1 == text.size() || !(is_letter(text[at - 1]) || is_digit(text[at - 1]))) continue;
    const std::string_view value = text.substr(at + 1, text.find_first_of(" ,;)]", at + 1) - at - 1);
    const bool stands_for_any =
        std::none_of(value.begin(), value.end(), [](char c) { return is_digit(c) || (c >= 'a' && c <= 'z'); });
    if (!value.empty() && value.front() != '=' && !stands_for_any) return true;
  }
  return false;
}

bool says_phrase_of_default(std::string_view folded) {
  static const FoldedPhrases kFolded{kPhrases};
  return kFolded.any_in(folded);
}

bool says_word_of_default(std::string_view text) {
  WordScanner scanner(text);
  for (Word word; scanner.next(word);) {
    if (one_of(word.text, kWords)) return true;
  }
  return false;
}

}  // namespace

bool is_default_word(std::string_view folded) {
  constexpr std::string_view kBeside[] = {"value", "factory", "set", "wert", "werk", "eingestellt", "gesetzt"};
  return one_of(folded, kWords) || one_of(folded, kBeside);
}

bool asks_default(std::string_view question) {
  constexpr std::string_view kAsking[] = {"ab werk", "factory setting", "factory settings", "out of the box"};
  return says_word_of_default(question) || says_any(" " + folded_text(question) + " ", kAsking);
}

bool states_default(std::string_view text) {
  return says_word_of_default(text) || says_phrase_of_default(" " + folded_text(text) + " ") || assigns(text);
}

}  // namespace mneme::rag
