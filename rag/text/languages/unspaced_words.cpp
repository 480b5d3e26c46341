#include "rag/text/languages/unspaced_words.h"

#include <unicode/ubrk.h>
#include <unicode/utext.h>

#include <algorithm>
#include <memory>

#include "base/utf8.h"
#include "rag/text/words/phrases.h"

namespace mneme::rag {

namespace {

// Ideographs that stand alone for grammar, or for asking.
constexpr std::string_view kGrammar[] = {
    "的", "了", "是", "在", "有", "和", "与", "及", "或", "我", "你", "他", "她", "它", "们", "吗", "呢", "吧", "啊",
    "这", "那", "几", "多", "少", "要", "会", "能", "可", "不", "没", "被", "把", "给", "对", "从", "到", "向", "为",
    "由", "于", "之", "其", "也", "都", "就", "还", "又", "再", "很", "最", "个", "谁", "哪", "何", "誰", "嗎", "這",
    "幾", "個", "会", "得", "着", "过", "去", "来", "说", "做", "用", "让", "您", "中", "后", "前", "上", "下", "里"};
// What asks: of it nothing need be said.
constexpr std::string_view kAsking[] = {
    "意思",   "意味",     "月份",   "多少钱",   "多少",   "什么时候", "什么",   "甚么",   "什麼", "怎么样",
    "怎么办", "怎么",     "怎样",   "如何",     "为什么", "为何",     "哪一天", "哪天",   "哪里", "哪儿",
    "哪个",   "哪些",     "哪位",   "哪年",     "几点",   "几号",     "几天",   "几个",   "几次", "几月",
    "多久",   "多长时间", "多长",   "多大",     "多高",   "多重",     "多远",   "何时",   "可以", "可不可以",
    "能不能", "能否",     "是不是", "有没有",   "一个",   "告诉",     "请问",   "需要",   "必须", "应该",
    "いくら", "何分",     "何時間", "何時",     "何日",   "何月",     "何年",   "何曜日", "何人", "何個",
    "何回",   "何歳",     "何か月", "何ですか", "どこ",   "いつ",     "だれ",   "誰",     "理由"};

// Of Korean: what stands behind a noun, the longer before what they end with.
constexpr std::string_view kParticles[] = {
    "이라도", "에게서", "한테서", "으로는", "에서는", "까지는", "부터는", "인가요", "이에요", "이었", "입니까",
    "에서",   "에게",   "한테",   "으로",   "까지",   "부터",   "처럼",   "보다",   "마다",   "이나", "이랑",
    "하고",   "에는",   "예요",   "이야",   "인지",   "은",     "는",     "이",     "가",     "을",   "를",
    "의",     "에",     "로",     "와",     "과",     "도",     "만",     "랑",     "야"};
// What asks, with whatever stands behind it.
constexpr std::string_view kKoreanAsking[] = {"언제", "누구", "누가", "얼마",   "어디", "몇",   "뭐",   "뭘",
                                              "무엇", "무슨", "왜",   "어떻게", "어느", "며칠", "알려", "이름",
                                              "시간", "날짜", "번호", "가격",   "금액", "방법"};
// Ends verbs, of which documents have other forms.
constexpr std::string_view kVerbEndings[] = {"나요", "까요", "어요", "아요", "여요", "해요", "돼요", "세요", "니까",
                                             "는지", "어야", "아야", "여야", "해야", "려면", "으면", "해도", "어도",
                                             "아도", "여도", "워도", "와도", "려도", "한다", "된다", "있어", "없어",
                                             "하는", "되는", "있는", "되나", "하나", "해",   "돼",   "줘"};
constexpr size_t kSyllable = 3;  // bytes

struct CloseIterator {
  void operator()(UBreakIterator* iterator) const { ubrk_close(iterator); }
};
struct CloseText {
  void operator()(UText* text) const { utext_close(text); }
};

bool is_hangul(std::string_view word) {
  size_t at = 0;
  const char32_t c = word.empty() ? 0 : utf8::next(word, at);
  return c >= 0xAC00 && c <= 0xD7A3;
}

// What is left of a Korean word when its particle is taken off; "" of what only asks, of verbs and of single syllables.
std::string_view korean_noun(std::string_view word) {
  const auto begins = [&](std::string_view asking) { return word.starts_with(asking); };
  const auto ends = [&](std::string_view ending) { return word.ends_with(ending); };
  if (word.size() < 2 * kSyllable || std::any_of(std::begin(kKoreanAsking), std::end(kKoreanAsking), begins)) return {};
  if (std::any_of(std::begin(kVerbEndings), std::end(kVerbEndings), ends)) return {};
  const auto particle = std::find_if(std::begin(kParticles), std::end(kParticles), [&](std::string_view one) {
    return word.ends_with(one) && word.size() >= one.size() + 2 * kSyllable;
  });
  if (particle != std::end(kParticles)) word.remove_suffix(particle->size());
  return word;
}

// By what follows ("키울 수 있어", "가져가도 되나요"), or by its end where it closes the question.
bool is_korean_verb(std::string_view word, std::string_view behind) {
  constexpr std::string_view kCopulas[] = {"인가요", "이에요", "예요", "에요"};
  constexpr std::string_view kClosing[] = {"요", "어", "아", "해", "까", "죠", "니",
                                           "냐", "돼", "줘", "와", "봐", "가"};
  const auto ends = [&](std::string_view ending) { return word.ends_with(ending); };
  const auto follows = [&](std::string_view next) { return behind.starts_with(next); };
  if (follows(" 수 있") || follows(" 수 없")) return true;
  if (ends("도") && (follows(" 되") || follows(" 돼") || follows(" 될") || follows(" 괜찮"))) return true;
  const bool closes = behind.find_first_not_of(" ?？!.") == std::string_view::npos;
  return closes && std::none_of(std::begin(kCopulas), std::end(kCopulas), ends) &&
         std::any_of(std::begin(kClosing), std::end(kClosing), ends);
}

bool is_katakana(char32_t c) {
  return c >= 0x30A1 && c <= 0x30FF;
}

bool is_ideograph(char32_t c) {
  return (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0x3400 && c <= 0x4DBF) || c == 0x3005;
}

// Hiragana alone are mostly grammar; Thai and the like have no other letters.
bool says_something(std::string_view word) {
  for (size_t at = 0; at < word.size();) {
    const char32_t c = utf8::next(word, at);
    if (is_ideograph(c) || is_katakana(c) || (c >= 0x0E00 && c < 0x3000)) return true;
  }
  return false;
}

bool is_one_ideograph(std::string_view word) {
  size_t at = 0;
  return is_ideograph(utf8::next(word, at)) && at == word.size();
}

}  // namespace

UnspacedWords::UnspacedWords(std::string_view question) {
  UErrorCode error = U_ZERO_ERROR;
  const std::unique_ptr<UText, CloseText> text(
      utext_openUTF8(nullptr, question.data(), static_cast<int64_t>(question.size()), &error));
  const std::unique_ptr<UBreakIterator, CloseIterator> breaks(ubrk_open(UBRK_WORD, "ja", nullptr, 0, &error));
  if (U_SUCCESS(error)) ubrk_setUText(breaks.get(), text.get(), &error);
  if (U_FAILURE(error)) return;
  int32_t begin = ubrk_first(breaks.get());
  for (int32_t end = ubrk_next(breaks.get()); end != UBRK_DONE; end = ubrk_next(breaks.get())) {
    add_part(question, static_cast<size_t>(begin), static_cast<size_t>(end));
    begin = end;
  }
  leave_out_asking(question);
}

// Ideographs that the dictionary leaves alone make a word together: a name, mostly.
void UnspacedWords::add_part(std::string_view question, size_t begin, size_t end) {
  const std::string_view part = question.substr(begin, end - begin);
  if (is_hangul(part) && is_korean_verb(part, question.substr(end))) return;
  if (is_hangul(part)) return add_korean(question, begin, korean_noun(part).size());
  if (!says_something(part) || one_of(part, kGrammar)) return;
  const bool lone = is_one_ideograph(part);
  if (lone && !words_.empty() && words_.back().of_lone && words_.back().end == begin) {
    words_.back().end = end;
  } else {
    words_.push_back({begin, end, lone});
  }
}

// What stands behind "how many" is its unit, and asks as well. Four syllables are mostly two words.
void UnspacedWords::add_korean(std::string_view question, size_t begin, size_t size) {
  constexpr std::string_view kHowMany = "몇 ";
  constexpr size_t kTwo = 2 * kSyllable;
  if (size == 0 || question.substr(0, begin).ends_with(kHowMany)) return;
  const bool joined = size == 2 * kTwo;
  words_.push_back({begin, begin + (joined ? kTwo : size), false});
  if (joined) words_.push_back({begin + kTwo, begin + size, false});
}

void UnspacedWords::leave_out_asking(std::string_view question) {
  for (const std::string_view asking : kAsking) {
    for (size_t at = question.find(asking); at != std::string_view::npos; at = question.find(asking, at + 1)) {
      std::erase_if(words_, [&](const Part& word) { return word.begin < at + asking.size() && at < word.end; });
    }
  }
}

UnspacedWords::Place UnspacedWords::place_of(size_t begin, size_t end) const {
  const auto holds = [](const Part& word, size_t at) { return word.begin <= at && at < word.end; };
  const auto first = std::find_if(words_.begin(), words_.end(), [&](const Part& word) { return holds(word, begin); });
  if (first == words_.end()) return Place::kGrammar;
  if (end <= first->end) return first->of_lone ? Place::kAcross : Place::kWithin;
  const auto next = first + 1;
  return next != words_.end() && holds(*next, end - 1) ? Place::kAcross : Place::kGrammar;
}

}  // namespace mneme::rag
