// Whole runs of one script in text written without spaces: names, loan words, compounds, years. Pairs of characters
// lose where one word ends and the next begins; a change of script mostly is such a border, in Japanese above all,
// where grammar is written in hiragana and what matters in ideographs, katakana, Latin letters and digits. Threads:
// immutable after construction.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mneme::rag {

// The runs of ideographs, of katakana and of Latin letters of two characters or more, and of digits of any length; full
// width and case folded. Each once, in order; what is written in other scripts gives none.
std::vector<std::string> script_runs(std::string_view text);

// For each text the share of the question's runs that it holds, weighing more the fewer of the texts hold them and the
// longer they are. All 0 where the question has none that any text holds.
class ScriptRuns {
 public:
  explicit ScriptRuns(std::string_view question) : runs_(script_runs(question)) {}
  bool empty() const { return runs_.empty(); }
  std::vector<double> shares(std::span<const std::string_view> texts) const;

 private:
  std::vector<std::string> runs_;
};

}  // namespace mneme::rag
