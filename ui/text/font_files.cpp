#include "ui/text/font_files.h"

#include <filesystem>
#include <initializer_list>

namespace mneme::ui {
namespace {

// Where Debian, Ubuntu and Fedora keep them; the first that exists is taken.
std::string first_of(std::initializer_list<const char*> files) {
  for (const char* file : files) {
    std::error_code error;
    if (std::filesystem::exists(file, error)) return file;
  }
  return {};
}

}  // namespace

FontFiles find_font_files() {
  FontFiles files;
  files.regular = first_of(
      {"/usr/share/fonts/opentype/inter/Inter-Regular.otf", "/usr/share/fonts/truetype/inter/Inter-Regular.ttf",
       "/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf", "/usr/share/fonts/google-noto/NotoSans-Regular.ttf",
       "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"});
  files.bold = first_of(
      {"/usr/share/fonts/opentype/inter/Inter-SemiBold.otf", "/usr/share/fonts/truetype/inter/Inter-SemiBold.ttf",
       "/usr/share/fonts/truetype/noto/NotoSans-Bold.ttf", "/usr/share/fonts/google-noto/NotoSans-Bold.ttf",
       "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf"});
  files.italic =
      first_of({"/usr/share/fonts/opentype/inter/Inter-Italic.otf", "/usr/share/fonts/truetype/inter/Inter-Italic.ttf",
                "/usr/share/fonts/truetype/noto/NotoSans-Italic.ttf"});
  files.mono = first_of({"/usr/share/fonts/truetype/noto/NotoSansMono-Regular.ttf",
                         "/usr/share/fonts/google-noto/NotoSansMono-Regular.ttf",
                         "/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf"});
  if (files.bold.empty()) files.bold = files.regular;
  if (files.italic.empty()) files.italic = files.regular;
  if (files.mono.empty()) files.mono = files.regular;
  const auto fallback = [&](std::initializer_list<const char*> candidates) {
    std::string file = first_of(candidates);
    if (file.empty()) return false;
    files.fallbacks.push_back(std::move(file));
    return true;
  };
  fallback({"/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf"});
  files.has_cjk = fallback({"/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc",
                            "/usr/share/fonts/google-noto-cjk/NotoSansCJK-Regular.ttc",
                            "/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf"});
  for (const char* script : {"Arabic",   "Hebrew",   "Devanagari", "Thai",      "Bengali", "Tamil",    "Telugu",
                             "Gujarati", "Gurmukhi", "Kannada",    "Malayalam", "Sinhala", "Khmer",    "Lao",
                             "Myanmar",  "Georgian", "Armenian",   "Ethiopic",  "Symbols", "Symbols2", "Math"}) {
    const std::string file = std::string("/usr/share/fonts/truetype/noto/NotoSans") + script + "-Regular.ttf";
    files.has_scripts |= fallback({file.c_str()});
  }
  fallback({"/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"});
  return files;
}

}  // namespace mneme::ui
