#include "rag/follow_ups/wide_follow_ups.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <span>

#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

using Phrases = std::span<const std::string_view>;

constexpr std::string_view kTopicMark = "：";

// Longer ones first, so that 那个 is not cut to 那.
constexpr std::string_view kPointing[] = {"那个", "这个", "那些",   "这些", "那里", "这里", "那边",   "这边",
                                          "它们", "他们", "她们",   "它",   "他",   "她",   "それら", "それ",
                                          "これ", "あれ", "あそこ", "そこ", "彼女", "彼"};
constexpr std::string_view kPointingOf[] = {"その", "この", "あの"};  // of a thing that is named behind it
constexpr std::string_view kLeading[] = {"那么",       "那",     "然后", "还有", "而",     "对了",     "それでは",
                                         "それじゃあ", "じゃあ", "では", "あと", "そして", "ちなみに", "で、"};
// What asks and names nothing; longer ones first.
constexpr std::string_view kAsking[] = {
    "什么时候",   "多长时间",   "多少钱",     "是多少",     "在哪里",       "在哪儿",     "哪一天",
    "几点钟",     "为什么",     "怎么办",     "怎么样",     "多少",         "多久",       "几点",
    "几号",       "哪里",       "哪儿",       "哪天",       "什么",         "怎么",       "几天",
    "几月",       "是谁",       "谁",         "哪",         "いくらですか", "いつですか", "どこですか",
    "誰ですか",   "だれですか", "何時ですか", "何ですか",   "いつまでに",   "いくら",     "どこ",
    "どうすれば", "どのくらい", "どう",       "いつ",       "何時",         "何日",       "何",
    "誰",         "だれ",       "なぜ",       "いいですか", "ですか",       "ますか",     "でしょうか"};
constexpr std::string_view kLittle[] = {"我们", "我", "你",   "您",   "吗",   "呢",   "的",   "了",   "是", "要",
                                        "能",   "会", "可以", "应该", "需要", "今年", "现在", "一共", "付", "交",
                                        "花",   "有", "请问", "还",   "私",   "の",   "は",   "が",   "を", "に",
                                        "で",   "と", "も",   "か",   "？",   "?",    "。",   "、"};

bool begins_any(std::string_view text, Phrases phrases, std::string_view& found) {
  const auto it = std::find_if(phrases.begin(), phrases.end(), [&](std::string_view p) { return text.starts_with(p); });
  if (it == phrases.end()) return false;
  found = *it;
  return true;
}

bool ends_any(std::string_view text, Phrases phrases, std::string_view& found) {
  const auto it = std::find_if(phrases.begin(), phrases.end(), [&](std::string_view p) { return text.ends_with(p); });
  if (it == phrases.end()) return false;
  found = *it;
  return true;
}

std::string_view without_leading(std::string_view text) {
  std::string_view found;
  std::string_view pointing;
  while (!begins_any(text, kPointing, pointing) && begins_any(text, kLeading, found)) text.remove_prefix(found.size());
  for (const std::string_view mark : {"，", "、", " "}) {
    if (text.starts_with(mark)) text.remove_prefix(mark.size());
  }
  return text;
}

// Without what says nothing at either end.
std::string_view trimmed(std::string_view text) {
  std::string_view found;
  for (bool cut = true; cut;) {
    cut = false;
    if (begins_any(text, kLittle, found)) text.remove_prefix(found.size()), cut = true;
    if (ends_any(text, kLittle, found)) text.remove_suffix(found.size()), cut = true;
  }
  return text;
}

std::string_view without_mark(std::string_view text) {
  for (const std::string_view mark : {"？", "?", "。", "！"}) {
    if (text.ends_with(mark)) text.remove_suffix(mark.size());
  }
  return text;
}

// Where in the text one of the phrases stands first.
size_t find_first(std::string_view text, Phrases phrases, std::string_view& found) {
  size_t first = std::string_view::npos;
  for (const std::string_view phrase : phrases) {
    const size_t at = text.find(phrase);
    if (at < first) first = at, found = phrase;
  }
  return first;
}

size_t n_characters(std::string_view text) {
  return static_cast<size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80; }));
}

bool points_back(std::string_view question) {
  std::string_view found;
  return find_first(question, kPointing, found) != std::string_view::npos ||
         find_first(question, kPointingOf, found) != std::string_view::npos;
}

// "敷金" of "敷金は？", "押金" of "那押金呢？": what is named and nothing asked of it.
std::string_view named_alone(std::string_view question) {
  std::string_view text = without_mark(without_leading(question));
  std::string_view found;
  constexpr std::string_view kEnds[] = {"はどうですか", "についてはどうですか", "はどう", "は", "呢", "怎么样"};
  const bool ends = ends_any(text, kEnds, found);
  if (!ends) return {};
  text.remove_suffix(found.size());
  const bool asks = find_first(text, kAsking, found) != std::string_view::npos;
  return asks || points_back(text) || text.empty() ? std::string_view() : text;
}

}  // namespace

bool is_wide(std::string_view text) {
  return written_without_spaces(text);
}

bool is_wide_follow_up(std::string_view question) {
  if (points_back(question) || !named_alone(question).empty()) return true;
  return wide_topic_of(question).empty();
}

std::string_view wide_topic_of(std::string_view question) {
  constexpr size_t kLeastCharacters = 2;
  if (const size_t mark = question.find(kTopicMark); mark != std::string_view::npos) return question.substr(0, mark);
  std::string_view text = without_mark(without_leading(question));
  std::string_view found;
  // In Japanese what は marks; without one, what is left of the words that ask.
  constexpr std::string_view kMarks[] = {"は", "って"};
  const size_t mark = find_first(text, kMarks, found);
  if (mark != std::string_view::npos && mark > 0) {
    text = text.substr(0, mark);
  } else if (const size_t asks = find_first(text, kAsking, found); asks != std::string_view::npos) {
    const std::string_view before = trimmed(text.substr(0, asks));
    const std::string_view behind = trimmed(text.substr(asks + found.size()));
    text = n_characters(behind) >= n_characters(before) ? behind : before;
  }
  text = trimmed(text);
  return n_characters(text) >= kLeastCharacters && !points_back(text) ? text : std::string_view();
}

std::optional<std::string> with_wide_thing_exchanged(std::string_view before, std::string_view follow_up) {
  const std::string_view thing = named_alone(follow_up);
  const std::string_view old = wide_topic_of(before);
  if (thing.empty() || old.empty()) return std::nullopt;
  const auto at = static_cast<size_t>(old.data() - before.data());
  return std::string(before.substr(0, at)) + std::string(thing) + std::string(before.substr(at + old.size()));
}

std::string with_wide_topic_named(std::string_view question, std::string_view topic) {
  if (topic.empty() || question.find(topic) != std::string_view::npos) return std::string(question);
  std::string said(without_leading(question));
  std::string_view found;
  if (const size_t at = find_first(said, kPointingOf, found); at != std::string_view::npos) {
    return said.replace(at, found.size(), std::string(topic) + "の");
  }
  if (const size_t at = find_first(said, kPointing, found); at == 0) {
    return said.replace(at, found.size(), topic);
  }
  return std::string(topic) + std::string(kTopicMark) + said;
}

}  // namespace mneme::rag
