#include "rag/text/asked/comparison.h"

#include <algorithm>
#include <cstddef>
#include <span>

#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

constexpr size_t kLongestThing = 4;  // words; what is longer is no name

// A way of comparing: the things stand behind `before`, parted by `between`, and before `after`.
struct Comparing {
  std::span<const std::string_view> before;
  std::span<const std::string_view> between;
  std::span<const std::string_view> after;
  std::string_view what_is;
  bool is_command = false;  // the question begins so: "How do I compare two files?" compares nothing
};
constexpr std::string_view kDifference[] = {"difference", "between"};
constexpr std::string_view kDifferences[] = {"differences", "between"};
constexpr std::string_view kUnterschied[] = {"unterschied", "zwischen"};
constexpr std::string_view kHowDo[] = {"how", "do"};
constexpr std::string_view kHowDoes[] = {"how", "does"};
constexpr std::string_view kHowIs[] = {"how", "is"};
constexpr std::string_view kHowAre[] = {"how", "are"};
constexpr std::string_view kCompare[] = {"compare"};
constexpr std::string_view kAnd[] = {"and"};
constexpr std::string_view kTo[] = {"to"};
constexpr std::string_view kWith[] = {"with"};
constexpr std::string_view kUnd[] = {"und"};
constexpr std::string_view kDifferFrom[] = {"differ", "from"};
constexpr std::string_view kDifferentFrom[] = {"different", "from"};
constexpr std::string_view kDiffer[] = {"differ"};
constexpr std::string_view kDifferent[] = {"different"};
constexpr std::string_view kVs[] = {"vs"};
constexpr std::string_view kVersus[] = {"versus"};
constexpr Comparing kComparings[] = {{kDifference, kAnd, {}, "What is "},
                                     {kDifferences, kAnd, {}, "What is "},
                                     {kUnterschied, kUnd, {}, "Was ist "},
                                     {kHowDoes, kDifferFrom, {}, "What is "},
                                     {kHowDo, kDifferFrom, {}, "What is "},
                                     {kHowIs, kDifferentFrom, {}, "What is "},
                                     {kHowDo, kAnd, kDiffer, "What is "},
                                     {kHowAre, kDifferentFrom, {}, "What is "},
                                     {kHowAre, kAnd, kDifferent, "What is "},
                                     {kCompare, kAnd, {}, "What is ", true},
                                     {kCompare, kTo, {}, "What is ", true},
                                     {kCompare, kWith, {}, "What is ", true},
                                     {{}, kVs, {}, "What is "},
                                     {{}, kVersus, {}, "What is "}};

struct Spans {
  std::vector<std::string> words;
  std::vector<size_t> begin;
  std::vector<size_t> end;
};

Spans spans_of(std::string_view question) {
  Spans spans;
  WordScanner scanner(question);
  for (Word word; scanner.next(word);) {
    spans.words.emplace_back(word.text);
    spans.begin.push_back(word.byte_begin);
    spans.end.push_back(word.byte_end);
  }
  return spans;
}

// Where the words of `wanted` follow each other, from `first` on; the number of words where they do not.
size_t find_words(const Spans& spans, std::span<const std::string_view> wanted, size_t first) {
  const auto from = spans.words.begin() + static_cast<std::ptrdiff_t>(std::min(first, spans.words.size()));
  return static_cast<size_t>(std::search(from, spans.words.end(), wanted.begin(), wanted.end()) - spans.words.begin());
}

bool is_thing(size_t begin, size_t end) {
  return begin < end && end - begin <= kLongestThing;
}

}  // namespace

std::vector<std::string> compared_definitions(std::string_view question) {
  const Spans spans = spans_of(question);
  const size_t n = spans.words.size();
  const auto text = [&](size_t begin, size_t end) {
    return std::string(question.substr(spans.begin[begin], spans.end[end - 1] - spans.begin[begin]));
  };
  for (const Comparing& way : kComparings) {
    const size_t before = find_words(spans, way.before, 0);
    const size_t first = before + way.before.size();
    const size_t first_end = find_words(spans, way.between, first);
    const size_t second = first_end + way.between.size();
    if (before >= n || first_end >= n || second >= n || (way.is_command && before > 0)) continue;
    const size_t last = way.after.empty() ? n : find_words(spans, way.after, second);
    if (last >= n && !way.after.empty()) continue;
    constexpr std::string_view kIn[] = {"in"};
    const size_t where = std::min(find_words(spans, kIn, second), last);  // "in Rust" is said of both
    if (!is_thing(first, first_end) || !is_thing(second, where)) continue;
    const std::string context = (where < last ? " " + text(where, last) : "") + "?";
    const std::string what_is(way.what_is);
    return {what_is + text(first, first_end) + context, what_is + text(second, where) + context};
  }
  return {};
}

}  // namespace mneme::rag
