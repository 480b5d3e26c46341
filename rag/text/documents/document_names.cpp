#include "rag/text/documents/document_names.h"

#include <algorithm>
#include <filesystem>

#include "base/ascii.h"
#include "rag/text/documents/paper_numbers.h"
#include "rag/text/documents/section_numbers.h"
#include "storage/catalogue/lexical_terms.h"
#include "storage/catalogue/stop_words.h"

namespace mneme::rag {

namespace {

constexpr size_t kMaxNames = 8;
constexpr size_t kNearBytes = 2;  // between a word and its number: "PEP 8", "pep-8", "No. 8"

struct PlacedTerm {
  std::string term;
  size_t begin = 0;
  size_t end = 0;
};

std::vector<PlacedTerm> placed_terms(std::string_view text, storage::TermPurpose purpose) {
  std::vector<PlacedTerm> terms;
  storage::for_each_term(text, purpose, [&](const storage::LexicalTerm& term) {
    if (!term.colocated) terms.push_back({std::string(term.term), term.byte_begin, term.byte_end});
    return true;
  });
  return terms;
}

size_t n_capitals(std::string_view text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) { return c >= 'A' && c <= 'Z'; }));
}

bool is_number(const PlacedTerm& term) {
  return std::all_of(term.term.begin(), term.term.end(), is_digit);
}

// "INV-2026-0417": the last number tells one paper from the next.
bool goes_on(std::string_view question, const PlacedTerm& number, const PlacedTerm& next) {
  constexpr size_t kLeastDigits = 3;
  const bool joined = next.begin == number.end + 1 && (question[number.end] == '-' || question[number.end] == '/');
  return joined && is_number(next) && next.end - next.begin >= kLeastDigits;
}

// The numbers that full stops join at the beginning of a text: where each ends. None where one has as many digits as
// years and thousands.
std::vector<size_t> dotted_numbers(std::string_view text) {
  constexpr size_t kMostDigits = 3;
  std::vector<size_t> ends;
  for (size_t at = 0; at < text.size() && is_digit(text[at]); ++at) {
    const size_t begin = at;
    while (at < text.size() && is_digit(text[at])) ++at;
    if (at - begin > kMostDigits) return {};
    ends.push_back(at);
    if (at >= text.size() || text[at] != '.') break;
  }
  return ends;
}

// Bytes of the version at term i: "3.0.0", and "4.2" behind what has it ("release 4.2"). Not days ("12.03.26",
// "12.3."), nor hours and sums, which stand behind words of grammar. 0: none.
size_t version_at(std::string_view question, const std::vector<PlacedTerm>& terms, size_t i,
                  const storage::StopTerms& stops) {
  const std::string_view text = question.substr(terms[i].begin);
  const std::vector<size_t> ends = dotted_numbers(text);
  if (ends.size() < 2) return 0;
  const size_t end = ends.back();
  const std::string_view behind = text.substr(end);
  const bool goes_on = behind.size() > 1 && (behind[0] == ',' || behind[0] == ':') && is_digit(behind[1]);
  const bool of_day = behind.size() > 1 && behind[0] == '.' && ends.size() == 2;
  const bool is_day = ends.size() == 3 && end - ends[1] > 2;  // of three numbers the last is a year
  const bool of_noun = i > 0 && !is_number(terms[i - 1]) && !stops.contains(terms[i - 1].term);
  return goes_on || of_day || is_day || (ends.size() == 2 && !of_noun) ? 0 : end;
}

}  // namespace

std::string called_by_path(const std::string& path, const std::string& names) {
  const std::filesystem::path file(path);
  return (names.empty() ? file.parent_path().filename().string() : names) + " " + file.stem().string();
}

std::string lowest_heading(std::string_view heading_path, std::string_view title) {
  if (heading_path.empty()) return std::string(title);
  constexpr std::string_view kAbove = " > ";
  const size_t above = heading_path.rfind(kAbove);
  if (above != std::string_view::npos) heading_path.remove_prefix(above + kAbove.size());
  return std::string(without_section_number(heading_path));
}

CalledNames::CalledNames(std::string_view question, Which which) {
  const auto wanted = [&](const PlacedTerm& term, size_t least_capitals) {
    return which == Which::kAll || n_capitals(question.substr(term.begin, term.end - term.begin)) >= least_capitals;
  };
  const std::vector<PlacedTerm> terms = placed_terms(question, storage::TermPurpose::kQuery);
  const storage::StopTerms stops = storage::StopTerms::of(question);
  const std::vector<PaperNumber> numbers = paper_numbers(question);
  for (size_t i = 0; i < terms.size() && names_.size() < kMaxNames; ++i) {
    const std::string& term = terms[i].term;
    if (std::none_of(term.begin(), term.end(), is_digit)) continue;
    const auto number = std::find_if(numbers.begin(), numbers.end(),
                                     [&](const PaperNumber& one) { return one.byte_begin == terms[i].begin; });
    if (number != numbers.end()) {
      numbers_.emplace_back(question.substr(number->byte_begin, number->byte_end - number->byte_begin));
      std::vector<std::string>& name = names_.emplace_back();
      for (size_t part = i; part < terms.size() && terms[part].end <= number->byte_end; ++part)
        name.push_back(terms[part].term);
      i += name.size() - 1;
    } else if (const size_t version = version_at(question, terms, i, stops); version > 0) {
      std::vector<std::string>& name = names_.emplace_back();
      for (size_t part = i; part < terms.size() && terms[part].end <= terms[i].begin + version; ++part)
        name.push_back(terms[part].term);
      spelled_.resize(names_.size());
      spelled_.back() = question.substr(terms[i].begin, version);
      i += name.size() - 1;
    } else if (!is_number(terms[i])) {
      if (wanted(terms[i], 1)) names_.push_back({term});
    } else if (i > 0 && wanted(terms[i - 1], 2) && terms[i].begin - terms[i - 1].end <= kNearBytes &&
               !stops.contains(terms[i - 1].term)) {
      std::vector<std::string>& name = names_.emplace_back(std::vector<std::string>{terms[i - 1].term, term});
      for (; i + 1 < terms.size() && goes_on(question, terms[i], terms[i + 1]); ++i) name.push_back(terms[i + 1].term);
    }
  }
  spelled_.resize(names_.size());
}

bool CalledNames::number_in(std::string_view passage) const {
  const std::vector<PaperNumber> there = paper_numbers(passage);
  return std::any_of(numbers_.begin(), numbers_.end(), [&](const std::string& number) {
    return passage.find(number) != std::string_view::npos &&
           std::all_of(there.begin(), there.end(), [&](const PaperNumber& other) {
             const std::string_view text = passage.substr(other.byte_begin, other.byte_end - other.byte_begin);
             return text == number || !are_written_alike(text, number);
           });
  });
}

std::vector<std::string> CalledNames::phrases() const {
  std::vector<std::string> phrases;
  for (const std::vector<std::string>& name : names_) {
    if (name.size() < 2) continue;
    std::string phrase;
    for (const std::string& term : name) phrase += (phrase.empty() ? "" : " ") + term;
    phrases.push_back(std::move(phrase));
  }
  return phrases;
}

bool CalledNames::is_in(size_t name, std::string_view text, const std::vector<std::string>& terms) const {
  const std::vector<std::string>& words = names_[name];
  if (std::search(terms.begin(), terms.end(), words.begin(), words.end()) == terms.end()) return false;
  return spelled_[name].empty() || text.find(spelled_[name]) != std::string_view::npos;
}

double CalledNames::share_in(std::string_view title_and_path) const {
  if (names_.empty()) return 0.0;
  std::vector<std::string> terms;
  for (PlacedTerm& placed : placed_terms(title_and_path, storage::TermPurpose::kDocument)) {
    terms.push_back(std::move(placed.term));
  }
  size_t found = 0;
  for (size_t i = 0; i < names_.size(); ++i) found += is_in(i, title_and_path, terms) ? 1 : 0;
  return static_cast<double>(found) / static_cast<double>(names_.size());
}

}  // namespace mneme::rag
