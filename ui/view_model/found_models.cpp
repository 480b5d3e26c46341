#include "ui/view_model/found_models.h"

#include <algorithm>

#include "rag/models/model_facts.h"

namespace mneme::ui {

std::vector<FoundModelRow> find_models(const rag::Environment& environment) {
  std::vector<FoundModelRow> rows;
  for (const rag::FoundModel& model : rag::find_models(rag::model_places(environment))) {
    const Result<rag::ModelFacts> facts = rag::inspect_model(model.path);
    rows.push_back({model.name, model.path, model.program, facts.ok() ? facts->kind : "", model.bytes,
                    facts.ok() ? "" : facts.status().message()});
  }
  std::stable_partition(rows.begin(), rows.end(), [](const FoundModelRow& row) { return row.error.empty(); });
  return rows;
}

}  // namespace mneme::ui
