#include "rag/follow_ups/way_back.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <vector>

#include "rag/follow_ups/follow_up_words.h"
#include "rag/text/languages/stop_words.h"
#include "rag/text/words/phrases.h"

namespace mneme::rag {

namespace {

using Words = std::span<const PlacedWord>;

// "Return", as timetables call it, for "back"; in other languages it is called as it is asked for.
std::string way_back_called(std::string_view said, std::string_view folded) {
  constexpr std::string_view kBack[] = {"back", "return"};
  constexpr std::string_view kOther[] = {"zuruck", "retour", "vuelta", "ritorno", "volta", "обратно"};
  if (one_of(folded, kBack)) return "on the return";
  return one_of(folded, kOther) ? std::string(said) : std::string();
}

// "to Lisbon", "nach Porto": from the preposition to the last word of what has a name there.
Words destination_in(std::string_view text, Words words) {
  constexpr std::string_view kTo[] = {"to", "nach", "a", "para", "в"};
  for (size_t i = 1; i + 1 < words.size(); ++i) {
    if (!one_of(words[i].text, kTo)) continue;
    size_t end = i + 1;
    while (end < words.size() && begins_with_capital(text, words[end]) && !is_stop_word(words[end].text)) ++end;
    if (end > i + 1) return words.subspan(i, end - i);
  }
  return {};
}

}  // namespace

std::optional<std::string> with_way_back(std::string_view before, std::string_view follow_up) {
  const std::vector<PlacedWord> said = spaced_words(follow_up);
  const size_t n = n_continuing(said, language_of(follow_up));
  if (n == 0 || n + 1 != said.size()) return std::nullopt;
  const std::string called = way_back_called(spanned(follow_up, Words(said).subspan(n)), said[n].text);
  if (called.empty()) return std::nullopt;
  const std::vector<PlacedWord> asked = spaced_words(before);
  const Words to = destination_in(before, asked);
  if (to.empty()) return std::nullopt;
  return std::string(before.substr(0, to.front().begin)) + called + std::string(before.substr(to.back().end));
}

}  // namespace mneme::rag
