#include "app/eval/answer_metrics.h"

#include <algorithm>
#include <map>

#include "base/ascii.h"
#include "base/utf8.h"

namespace mneme::app {
namespace {

bool without_spaces(char32_t c) {
  return (c >= 0x0e00 && c <= 0x0eff) || (c >= 0x1000 && c <= 0x109f) || (c >= 0x1780 && c <= 0x17ff) ||
         (c >= 0x3040 && c <= 0x30ff) || (c >= 0x3400 && c <= 0x9fff) || (c >= 0xf900 && c <= 0xfaff) ||
         (c >= 0x20000 && c <= 0x3fffd);
}

bool is_punctuation(char32_t c) {
  if (c < 0x80) return (c >= 0x21 && c <= 0x2f) || (c >= 0x3a && c <= 0x40) || (c >= 0x5b && c <= 0x60) || c >= 0x7b;
  return (c >= 0xa1 && c <= 0xbf && c != 0xaa && c != 0xb2 && c != 0xb3 && c != 0xb5 && c != 0xb9 && c != 0xba) ||
         (c >= 0x2010 && c <= 0x2027) || (c >= 0x2030 && c <= 0x205e) || (c >= 0x3001 && c <= 0x3003) ||
         (c >= 0x3008 && c <= 0x3011) || (c >= 0x3014 && c <= 0x301f) || c == 0x30fb || (c >= 0xff01 && c <= 0xff0f) ||
         (c >= 0xff1a && c <= 0xff20) || (c >= 0xff3b && c <= 0xff40) || (c >= 0xff5b && c <= 0xff65) || c == 0x060c ||
         c == 0x061b || c == 0x061f || c == 0x066a || c == 0x066b || c == 0x066c || c == 0x06d4;
}

bool is_space(char32_t c) {
  return c <= 0x20 || c == 0x85 || c == 0xa0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200a) || c == 0x2028 ||
         c == 0x2029 || c == 0x202f || c == 0x205f || c == 0x3000;
}

// Simple lower case of the scripts that have it among the evaluation sets.
char32_t lower(char32_t c) {
  if ((c >= U'A' && c <= U'Z') || (c >= 0xc0 && c <= 0xde && c != 0xd7) || (c >= 0x391 && c <= 0x3a9) ||
      (c >= 0x410 && c <= 0x42f)) {
    return c + 32;
  }
  if (c >= 0x400 && c <= 0x40f) return c + 80;
  if ((c >= 0x100 && c <= 0x137) || (c >= 0x14a && c <= 0x177)) return c | 1;
  if ((c >= 0x139 && c <= 0x148) || (c >= 0x179 && c <= 0x17e)) return c % 2 == 1 ? c + 1 : c;
  return c;
}

using Tokens = std::vector<std::string>;

double f1_of(const Tokens& answer, const Tokens& gold) {
  if (answer.empty() || gold.empty()) return answer.empty() && gold.empty() ? 1 : 0;
  std::map<std::string_view, int> counts;
  for (const std::string& token : gold) ++counts[token];
  int common = 0;
  for (const std::string& token : answer) {
    if (const auto found = counts.find(token); found != counts.end() && found->second-- > 0) ++common;
  }
  if (common == 0) return 0;
  const double precision = common / static_cast<double>(answer.size());
  const double recall = common / static_cast<double>(gold.size());
  return 2 * precision * recall / (precision + recall);
}

double rouge_l_of(const Tokens& answer, const Tokens& gold) {
  if (answer.empty() || gold.empty()) return answer.empty() && gold.empty() ? 1 : 0;
  std::vector<size_t> row(gold.size() + 1, 0);  // longest common subsequence with the first j of gold
  for (const std::string& token : answer) {
    size_t diagonal = 0;
    for (size_t j = 1; j <= gold.size(); ++j) {
      const size_t above = row[j];
      row[j] = token == gold[j - 1] ? diagonal + 1 : std::max(row[j], row[j - 1]);
      diagonal = above;
    }
  }
  const auto common = static_cast<double>(row.back());
  if (common == 0) return 0;
  const double precision = common / static_cast<double>(answer.size());
  const double recall = common / static_cast<double>(gold.size());
  return 2 * precision * recall / (precision + recall);
}

}  // namespace

std::string strip_citations(std::string_view answer) {
  std::string text;
  for (size_t i = 0; i < answer.size();) {
    size_t end = i + 1;
    if (answer[i] == '[') {
      while (end < answer.size() && (is_digit(answer[end]) || answer[end] == ',' || answer[end] == ' ')) ++end;
    }
    if (answer[i] == '[' && end < answer.size() && answer[end] == ']' && end > i + 1 && is_digit(answer[i + 1])) {
      i = end + 1;
      while (!text.empty() && text.back() == ' ') text.pop_back();
      continue;
    }
    text += answer[i++];
  }
  while (!text.empty() && (text.back() == ' ' || text.back() == '\n')) text.pop_back();
  return text;
}

std::vector<std::string> answer_tokens(std::string_view text) {
  Tokens tokens;
  std::string word;
  const auto finish = [&] {
    if (!word.empty() && word != "a" && word != "an" && word != "the") tokens.push_back(word);
    word.clear();
  };
  for (size_t offset = 0; offset < text.size();) {
    const char32_t c = lower(utf8::next(text, offset));
    if (is_space(c)) {
      finish();
    } else if (is_punctuation(c)) {
      continue;
    } else if (without_spaces(c)) {
      finish();
      utf8::append(word, c);
      finish();
    } else {
      utf8::append(word, c);
    }
  }
  finish();
  return tokens;
}

bool contains_tokens(std::span<const std::string> tokens, std::span<const std::string> part) {
  if (part.empty()) return tokens.empty();
  return std::search(tokens.begin(), tokens.end(), part.begin(), part.end()) != tokens.end();
}

AnswerScore score_answer(std::string_view answer, std::span<const std::string> golds) {
  const Tokens given = answer_tokens(answer);
  AnswerScore best;
  const auto take = [&](const Tokens& gold) {
    best.em = std::max(best.em, given == gold ? 1.0 : 0.0);
    best.f1 = std::max(best.f1, f1_of(given, gold));
    best.contains = std::max(best.contains, contains_tokens(given, gold) ? 1.0 : 0.0);
    best.rouge_l = std::max(best.rouge_l, rouge_l_of(given, gold));
  };
  if (golds.empty()) take({});
  for (const std::string& gold : golds) take(answer_tokens(gold));
  return best;
}

}  // namespace mneme::app
