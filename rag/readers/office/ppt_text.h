// Texts of PowerPoint's files before 2007: characters, and what is said of paragraphs and runs of them (MS-PPT 2.9).
// Internal to rag/readers. Threads: values, pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rag/readers/office/ppt_records.h"
#include "rag/readers/raised_text.h"

namespace mneme::readers {

struct PptParagraph {
  std::string text;
  int level = 0;  // from 0
};

class PptText {
 public:
  enum class Kind : uint8_t { kTitle, kBody, kOther };

  explicit PptText(Kind kind = Kind::kOther) : kind_(kind) {}

  Kind kind() const { return kind_; }
  // Takes a record that says something of it; others are passed over.
  void take(const PptRecord& record);
  std::vector<PptParagraph> paragraphs() const;

 private:
  struct LevelRun {
    size_t end = 0;  // of the characters it is about
    int level = 0;
  };
  struct ShiftRun {
    size_t end = 0;
    Shift shift = Shift::kNone;
  };
  void take_styles(std::string_view styles);

  Kind kind_;
  std::u16string units_;
  std::vector<LevelRun> levels_;
  std::vector<ShiftRun> shifts_;
  std::vector<size_t> fields_;  // characters that stand for numbers of pages, dates and the like
};

// Those among some records, in order. outline: texts that they may refer to, each once: it is taken from there.
std::vector<PptText> ppt_texts(std::string_view records, std::vector<PptText>& outline);

}  // namespace mneme::readers
