// Documents and sections called by name in a question: "PEP 8", "chapter 12", "the P300", "invoice 2026-0417". Such a
// name is strong evidence for a passage whose title, headings or file bear it, however often its words occur elsewhere.
// Threads: immutable after construction.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mneme::rag {

// What a path says of its document: its folders as the catalogue has them (DocumentRecord::names) and the file's name,
// "rust-book > src > ch09-02-recoverable-errors". Without names: the folder it lies in.
std::string called_by_path(const std::string& path, const std::string& names = {});

// The last of a path of headings ("Guide > 2. Install > 2.1. Linux"), without its number; the title where there is
// none.
std::string lowest_heading(std::string_view heading_path, std::string_view title);

class CalledNames {
 public:
  // kIdentifiers: only those that can be nothing else, "PEP 8", "P300" and "2026-0417" but not "season 3".
  enum class Which { kAll, kIdentifiers };
  explicit CalledNames(std::string_view question, Which which = Which::kAll);

  bool empty() const { return names_.empty(); }
  // Those of several words, as phrases to search for: "pep 8".
  std::vector<std::string> phrases() const;
  // The share of the names that `title_and_path` bears, from 0 to 1: title, headings, name of the file.
  double share_in(std::string_view title_and_path) const;
  // Whether a passage has the number that the question calls a paper by (paper_numbers.h), and no other that is written
  // alike: then it is of that paper, not of a list of such.
  bool number_in(std::string_view passage) const;

 private:
  bool is_in(size_t name, std::string_view text, const std::vector<std::string>& terms) const;

  std::vector<std::vector<std::string>> names_;  // as terms (storage/catalogue/lexical_terms.h)
  std::vector<std::string> spelled_;             // ... and as they are written, where "4,3" is not "4.3"; else empty
  std::vector<std::string> numbers_;             // of papers, as they are written
};

}  // namespace mneme::rag
