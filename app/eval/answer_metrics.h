// How near an answer comes to the gold answers. Normalisation and F1 are those of SQuAD (Rajpurkar et al. 2016),
// widened to any script: Chinese, Japanese and Thai are compared by character, as CMRC 2018 does. Threads: pure
// functions.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mneme::app {

// Citation marks [n] taken out, as short answers are scored without them.
std::string strip_citations(std::string_view answer);

// Lower case (Latin, Greek, Cyrillic), no punctuation, no English articles; what is left as tokens: words by white
// space, and every character of a script written without spaces on its own.
std::vector<std::string> answer_tokens(std::string_view text);

// Whether `part` occurs in a row in `tokens`; of an empty part, whether there are none.
bool contains_tokens(std::span<const std::string> tokens, std::span<const std::string> part);

struct AnswerScore {
  double em = 0;        // 1 when the tokens are those of a gold answer
  double f1 = 0;        // best over the gold answers
  double contains = 0;  // 1 when a gold answer's tokens occur in a row
  double rouge_l = 0;   // F-measure of the longest common subsequence (Lin 2004), best over the gold answers
};

// `golds` empty: the right answer is none, so only an empty one scores.
AnswerScore score_answer(std::string_view answer, std::span<const std::string> golds);

}  // namespace mneme::app
