// Any bytes as an answer to be shown: blocks of printable text, whatever the nesting.
#include "base/utf8.h"
#include "tests/fuzz/fuzz_input.h"
#include "ui/widgets/markdown.h"

namespace {

bool is_control(char32_t c) {
  return (c < 0x20 && c != '\n' && c != '\t') || c == 0x7f || (c >= 0x202a && c <= 0x202e) ||
         (c >= 0x2066 && c <= 0x2069);
}

void require_printable(const std::string& text) {
  mneme::fuzz::require(mneme::utf8::valid(text));
  for (size_t at = 0; at < text.size();) mneme::fuzz::require(!is_control(mneme::utf8::next(text, at)));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const mneme::fuzz::Input input(data, size);
  for (const mneme::ui::MarkdownBlock& block : mneme::ui::parse_markdown(input.rest())) {
    for (const mneme::ui::Inline& part : block.inlines) require_printable(part.text);
  }
  require_printable(mneme::ui::printable(input.rest()));
  return 0;
}
