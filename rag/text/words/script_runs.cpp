#include "rag/text/words/script_runs.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "base/utf8.h"

namespace mneme::rag {

namespace {

constexpr size_t kMostRuns = 64;            // of a question; more say no more
constexpr size_t kLongestThatWeighs = 6;    // characters: a longer name is no rarer for it
constexpr char32_t kFullWidth = 0xFF01;     // of ASCII's signs, letters and digits
constexpr char32_t kFullWidthEnd = 0xFF5F;  // ... behind the last

enum class Script { kOther, kIdeograph, kKatakana, kLatin, kDigit };

char32_t folded(char32_t c) {
  if (c >= kFullWidth && c < kFullWidthEnd) c = c - kFullWidth + U'!';
  return c >= U'A' && c <= U'Z' ? c + (U'a' - U'A') : c;
}

std::string folded(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (size_t at = 0; at < text.size();) utf8::append(result, folded(utf8::next(text, at)));
  return result;
}

// The mark of repeated ideographs and the signs of length and between names belong to their scripts.
Script script_of(char32_t c) {
  if ((c >= 0x4E00 && c <= 0x9FFF) || (c >= 0x3400 && c <= 0x4DBF) || c == 0x3005) return Script::kIdeograph;
  if (c >= 0x30A1 && c <= 0x30FF) return Script::kKatakana;
  if ((c >= U'a' && c <= U'z') || (c >= 0xC0 && c < 0x250)) return Script::kLatin;
  return c >= U'0' && c <= U'9' ? Script::kDigit : Script::kOther;
}

double rarity(double n, double holders) {
  return std::log(1.0 + (n - holders + 0.5) / (holders + 0.5));
}

size_t n_characters(std::string_view text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

}  // namespace

std::vector<std::string> script_runs(std::string_view text) {
  std::vector<std::string> runs;
  std::string run;
  Script script = Script::kOther;
  const auto end_run = [&] {
    const bool counts = script != Script::kOther && (script == Script::kDigit || n_characters(run) >= 2);
    if (counts && runs.size() < kMostRuns && std::find(runs.begin(), runs.end(), run) == runs.end()) {
      runs.push_back(run);
    }
    run.clear();
  };
  for (size_t at = 0; at < text.size();) {
    const char32_t c = folded(utf8::next(text, at));
    if (script_of(c) != script) end_run();
    script = script_of(c);
    utf8::append(run, c);
  }
  end_run();
  return runs;
}

std::vector<double> ScriptRuns::shares(std::span<const std::string_view> texts) const {
  std::vector<double> shares(texts.size());
  if (empty()) return shares;
  std::vector<std::string> read;
  read.reserve(texts.size());
  for (const std::string_view text : texts) read.push_back(folded(text));
  double total = 0.0;
  for (const std::string& run : runs_) {
    std::vector<bool> held;
    held.reserve(read.size());
    for (const std::string& text : read) held.push_back(text.find(run) != std::string::npos);
    const auto holders = static_cast<double>(std::count(held.begin(), held.end(), true));
    if (holders == 0.0) continue;  // two words written together, or a form of asking: nothing can hold it
    const double weight = rarity(static_cast<double>(texts.size()), holders) *
                          static_cast<double>(std::min(n_characters(run), kLongestThatWeighs));
    total += weight;
    for (size_t i = 0; i < shares.size(); ++i) shares[i] += held[i] ? weight : 0.0;
  }
  for (double& share : shares) share = total > 0.0 ? share / total : 0.0;
  return shares;
}

}  // namespace mneme::rag
