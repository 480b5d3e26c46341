// Pictures: photographed receipts and scanned letters, read by Tesseract where OCR is asked for. Nothing of them is
// decoded in this process.
#include <algorithm>
#include <string>
#include <utility>

#include "base/file_descriptor.h"
#include "rag/readers/format_list.h"
#include "rag/readers/ocr/tesseract.h"
#include "rag/readers/pdf/pdf_layout.h"
#include "rag/readers/picture/picture_facts.h"
#include "rag/readers/picture/picture_words.h"
#include "rag/readers/process/child_process.h"

namespace mneme::readers {
namespace {

constexpr uint64_t kMostPixels = 150'000'000;
constexpr uint64_t kLeastSide = 24;  // no line of text is lower
constexpr float kUnknownDpi = 200;   // what matters is how high lines are beside each other

bool stands_turned(int orientation) {
  return orientation == 3 || orientation == 6 || orientation == 8;
}

Status check_size(const std::string& name, const PictureFacts& facts) {
  if (facts.height == 0 || facts.width <= kMostPixels / facts.height) return {};
  return resource_error(printable(name) + " is a picture of " + std::to_string(facts.width) + " x " +
                        std::to_string(facts.height) + " pixels, over the limit of " +
                        std::to_string(kMostPixels / 1'000'000) + " million; it was left out.");
}

Status failure_of(const std::string& name, const Status& why) {
  if (why.code() != StatusCode::kIo) return why.with_context(printable(name) + ": ");
  return corruption(printable(name) + " is damaged: Tesseract could not read it as a picture.");
}

}  // namespace

Status read_picture(ReadContext& context, Input input) {
  if (!context.limits().ocr)
    return unsupported(printable(input.name) + " is a picture; index it with --ocr (needs tesseract-ocr).");
  Tesseract tesseract(context);
  if (!tesseract.available())
    return unsupported(printable(input.name) + " is a picture; reading it needs the package tesseract-ocr.");
  const PictureFacts facts = picture_facts(input.bytes);
  MNEME_RETURN_IF_ERROR(check_size(input.name, facts));
  const bool too_small = facts.width > 0 && std::min(facts.width, facts.height) < kLeastSide;
  rag::Document document;
  document.format = "picture";
  DocumentBuilder builder(document, context.limits().text_bytes);
  PdfAssembler pages(builder);
  if (!too_small) {
    const FileDescriptor file = memory_file(input.bytes);
    if (!file.is_open()) return resource_error("no memory to hand " + printable(input.name) + " to Tesseract.");
    input.bytes = std::string();
    const bool turned = stands_turned(facts.orientation);
    auto words = tesseract.words_of(file.get(), "", turned);
    if (!words.ok()) return failure_of(input.name, words.status());
    if (turned) *words = "\n" + turned_words(*words, facts.orientation);
    for (const std::string_view page : pages_of_words(*words)) {
      if (builder.full()) break;
      PdfPage lines = parse_ocr_page(page, pages.pages() + 1, kUnknownDpi);
      if (is_doubtful(page)) lines.lines.clear();
      pages.add_page(std::move(lines));
    }
    pages.finish();
    pages.running_texts().write(builder);
  }
  // A photograph of a cat is told as what it is, so that nobody looks for words on it again.
  if (builder.empty()) document.notes.push_back("no text was recognised");
  return context.emit(input.name, std::move(document));
}

}  // namespace mneme::readers
