// The numbers that a page shows before the items of a list (<ol>), which its source does not write.
// Internal to rag/readers. Threads: one thread each.
#pragma once

#include <gumbo.h>

#include <cstdint>
#include <string>

namespace mneme::readers {

class ListNumbers {
 public:
  // Of the items of a list; those of <ul> have none.
  explicit ListNumbers(const GumboNode* list);

  // Of the next item: "4.", "c.", "iv."; "" where none is shown.
  std::string next(const GumboNode* item);

 private:
  enum class Form { kNone, kDecimal, kSmallLetters, kCapitalLetters, kSmallRoman, kCapitalRoman };
  static Form form_of(const GumboNode* element, Form otherwise);
  static std::string written(int64_t number, Form form);

  Form form_ = Form::kNone;
  int64_t number_ = 1;
  int64_t step_ = 1;
};

}  // namespace mneme::readers
