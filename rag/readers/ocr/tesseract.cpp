#include "rag/readers/ocr/tesseract.h"

#include <string_view>
#include <vector>

#include "rag/readers/process/child_output.h"
#include "rag/readers/process/child_process.h"
#include "rag/readers/text_lines.h"

namespace mneme::readers {
namespace {

constexpr size_t kLargestTable = size_t{16} << 20;

// Installed languages as tesseract wants them ("deu+eng"); "eng" when it does not tell.
std::string installed_languages(ReadContext& context, const std::string& program, int file) {
  const auto list = output_of(context, {program, "--list-langs"}, file, 1 << 16);
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

Tesseract::Tesseract(ReadContext& context) : context_(context) {
  if (context.limits().ocr) program_ = find_program("tesseract");
}

Result<std::string> Tesseract::words_of(int picture, const std::string& dpi, bool finds_direction) {
  if (languages_.empty()) languages_ = installed_languages(context_, program_, picture);
  std::vector<std::string> argv = {program_, "stdin", "stdout", "-l", languages_};
  if (!dpi.empty()) argv.insert(argv.end(), {"--dpi", dpi});
  if (finds_direction) argv.insert(argv.end(), {"--psm", "1"});
  argv.emplace_back("tsv");
  return output_of(context_, argv, picture, kLargestTable);
}

}  // namespace mneme::readers
