#include "rag/readers/pdf/pdf_ocr.h"

#include <algorithm>

#include "base/file_descriptor.h"
#include "rag/readers/process/child_process.h"
#include "rag/readers/text_lines.h"

namespace mneme::readers {
namespace {

constexpr size_t kLargestPicture = size_t{256} << 20;
constexpr size_t kLargestPageText = size_t{16} << 20;
const std::string kDpi = "200";

// Runs a program with bytes or a file as input and gives its output.
Result<std::string> pipe_through(ReadContext& context, const std::vector<std::string>& argv, int file, size_t largest) {
  std::string output;
  const ChildLimits limits{context.time_left(), context.limits().memory_bytes, context.limits().cancel};
  const auto child = run_child(argv, file, limits, [&](std::string_view piece) -> Status {
    if (output.size() + piece.size() > largest) return resource_error("its page is too large.");
    output += piece;
    return {};
  });
  if (!child.ok()) return child.status();
  if (child->timed_out) return resource_error("it ran out of time.");
  if (child->exit_code != 0) return io_error(argv[0] + " failed: " + printable(child->errors) + ".");
  return output;
}

// Installed languages as tesseract wants them ("deu+eng"); "eng" when it does not tell.
std::string languages(ReadContext& context, const std::string& tesseract, int file) {
  const auto list = pipe_through(context, {tesseract, "--list-langs"}, file, 1 << 16);
  if (!list.ok()) return "eng";
  std::string joined;
  LineCursor lines(*list);
  Line line;
  while (lines.next(line)) {
    const std::string_view name = line.trimmed();
    if (name.empty() || name == "osd" || name.find_first_of(" :\"") != std::string_view::npos) continue;
    joined.append(joined.empty() ? "" : "+").append(name);
  }
  return joined.empty() ? "eng" : joined;
}

}  // namespace

PageRecogniser::PageRecogniser(ReadContext& context, int file) : context_(context), file_(file) {
  if (!context.limits().ocr) return;
  drawer_ = find_program("pdftoppm");
  if (!drawer_.empty()) tesseract_ = find_program("tesseract");
}

Result<PdfPage> PageRecogniser::recognise(int page) {
  if (language_.empty()) language_ = languages(context_, tesseract_, file_);
  auto lines = draw_and_read(page);
  ++(lines.ok() ? recognised_ : failed_);
  return lines;
}

Result<PdfPage> PageRecogniser::draw_and_read(int page) {
  const std::string number = std::to_string(page);
  const auto picture = pipe_through(
      context_, {drawer_, "-q", "-r", kDpi, "-gray", "-f", number, "-l", number, "/dev/stdin"}, file_, kLargestPicture);
  if (!picture.ok()) return picture.status();
  const FileDescriptor picture_file = memory_file(*picture);
  if (!picture_file.is_open()) return resource_error("no memory for the picture of a page.");
  const auto text = pipe_through(context_, {tesseract_, "stdin", "stdout", "-l", language_, "--dpi", kDpi, "tsv"},
                                 picture_file.get(), kLargestPageText);
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
