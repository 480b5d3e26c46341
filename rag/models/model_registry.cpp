#include "rag/models/model_registry.h"

#include <algorithm>

namespace mneme::rag {

storage::ModelRecord model_record(const ModelFacts& facts, const std::string& path, const std::string& name,
                                  const std::vector<storage::ModelRecord>& known) {
  storage::ModelRecord record;
  record.name = name.empty() ? model_name_of(path) : name;
  record.path = path;
  record.kind = facts.kind;
  record.size_bytes = facts.file_bytes;
  record.profile_json = "{}";
  record.is_default = std::any_of(known.begin(), known.end(), [&](const storage::ModelRecord& model) {
    return model.name == record.name && model.kind == record.kind && model.is_default;
  });
  return record;
}

}  // namespace mneme::rag
