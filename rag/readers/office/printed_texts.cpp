#include "rag/readers/office/printed_texts.h"

#include <algorithm>
#include <string>

#include "base/ascii.h"

namespace mneme::readers {
namespace {

// Reads the codes of a header; left, middle and right are texts of their own.
class PrintedText {
 public:
  explicit PrintedText(RunningTexts& running) : running_(running) {}

  void read(std::string_view coded) {
    for (size_t i = 0; i < coded.size(); ++i) {
      if (coded[i] != '&' || i + 1 >= coded.size()) {
        text_ += coded[i];
      } else {
        i = take_code(coded, i + 1);
      }
    }
    flush();
  }

 private:
  // Returns where the code ends.
  size_t take_code(std::string_view coded, size_t at) {
    const char code = coded[at];
    if (code == '&') text_ += '&';
    if (code == 'L' || code == 'C' || code == 'R') flush();
    if (std::string_view("PNDTAFZ").find(code) != std::string_view::npos) has_fields_ = true;
    if (code == '"') return std::min(coded.find('"', at + 1), coded.size() - 1);           // a font
    if (code == 'K') return std::min(at + 6, coded.size() - 1);                            // a colour: six digits
    while (is_digit(coded[at]) && at + 1 < coded.size() && is_digit(coded[at + 1])) ++at;  // a size
    return at;
  }

  void flush() {
    running_.take(text_, has_fields_);
    text_.clear();
    has_fields_ = false;
  }

  RunningTexts& running_;
  std::string text_;
  bool has_fields_ = false;
};

}  // namespace

void take_printed_text(std::string_view coded, RunningTexts& running) {
  PrintedText(running).read(coded);
}

}  // namespace mneme::readers
