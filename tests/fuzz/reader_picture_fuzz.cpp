// What a picture's bytes say of it, and the table of words that Tesseract makes of it: sizes that are of some page,
// text that is well-formed.
#include <cstdint>
#include <cstdlib>

#include "base/utf8.h"
#include "rag/readers/document_builder.h"
#include "rag/readers/pdf/pdf_layout.h"
#include "rag/readers/picture/picture_facts.h"
#include "rag/readers/picture/picture_words.h"

namespace {

constexpr float kDpi = 200;

void check(bool holds) {
  if (!holds) std::abort();
}

void look_at_facts(std::string_view bytes) {
  const mneme::readers::PictureFacts facts = mneme::readers::picture_facts(bytes);
  check(facts.orientation >= 1 && facts.orientation <= 8);
  check((facts.width == 0) == (facts.height == 0));
  check(facts.width == 0 || mneme::readers::is_picture(bytes));
}

void read_words(std::string_view table, int orientation) {
  mneme::rag::Document document;
  mneme::readers::DocumentBuilder builder(document, 1 << 20);
  mneme::readers::PdfAssembler pages(builder);
  const std::string turned = "\n" + mneme::readers::turned_words(table, orientation);
  for (const std::string_view words : {table, std::string_view(turned)}) {
    for (const std::string_view page : mneme::readers::pages_of_words(words)) {
      mneme::readers::is_doubtful(page);
      pages.add_page(mneme::readers::parse_ocr_page(page, pages.pages() + 1, kDpi));
    }
  }
  pages.finish();
  check(mneme::utf8::valid(document.text));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (data[0] % 16 == 0) {
    look_at_facts(bytes);
  } else {
    read_words(bytes, data[0] % 16);
  }
  return 0;
}
