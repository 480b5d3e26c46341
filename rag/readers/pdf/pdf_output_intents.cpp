#include "rag/readers/pdf/pdf_output_intents.h"

#include <algorithm>
#include <string_view>

namespace mneme::readers {
namespace {

constexpr std::string_view kKey = "/OutputIntents";
constexpr size_t kLongestCatalog = size_t{64} << 10;
constexpr int kMostPlaces = 64;  // every version that was saved into the file has a catalog

// Whether the object around `at` is the document's catalog: not words that someone wrote about one, on a page or in a
// title.
bool is_in_catalog(std::string_view pdf, size_t at) {
  const size_t first = at - std::min(at, kLongestCatalog);
  const size_t begin = pdf.substr(first, at - first).rfind(" obj");
  const size_t length = pdf.substr(at, kLongestCatalog).find("endobj");
  if (begin == std::string_view::npos || length == std::string_view::npos) return false;
  const std::string_view object = pdf.substr(first + begin, at + length - first - begin);
  const bool has_stream = object.find("stream") != std::string_view::npos;
  return !has_stream && object.find("/Catalog") != std::string_view::npos;
}

}  // namespace

void hide_output_intents(std::string& pdf) {
  size_t at = pdf.find(kKey);
  for (int i = 0; i < kMostPlaces && at != std::string::npos; ++i) {
    if (is_in_catalog(pdf, at)) pdf[at + 1] = 'o';
    at = pdf.find(kKey, at + kKey.size());
  }
}

}  // namespace mneme::readers
