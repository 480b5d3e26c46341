// The macros of man(7), with those that pod2man and groff add. Ownership: borrows lines and page. Threads: one thread
// each.
#pragma once

#include <string>
#include <string_view>

#include "rag/readers/roff/manual_page.h"
#include "rag/readers/roff/roff_lines.h"

namespace mneme::readers {

class ManMacros {
 public:
  ManMacros(const RoffLines& lines, ManualPage& page, rag::Document& document)
      : lines_(lines), page_(page), document_(document) {}

  // A line that is no table.
  void take(const RoffLine& line);

 private:
  // What the words of the next line are.
  enum class Wanted { kText, kTag, kFurtherTag, kHeading, kSubheading };

  void take_words(std::string_view words);
  bool take_structure(const RoffLine& line);
  bool take_layout(std::string_view request);
  void take_title(const RoffLine& line);
  void take_item(const RoffLine& line);
  void take_link(const RoffLine& line);
  std::string joined(std::string_view rest, std::string_view between) const;

  const RoffLines& lines_;
  ManualPage& page_;
  rag::Document& document_;
  Wanted wanted_ = Wanted::kText;
  std::string link_;
  int depth_ = 0;  // of indented parts
};

}  // namespace mneme::readers
