#include "rag/readers/pdf/pdf_preview.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <unordered_map>
#include <utility>

#include "base/file_descriptor.h"
#include "base/utf8.h"
#include "rag/readers/pdf/visual_order.h"
#include "rag/readers/pdf/xml_entities.h"
#include "rag/readers/process/child_process.h"

namespace mneme::readers {
namespace {

constexpr std::chrono::milliseconds kPatience{10'000};
constexpr size_t kLargestPicture = size_t{96} << 20;  // bytes of PPM
constexpr size_t kLargestText = size_t{16} << 20;
constexpr int kRun = 3;     // words in a row that count as the passage's
constexpr size_t kGap = 4;  // words between two runs that are taken along

// Runs a poppler program on the file and gives what it prints, at most `limit` bytes.
Result<std::string> run_poppler(const std::string& path, std::vector<std::string> argv, size_t limit,
                                const CancelToken& cancel) {
  const std::string name = argv.front();
  argv.front() = find_program(name);
  if (argv.front().empty()) {
    return unsupported("showing the page of a PDF needs " + name + "; install the package poppler-utils.");
  }
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) return errno_error("open", path, errno);
  std::string output;
  const ChildLimits limits{kPatience, uint64_t{1} << 30, &cancel};
  MNEME_ASSIGN_OR_RETURN(const ChildResult child,
                         run_child(argv, file.get(), limits, [&](std::string_view piece) -> Status {
                           if (output.size() + piece.size() > limit)
                             return resource_error(path + " has a page too large to show.");
                           output += piece;
                           return {};
                         }));
  if (child.timed_out) return resource_error("drawing a page of " + path + " took too long.");
  if (child.exit_code >= 128)
    return resource_error("a page of " + path + " needs more memory or time than is allowed.");
  if (child.exit_code != 0) return corruption(path + " is damaged: its page cannot be drawn.");
  return output;
}

int pages_in(std::string_view info) {
  const size_t at = info.find("Pages:");
  if (at == info.npos) return 0;
  size_t begin = at + 6;
  while (begin < info.size() && info[begin] == ' ') ++begin;
  int pages = 0;
  std::from_chars(info.data() + begin, info.data() + info.size(), pages);
  return pages;
}

// A word without case and marks, as words are compared.
std::string folded(std::string_view word) {
  std::string key;
  for (size_t offset = 0; offset < word.size();) {
    const size_t begin = offset;
    const char32_t c = utf8::next(word, offset);
    if (c < 0x80) {
      if (std::isalnum(static_cast<unsigned char>(word[begin])) != 0)
        key += static_cast<char>(std::tolower(static_cast<unsigned char>(word[begin])));
    } else if (c < 0x2000 || c >= 0x2e80) {  // general punctuation falls away
      key += word.substr(begin, offset - begin);
    }
  }
  return key;
}

std::vector<std::string> folded_words(std::string_view text) {
  std::vector<std::string> words;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find_first_of(" \t\r\n", begin), text.size());
    if (std::string word = folded(text.substr(begin, end - begin)); !word.empty()) words.push_back(std::move(word));
    begin = end + 1;
  }
  return words;
}

std::string joined(const std::vector<std::string>& words, size_t first) {
  std::string key;
  for (size_t i = first; i < first + kRun; ++i) key.append(words[i]).push_back('\x1f');
  return key;
}

float attribute(std::string_view tag, std::string_view name) {
  const size_t at = tag.find(name);
  if (at == tag.npos) return 0.0f;
  const std::string number(tag.substr(at + name.size(), 24));
  return std::strtof(number.c_str(), nullptr);
}

}  // namespace

Status parse_ppm(std::string_view bytes, PdfPreview& out) {
  const auto damaged = [] { return corruption("the picture of the page is damaged."); };
  size_t at = 2;
  if (!bytes.starts_with("P6")) return damaged();
  int values[3] = {};
  for (int& value : values) {
    while (at < bytes.size() && (bytes[at] == ' ' || bytes[at] == '\n')) ++at;
    const auto [end, error] = std::from_chars(bytes.data() + at, bytes.data() + bytes.size(), value);
    if (error != std::errc{} || value <= 0 || value > 20000) return damaged();
    at = static_cast<size_t>(end - bytes.data());
  }
  ++at;  // the one white space before the pixels
  const size_t size = static_cast<size_t>(values[0]) * static_cast<size_t>(values[1]) * 3;
  if (values[2] != 255 || at > bytes.size() || bytes.size() - at < size) return damaged();
  out.width = values[0];
  out.height = values[1];
  const auto* pixels = reinterpret_cast<const uint8_t*>(bytes.data() + at);
  out.rgb.assign(pixels, pixels + size);
  return {};
}

namespace {

// Words as they are drawn, from left to right, into the order that their line is read in.
void put_in_reading_order(std::vector<PageWord>& words, size_t first) {
  std::string line;
  for (size_t i = first; i < words.size(); ++i) line += words[i].text;
  for (size_t i = first; i < words.size(); ++i) words[i].text = reading_order(words[i].text);
  if (reads_from_right(line)) std::reverse(words.begin() + static_cast<std::ptrdiff_t>(first), words.end());
}

}  // namespace

std::vector<PageWord> parse_page_words(std::string_view xml) {
  std::vector<PageWord> words;
  const size_t page = xml.find("<page ");
  if (page == xml.npos) return words;
  const std::string_view page_tag = xml.substr(page, xml.find('>', page) - page);
  const float width = attribute(page_tag, "width=\"");
  const float height = attribute(page_tag, "height=\"");
  if (!(width > 0.0f) || !(height > 0.0f)) return words;
  size_t line = 0;  // its first word
  for (size_t at = xml.find("<word ", page); at != xml.npos; at = xml.find("<word ", at + 6)) {
    const size_t close = xml.find('>', at);
    const size_t end = close == xml.npos ? xml.npos : xml.find("</word>", close);
    if (end == xml.npos) break;
    const std::string_view tag = xml.substr(at, close - at);
    PageWord word{attribute(tag, "xMin=\"") / width, attribute(tag, "yMin=\"") / height,
                  attribute(tag, "xMax=\"") / width, attribute(tag, "yMax=\"") / height,
                  decode_entities(xml.substr(close + 1, end - close - 1))};
    if (!(word.x_max > word.x_min) || !(word.y_max > word.y_min)) continue;
    if (line < words.size() && std::abs(word.y_min - words.back().y_min) * 2 > word.y_max - word.y_min) {
      put_in_reading_order(words, line);
      line = words.size();
    }
    words.push_back(std::move(word));
  }
  put_in_reading_order(words, line);
  return words;
}

namespace {

// Words in a row that stand on the page as in the passage.
struct Run {
  size_t at = 0;      // of the page's words
  size_t number = 0;  // of such words, each counted once however often they stand in the passage
};

// Of a page's runs [first, end) the stretch about as long as the passage that says most of it.
std::pair<size_t, size_t> main_stretch(const std::vector<Run>& runs, size_t n_wanted) {
  const size_t longest = n_wanted + n_wanted / 4 + kGap;
  std::vector<size_t> times(n_wanted, 0);
  std::pair<size_t, size_t> best = {0, 0};
  size_t n_different = 0;
  size_t most = 0;
  for (size_t first = 0, i = 0; i < runs.size(); ++i) {
    if (times[runs[i].number]++ == 0) ++n_different;
    for (; runs[i].at - runs[first].at > longest; ++first) {
      if (--times[runs[first].number] == 0) --n_different;
    }
    if (n_different <= most) continue;
    most = n_different;
    best = {first, i + 1};
  }
  return best;
}

// Without those that only say again, elsewhere on the page, what the passage's own place says: contracts and forms
// repeat themselves. What is said elsewhere alone is of the passage: columns and footnotes are read in another order.
std::vector<Run> without_repeats(const std::vector<Run>& runs, size_t n_wanted) {
  const auto [first, end] = main_stretch(runs, n_wanted);
  std::vector<bool> said(n_wanted, false);
  for (size_t i = first; i < end; ++i) said[runs[i].number] = true;
  std::vector<Run> own;
  for (size_t i = 0; i < runs.size(); ++i) {
    if ((i >= first && i < end) || !said[runs[i].number]) own.push_back(runs[i]);
  }
  return own;
}

}  // namespace

std::vector<bool> words_of_passage(const std::vector<PageWord>& words, std::string_view passage) {
  std::vector<bool> inside(words.size(), false);
  const std::vector<std::string> wanted = folded_words(passage);
  std::vector<std::string> there;
  std::vector<size_t> origin;  // of `there` in `words`
  for (size_t i = 0; i < words.size(); ++i) {
    if (std::string word = folded(words[i].text); !word.empty()) {
      there.push_back(std::move(word));
      origin.push_back(i);
    }
  }
  if (wanted.size() < kRun || there.size() < kRun) return inside;
  std::unordered_map<std::string, size_t> numbers;
  for (size_t i = 0; i + kRun <= wanted.size(); ++i) numbers.try_emplace(joined(wanted, i), i);
  std::vector<Run> runs;
  for (size_t i = 0; i + kRun <= there.size(); ++i) {
    if (const auto found = numbers.find(joined(there, i)); found != numbers.end()) runs.push_back({i, found->second});
  }
  size_t last = there.size();  // the end of the run before
  for (const Run& run : without_repeats(runs, wanted.size())) {
    const size_t begin = last < there.size() && run.at <= last + kGap ? last : run.at;
    for (size_t k = begin; k < run.at + kRun; ++k) inside[origin[k]] = true;
    last = run.at + kRun - 1;
  }
  return inside;
}

std::vector<bool> what_goes_on(std::vector<bool> inside) {
  constexpr std::ptrdiff_t kFewest = 8;  // words in a row
  for (auto begin = inside.begin(); begin != inside.end();) {
    const auto end = std::find(begin, inside.end(), !*begin);
    if (*begin && end - begin < kFewest) std::fill(begin, end, false);
    begin = end;
  }
  return inside;
}

Result<PdfPreview> preview_pdf_page(const std::string& path, int page, int dpi, const CancelToken& cancel) {
  PdfPreview preview;
  // The number of pages is for turning them: without it one page is still worth showing.
  if (const auto info = run_poppler(path, {"pdfinfo", "/dev/stdin"}, kLargestText, cancel); info.ok()) {
    preview.pages = pages_in(*info);
  } else if (info.status().code() != StatusCode::kCorruption) {
    return info.status();
  }
  preview.page = std::max(1, preview.pages > 0 ? std::min(page, preview.pages) : page);
  const std::string number = std::to_string(preview.page);
  MNEME_ASSIGN_OR_RETURN(
      const std::string picture,
      run_poppler(path, {"pdftoppm", "-f", number, "-l", number, "-r", std::to_string(dpi), "/dev/stdin"},
                  kLargestPicture, cancel));
  MNEME_RETURN_IF_ERROR(parse_ppm(picture, preview));
  // A page without text (a scan) has no boxes, and is shown all the same.
  const auto text =
      run_poppler(path, {"pdftotext", "-bbox", "-enc", "UTF-8", "-f", number, "-l", number, "/dev/stdin", "-"},
                  kLargestText, cancel);
  if (text.ok()) preview.words = parse_page_words(*text);
  return preview;
}

}  // namespace mneme::readers
