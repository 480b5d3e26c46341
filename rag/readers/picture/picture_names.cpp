#include "rag/readers/picture/picture_names.h"

#include <algorithm>
#include <string>

#include "rag/readers/process/child_process.h"
#include "rag/readers/read_context.h"

namespace mneme::readers {

bool names_picture(std::string_view path) {
  constexpr std::string_view kEndings[] = {"png", "jpg", "jpeg", "tif", "tiff", "webp", "bmp"};
  const std::string ending = extension(path);
  return std::find(std::begin(kEndings), std::end(kEndings), ending) != std::end(kEndings);
}

bool can_read_pictures() {
  return !find_program("tesseract").empty();
}

}  // namespace mneme::readers
