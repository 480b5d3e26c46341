#include "rag/text/asked/meaning.h"

#include <algorithm>
#include <span>
#include <vector>

#include "rag/text/languages/stop_words.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

constexpr size_t kLongestThing = 3;  // words: "what does the name of the river mean" asks for more than a definition

// A way of asking: the thing stands behind `before`, and before `after`, which may be none.
struct Asking {
  std::span<const std::string_view> before;
  std::span<const std::string_view> after;
  std::string_view plainly;
};
constexpr std::string_view kWhatDoes[] = {"what", "does"};
constexpr std::string_view kWhatDo[] = {"what", "do"};
constexpr std::string_view kMeaningOf[] = {"what", "is", "the", "meaning", "of"};
constexpr std::string_view kDefine[] = {"define"};
constexpr std::string_view kWasBedeutet[] = {"was", "bedeutet"};
constexpr std::string_view kWofuerSteht[] = {"wofur", "steht"};
constexpr std::string_view kMean[] = {"mean"};
constexpr std::string_view kStandFor[] = {"stand", "for"};
constexpr Asking kAskings[] = {{kWhatDoes, kMean, "What is "}, {kWhatDoes, kStandFor, "What is "},
                               {kWhatDo, kMean, "What are "},  {kWhatDo, kStandFor, "What are "},
                               {kMeaningOf, {}, "What is "},   {kDefine, {}, "What is "},
                               {kWasBedeutet, {}, "Was ist "}, {kWofuerSteht, {}, "Was ist "}};

struct Span {
  size_t begin = 0;
  size_t end = 0;
};

}  // namespace

std::string asked_plainly(std::string_view question) {
  std::vector<std::string> words;
  std::vector<Span> spans;
  WordScanner scanner(question);
  for (Word word; scanner.next(word);) {
    words.emplace_back(word.text);
    spans.push_back({word.byte_begin, word.byte_end});
  }
  for (const Asking& asking : kAskings) {
    const size_t first = asking.before.size();
    if (words.size() <= first || !std::equal(asking.before.begin(), asking.before.end(), words.begin())) continue;
    const auto after = asking.after.empty() ? words.end()
                                            : std::search(words.begin() + static_cast<std::ptrdiff_t>(first),
                                                          words.end(), asking.after.begin(), asking.after.end());
    if (!asking.after.empty() && after == words.end()) continue;
    const auto last = static_cast<size_t>(after - words.begin());
    const bool says_something = std::any_of(words.begin() + static_cast<std::ptrdiff_t>(first), after,
                                            [](const std::string& word) { return !is_stop_word(word); });
    // "What does E1 mean on the kettle?" asks what it says there.
    const size_t next = last + asking.after.size();
    const bool ends = next >= words.size() || words[next] == "in";
    if (last - first > kLongestThing || !says_something || !ends) return std::string(question);
    std::string plain(asking.plainly);
    plain += question.substr(spans[first].begin, spans[last - 1].end - spans[first].begin);
    plain += question.substr(spans[last - 1 + asking.after.size()].end);  // "in Rust?"
    return plain;
  }
  return std::string(question);
}

}  // namespace mneme::rag
