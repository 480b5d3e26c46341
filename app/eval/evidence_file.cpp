#include "app/eval/evidence_file.h"

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "rag/retrieval/passage_evidence.h"

namespace mneme::app {
namespace {

using nlohmann::json;

constexpr double kDigits = 1e5;  // as many as a fit can use

json numbers(const rag::PassageEvidence& evidence) {
  json row = json::array();
  for (const rag::EvidenceKind& kind : rag::evidence_kinds()) {
    row.push_back(std::round(evidence.*kind.value * kDigits) / kDigits);
  }
  return row;
}

Status write_line(storage::WritableFile& file, const json& line) {
  return file.append(as_bytes(line.dump(-1, ' ', false, json::error_handler_t::replace) + "\n"));
}

}  // namespace

Result<std::unique_ptr<EvidenceFile>> EvidenceFile::create(const std::string& path) {
  MNEME_ASSIGN_OR_RETURN(std::unique_ptr<storage::WritableFile> file, storage::FileEnv::posix().create(path));
  json names = json::array();
  for (const rag::EvidenceKind& kind : rag::evidence_kinds()) names.push_back(kind.name);
  MNEME_RETURN_IF_ERROR(write_line(*file, {{"names", names}}));
  return std::unique_ptr<EvidenceFile>(new EvidenceFile(std::move(file)));
}

Status EvidenceFile::add(std::string_view title, std::string_view question,
                         const std::vector<rag::Considered>& considered,
                         const std::function<bool(const rag::Considered&)>& is_relevant) {
  json rows = json::array();
  json relevant = json::array();
  json documents = json::array();
  for (size_t i = 0; i < considered.size(); ++i) {
    rows.push_back(numbers(considered[i].evidence));
    documents.push_back(std::filesystem::path(considered[i].document).stem().string());
    if (is_relevant(considered[i])) relevant.push_back(i);
  }
  return write_line(*file_, {{"title", title},
                             {"question", question},
                             {"writing", rag::writing_name(rag::writing_of(question))},
                             {"documents", documents},
                             {"relevant", relevant},
                             {"evidence", rows}});
}

}  // namespace mneme::app
