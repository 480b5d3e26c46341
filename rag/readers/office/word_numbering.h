// How Word counts the numbers that it gives to paragraphs, whatever kind of file says what is counted
// (docx_numbering.h, doc_numbering.h). Internal to rag/readers. Threads: one thread each.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <string>

#include "rag/readers/number_labels.h"

namespace mneme::readers {

struct NumberedLevel {
  static constexpr int kEveryHigher = -1;

  int start = 0;
  NumberScript script = NumberScript::kDecimal;
  bool shows_number = true;            // false: a sign, or nothing
  bool all_decimal = false;            // the numbers of higher levels, too, however those write them
  int restarts_behind = kEveryHigher;  // the level, from 1, that begins it anew; 0: none
  std::string pattern;                 // "%1.%2"

  // Longer ones are no numbers.
  void set_pattern(std::string text);
  // Starts beyond what anybody counts to are bounded.
  void set_start(int number);
};

// What paragraphs of several instances count in common.
struct NumberedList {
  static constexpr size_t kLevels = 9;
  static constexpr int kNotBegun = -1;

  std::array<NumberedLevel, kLevels> levels;
  std::array<int, kLevels> counts = {-1, -1, -1, -1, -1, -1, -1, -1, -1};
};

// A list as some paragraphs use it.
struct NumberedInstance {
  std::map<size_t, int> starts;            // by level, where it begins anew
  std::map<size_t, NumberedLevel> levels;  // that differ from the list's
  std::array<bool, NumberedList::kLevels> begun = {};
};

// Counts a paragraph, those of a document one after the other.
ListPlace count_paragraph(NumberedInstance& instance, NumberedList& list, size_t level);

}  // namespace mneme::readers
