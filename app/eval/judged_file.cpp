#include "app/eval/judged_file.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace mneme::app {
namespace {

using nlohmann::json;

constexpr double kDigits = 1e5;  // as many as a fit can use

Status write_line(storage::WritableFile& file, const json& line) {
  return file.append(as_bytes(line.dump(-1, ' ', false, json::error_handler_t::replace) + "\n"));
}

}  // namespace

Result<std::unique_ptr<JudgedFile>> JudgedFile::create(const std::string& path) {
  MNEME_ASSIGN_OR_RETURN(std::unique_ptr<storage::WritableFile> file, storage::FileEnv::posix().create(path));
  json names = json::array();
  for (const rag::AnswerEvidenceKind& kind : rag::answer_evidence_kinds()) names.push_back(kind.name);
  MNEME_RETURN_IF_ERROR(write_line(*file, {{"names", names}}));
  return std::unique_ptr<JudgedFile>(new JudgedFile(std::move(file)));
}

Status JudgedFile::add(const Judgement& judgement) {
  json rows = json::array();
  for (const rag::AnswerEvidence& evidence : judgement.evidence) {
    json row = json::array();
    for (const rag::AnswerEvidenceKind& kind : rag::answer_evidence_kinds()) {
      row.push_back(std::round(evidence.*kind.value * kDigits) / kDigits);
    }
    rows.push_back(std::move(row));
  }
  return write_line(*file_, {{"title", judgement.title},
                             {"question", judgement.question},
                             {"writing", rag::writing_name(rag::writing_of(judgement.question))},
                             {"absent", judgement.absent},
                             {"refused", judgement.refused},
                             {"relevant", judgement.relevant},
                             {"evidence", rows}});
}

}  // namespace mneme::app
