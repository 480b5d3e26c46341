// A program that says what Tesseract would, found before any that is installed. One thread: it sets PATH.
#pragma once

#include <sys/stat.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>

#include "tests/support/process_folder.h"

namespace mneme::test {

class StandInTesseract {
 public:
  // tsv: its table of words. works: false ends it with a failure.
  explicit StandInTesseract(const std::string& tsv, bool works = true) {
    const char* path = std::getenv("PATH");
    before_ = path != nullptr ? path : "";
    const std::string folder = process_folder() + "/stand-in";
    ::mkdir(folder.c_str(), 0700);
    const std::string program = folder + "/tesseract";
    std::ofstream(program) << "#!/bin/sh\nif [ \"$1\" = --list-langs ]; then printf 'eng\\n'; exit 0; fi\n"
                           << (works ? "printf '%s' '" + tsv + "'\n" : std::string("exit 1\n"));
    ::chmod(program.c_str(), 0700);
    ::setenv("PATH", (folder + ":" + before_).c_str(), 1);
  }
  ~StandInTesseract() { ::setenv("PATH", before_.c_str(), 1); }
  StandInTesseract(const StandInTesseract&) = delete;
  StandInTesseract& operator=(const StandInTesseract&) = delete;

 private:
  std::string before_;
};

// The head of a PNG of this size, with nothing behind it.
inline std::string png_head(uint32_t width, uint32_t height) {
  const auto big = [](uint32_t n) {
    return std::string{static_cast<char>(n >> 24), static_cast<char>(n >> 16), static_cast<char>(n >> 8),
                       static_cast<char>(n)};
  };
  return "\x89PNG\r\n\x1a\n" + big(13) + "IHDR" + big(width) + big(height) + "\x08\x02" + std::string(40, '\0');
}

// A row of Tesseract's table for each word of a line.
inline std::string ocr_line(int page, int line, const std::string& words) {
  const auto row = [&](int level, int word, int left, int width, const std::string& text) {
    const std::string number = std::to_string(line);
    return std::to_string(level) + "\t" + std::to_string(page) + "\t" + number + "\t1\t1\t" + std::to_string(word) +
           "\t" + std::to_string(left) + "\t" + std::to_string(100 + 100 * line) + "\t" + std::to_string(width) +
           "\t40\t96\t" + text + "\n";
  };
  std::string rows = row(4, 0, 100, 900, "");
  int word = 0;
  for (size_t at = 0; at < words.size();) {
    const size_t end = std::min(words.find(' ', at), words.size());
    rows +=
        row(5, ++word, 100 + 20 * static_cast<int>(at), 20 * static_cast<int>(end - at), words.substr(at, end - at));
    at = end + 1;
  }
  return rows;
}
inline std::string ocr_page(int page, int width, int height) {
  return "1\t" + std::to_string(page) + "\t0\t0\t0\t0\t0\t0\t" + std::to_string(width) + "\t" + std::to_string(height) +
         "\t-1\t\n";
}
inline const std::string kOcrHead =
    "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext\n";

}  // namespace mneme::test
