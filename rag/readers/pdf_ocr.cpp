#include "rag/readers/pdf_ocr.h"

#include <unistd.h>

#include <algorithm>

#include "rag/readers/child_process.h"
#include "rag/readers/pdf_layout.h"
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

Status recognise_page(ReadContext& context, const std::string& drawer, const std::string& tesseract,
                      const std::string& language, int file, int page, PdfAssembler& pages) {
  const std::string number = std::to_string(page);
  const auto picture = pipe_through(
      context, {drawer, "-q", "-r", kDpi, "-gray", "-f", number, "-l", number, "/dev/stdin"}, file, kLargestPicture);
  if (!picture.ok()) return picture.status();
  const int picture_file = memory_file(*picture);
  if (picture_file < 0) return resource_error("no memory for the picture of a page.");
  const auto text = pipe_through(context, {tesseract, "stdin", "stdout", "-l", language, "--dpi", kDpi, "tsv"},
                                 picture_file, kLargestPageText);
  ::close(picture_file);
  if (!text.ok()) return text.status();
  pages.add_page(parse_ocr_page(*text, page, 200.0F));
  return {};
}

}  // namespace

Status recognise_pages(ReadContext& context, const std::string& name, int file, const std::vector<int>& pages,
                       DocumentBuilder& builder) {
  if (!context.limits().ocr) return {};
  const std::string drawer = find_program("pdftoppm");
  const std::string tesseract = find_program("tesseract");
  if (drawer.empty() || tesseract.empty()) {
    builder.document().notes.push_back("pages without text were not recognised: tesseract is not installed");
    return {};
  }
  const std::string language = languages(context, tesseract, file);
  std::vector<int> failed;
  PdfAssembler assembler(builder);
  for (const int page : pages) {
    MNEME_RETURN_IF_ERROR(context.check(name));
    const Status status = recognise_page(context, drawer, tesseract, language, file, page, assembler);
    if (status.code() == StatusCode::kCancelled) return status;
    if (!status.ok()) failed.push_back(page);
  }
  assembler.finish();
  builder.document().notes.push_back(std::to_string(pages.size() - failed.size()) + " pages were recognised by OCR");
  if (!failed.empty()) {
    builder.document().notes.push_back(std::to_string(failed.size()) + " pages could not be recognised");
  }
  return {};
}

}  // namespace mneme::readers
