#include "app/eval/evidence_file.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace mneme::app {
namespace {

using nlohmann::json;

constexpr double kDigits = 1e5;  // as many as a fit can use

const std::vector<std::string>& evidence_names() {
  static const std::vector<std::string> names = {"lexical", "dense",    "coverage", "window",  "close",
                                                 "pairs",   "first",    "spelling", "symbols", "named",
                                                 "answer",  "sentence", "words",    "places",  "log_terms"};
  return names;
}

json numbers(const rag::PassageEvidence& e) {
  json row = json::array();
  for (const double value :
       {e.lexical, e.dense, e.coverage, e.window, e.close, e.pairs, e.first, e.spelling, e.symbols, e.named, e.answer,
        e.sentence, e.words, e.places, std::log1p(static_cast<double>(e.n_terms))}) {
    row.push_back(std::round(value * kDigits) / kDigits);
  }
  return row;
}

Status write_line(storage::WritableFile& file, const json& line) {
  return file.append(as_bytes(line.dump(-1, ' ', false, json::error_handler_t::replace) + "\n"));
}

}  // namespace

Result<std::unique_ptr<EvidenceFile>> EvidenceFile::create(const std::string& path) {
  MNEME_ASSIGN_OR_RETURN(std::unique_ptr<storage::WritableFile> file, storage::FileEnv::posix().create(path));
  MNEME_RETURN_IF_ERROR(write_line(*file, {{"names", evidence_names()}}));
  return std::unique_ptr<EvidenceFile>(new EvidenceFile(std::move(file)));
}

Status EvidenceFile::add(std::string_view title, const std::vector<rag::Considered>& considered,
                         const std::function<bool(const std::string&)>& is_relevant) {
  json rows = json::array();
  json relevant = json::array();
  for (size_t i = 0; i < considered.size(); ++i) {
    rows.push_back(numbers(considered[i].evidence));
    if (is_relevant(considered[i].document)) relevant.push_back(i);
  }
  return write_line(*file_, {{"title", title}, {"relevant", relevant}, {"evidence", rows}});
}

}  // namespace mneme::app
