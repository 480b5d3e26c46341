#include "app/commands/model_find.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "app/commands/model_line.h"
#include "app/output/terminal_text.h"
#include "app/session.h"
#include "rag/models/model_facts.h"
#include "rag/workspace.h"
#include "storage/catalogue/catalogue.h"

namespace mneme::app {

namespace {

using nlohmann::json;

std::vector<rag::FoundModel> look_around(const CancelToken& cancel) {
  return rag::find_models(rag::model_places(rag::process_environment()), cancel);
}

}  // namespace

Result<ExitCode> list_found_models(Context& context) {
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<rag::Workspace> workspace, open_workspace(context));
  MNEME_ASSIGN_OR_RETURN(const std::vector<storage::ModelRecord> registered, workspace->catalogue().list_models());
  json list = json::array();
  for (const rag::FoundModel& model : look_around(context.cancel)) {
    const Result<rag::ModelFacts> facts = rag::inspect_model(model.path);
    const bool known = std::any_of(registered.begin(), registered.end(),
                                   [&](const storage::ModelRecord& record) { return record.path == model.path; });
    list.push_back({{"name", model.name},
                    {"path", model.path},
                    {"program", model.program},
                    {"bytes", model.bytes},
                    {"kind", facts.ok() ? json(facts->kind) : json(nullptr)},
                    {"registered", known},
                    {"error", facts.ok() ? json(nullptr) : json(facts.status().message())}});
    if (context.output.json()) continue;
    const std::string where = model.program + (known ? ", registered" : "");
    context.output.print(model_line(false, model.name, facts.ok() ? facts->kind : "-", model.bytes, where));
    if (!facts.ok()) context.output.print("      " + terminal_line(facts.status().message()) + "\n");
  }
  if (context.output.json()) {
    context.output.print_json({{"found", std::move(list)}});
  } else {
    context.output.note(list.empty() ? "No other program's models were found; `mneme model add FILE.gguf` adds a file."
                                     : "`mneme model add NAME` adds one; its file stays where it is.");
  }
  return ExitCode::kDone;
}

std::optional<rag::FoundModel> found_model(const std::string& name, const CancelToken& cancel) {
  std::error_code error;
  if (std::filesystem::exists(name, error)) return std::nullopt;
  return rag::find_model(rag::model_places(rag::process_environment()), name, cancel);
}

}  // namespace mneme::app
