#include "rag/readers/pdf/pdf_ocr.h"

#include "base/file_descriptor.h"
#include "rag/readers/process/child_output.h"
#include "rag/readers/process/child_process.h"

namespace mneme::readers {
namespace {

constexpr size_t kLargestPicture = size_t{256} << 20;
const std::string kDpi = "200";

}  // namespace

PageRecogniser::PageRecogniser(ReadContext& context, int file) : context_(context), file_(file), tesseract_(context) {
  if (context.limits().ocr) drawer_ = find_program("pdftoppm");
}

Result<PdfPage> PageRecogniser::recognise(int page) {
  auto lines = draw_and_read(page);
  ++(lines.ok() ? recognised_ : failed_);
  return lines;
}

Result<PdfPage> PageRecogniser::draw_and_read(int page) {
  const std::string number = std::to_string(page);
  const auto picture = output_of(
      context_, {drawer_, "-q", "-r", kDpi, "-gray", "-f", number, "-l", number, "/dev/stdin"}, file_, kLargestPicture);
  if (!picture.ok()) return picture.status();
  const FileDescriptor picture_file = memory_file(*picture);
  if (!picture_file.is_open()) return resource_error("no memory for the picture of a page.");
  const auto text = tesseract_.words_of(picture_file.get(), kDpi);
  if (!text.ok()) return text.status();
  return parse_ocr_page(*text, page, 200.0F);
}

std::string PageRecogniser::note() const {
  if (!context_.limits().ocr) return {};
  if (!available()) return "pages without text were not recognised: tesseract-ocr is not installed";
  if (recognised_ + failed_ == 0) return {};
  std::string note = std::to_string(recognised_) + " pages were recognised by OCR";
  if (failed_ > 0) note += ", " + std::to_string(failed_) + " could not be";
  return note;
}

}  // namespace mneme::readers
