#include "rag/answering/listed_line.h"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "rag/quoting/quoting.h"

namespace mneme::rag {
namespace {

constexpr size_t kLongestQuote = 240;  // bytes that show how a document speaks of it

std::string called(const Hit& hit) {
  return hit.title.empty() ? std::filesystem::path(hit.document).filename().string() : hit.title;
}

void add_quote(std::string_view matter, Citation& citation, std::string& line) {
  const std::string context = citation.source.title + "\n" + citation.source.heading_path;
  const std::vector<QuotePassage> passages = {
      {citation.source.text, context, citation.source.title, citation.source.form}};
  for (const QuotedSentence& quote : quote_sentences(matter, passages)) {
    if (quote.text.size() > kLongestQuote || quote.text.find('\n') != std::string::npos) continue;
    line += ": " + quote.text;
    citation.quotes.push_back({quote.byte_begin, quote.byte_end});
    break;
  }
}

}  // namespace

void add_listed_line(Hit hit, const ListedLine& told, Answer& answer) {
  const int n = static_cast<int>(answer.sources.size()) + 1;
  hit.rank = n;
  std::string line = std::string(told.sender) + (told.sender.empty() ? "" : ": ") + called(hit);
  line += told.when;
  Citation citation{n, std::move(hit), true, true};
  if (!told.matter.empty()) add_quote(told.matter, citation, line);
  answer.text += (answer.text.empty() ? "" : "\n") + line + " [" + std::to_string(n) + "]";
  answer.sources.push_back(std::move(citation));
}

}  // namespace mneme::rag
