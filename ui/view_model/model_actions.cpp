#include "ui/view_model/model_actions.h"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <vector>

#include "base/memory_limit.h"
#include "rag/models/model_facts.h"
#include "rag/models/model_registry.h"
#include "storage/catalogue/catalogue.h"
#include "ui/language/figures.h"
#include "ui/language/tr.h"

namespace mneme::ui {
namespace {

constexpr size_t kReadBytes = size_t{4} << 20;
constexpr std::chrono::milliseconds kPublishEvery{40};

// What can be known of a file without loading it, or why not.
ModelRow row_of(const std::string& name, const std::string& path) {
  ModelRow row;
  row.name = name;
  row.path = path;
  const Result<rag::ModelFacts> facts = rag::inspect_model(path);
  if (!facts.ok()) {
    row.error = facts.status().message();
    return row;
  }
  row.kind = facts->kind;
  row.size_bytes = facts->file_bytes;
  row.architecture = facts->architecture;
  row.parameters = facts->parameters;
  for (const auto& [type, count] : facts->tensor_types) row.types += (row.types.empty() ? "" : ", ") + type;
  const rag::MemoryNeed need = rag::memory_need(*facts, 0);
  row.weights_bytes = need.weights_bytes;
  row.scratch_bytes = need.scratch_bytes;
  if (facts->config) {
    row.context_length = facts->config->context_length;
    row.n_layers = facts->config->n_layers;
    row.kv_bytes_per_token = facts->config->kv_bytes_per_token();
  }
  return row;
}

// That one was added, and how it is used.
std::string added_text(const storage::ModelRecord& record) {
  const char* const text = record.kind == "embedder" ? tr("{0} was added; “Use” lets it find passages.")
                           : record.kind == "reranker"
                               ? tr("{0} was added; `mneme search` and `ask` use it where --rerank-by names it.")
                               : tr("{0} was added; “Use” makes it answer.");
  return filled(text, record.name);
}

}  // namespace

// What the command line named goes before what is registered, and that before what came along.
std::string ModelActions::chosen_embedder(const std::vector<storage::ModelRecord>& records) const {
  const rag::WorkspaceOptions& options = workspace_.options();
  if (!options.embedder.empty()) return options.embedder;
  for (const storage::ModelRecord& record : records) {
    if (record.kind == "embedder" && record.is_default) return record.name;
  }
  return rag::model_name_of(options.shipped_embedder);
}

Status ModelActions::use_embedder(const std::string& name) {
  MNEME_ASSIGN_OR_RETURN(std::vector<storage::ModelRecord> records, workspace_.catalogue().list_models());
  for (storage::ModelRecord& record : records) {
    if (record.kind != "embedder" || record.is_default == (record.name == name)) continue;
    record.is_default = record.name == name;
    MNEME_RETURN_IF_ERROR(workspace_.catalogue().put_model(record));
  }
  int64_t passages = 0;
  for (const CollectionRow& row : publisher_.current()->library.collections) passages += row.chunks;
  const bool anew = embedder_ != name;
  publisher_.notice(
      anew ? filled(
                 tr_n("{1} finds passages from the next start of mneme on. {0} passage is embedded anew then, which "
                      "takes a while.",
                      "{1} finds passages from the next start of mneme on. {0} passages are embedded anew then, which "
                      "takes a while.",
                      passages),
                 number_text(passages), name)
           : filled(tr("{0} goes on finding passages."), name),
      false);
  return refresh();
}

Status ModelActions::refresh() {
  MNEME_ASSIGN_OR_RETURN(seen_, registered());
  MNEME_ASSIGN_OR_RETURN(const std::vector<storage::ModelRecord> records, workspace_.catalogue().list_models());
  const std::string in_use = workspace_.model_name();
  std::vector<ModelRow> rows;
  for (const storage::ModelRecord& record : records) {
    rows.push_back(row_of(record.name, record.path));
    if (rows.back().kind.empty()) rows.back().kind = record.kind;
  }
  const rag::WorkspaceOptions& options = workspace_.options();
  for (const std::string& path : {options.shipped_model, options.shipped_reader, options.shipped_embedder}) {
    if (path.empty()) continue;
    rows.push_back(row_of(rag::model_name_of(path), path));
    rows.back().shipped = true;
  }
  // A file named on the command line is in no registry.
  bool listed = in_use == "none";
  for (const ModelRow& row : rows) listed = listed || row.name == in_use;
  if (!listed) rows.push_back(row_of(in_use, in_use));
  const std::string chosen = chosen_embedder(records);
  if (!embedder_) embedder_ = chosen;  // as the home was opened
  for (ModelRow& row : rows) {
    row.in_use = row.name == (row.kind == "embedder" ? *embedder_ : in_use);
    row.chosen = row.kind == "embedder" && row.name == chosen;
  }
  publisher_.update([&](Snapshot& s) { s.models = std::move(rows); });
  show_state();
  return {};
}

Result<ModelActions::Registered> ModelActions::registered() {
  MNEME_ASSIGN_OR_RETURN(const std::vector<storage::ModelRecord> records, workspace_.catalogue().list_models());
  Registered registered;
  registered.reserve(records.size());
  for (const storage::ModelRecord& record : records) registered.emplace_back(record.name, record.path);
  return registered;
}

Status ModelActions::refresh_if_changed() {
  MNEME_ASSIGN_OR_RETURN(const Registered now, registered());
  return now == seen_ ? Status() : refresh();
}

void ModelActions::show_state() {
  const std::string name = workspace_.model_name();
  const bool open = workspace_.model_is_open();
  publisher_.update([&](Snapshot& s) {
    s.engine.model = name;
    s.engine.available_bytes = available_memory_bytes();
    s.engine.device = workspace_.options().device;
    s.engine.context_tokens = workspace_.options().context_tokens;
    if (s.engine.state == EngineView::State::kLoading) return;
    s.engine.state = name == "none" ? EngineView::State::kNone
                     : open         ? EngineView::State::kOpen
                                    : EngineView::State::kClosed;
    if (open) s.engine.error.clear();
    for (ModelRow& row : s.models) {
      if (row.kind != "embedder") row.in_use = row.name == name;
    }
  });
}

void ModelActions::show_running() {
  show_state();
  if (!workspace_.model_is_open()) return;
  const Result<engine::LanguageModel*> model = workspace_.model();
  if (!model.ok() || *model == nullptr) return;
  const rag::RunningFacts facts = rag::running_facts(**model, workspace_.options().context_tokens);
  publisher_.update([&](Snapshot& s) {
    s.engine.running_on = facts.device;
    s.engine.running_layers = facts.n_layers;
    s.engine.running_context = facts.context_tokens;
  });
}

Status ModelActions::add(const std::string& path, const std::string& name) {
  MNEME_ASSIGN_OR_RETURN(const rag::ModelFacts facts, rag::inspect_model(path));
  MNEME_ASSIGN_OR_RETURN(const std::vector<storage::ModelRecord> known, workspace_.catalogue().list_models());
  const storage::ModelRecord record = rag::model_record(facts, path, name, known);
  MNEME_RETURN_IF_ERROR(workspace_.catalogue().put_model(record));
  publisher_.notice(added_text(record), false);
  return refresh();
}

Status ModelActions::remove(const std::string& name) {
  MNEME_RETURN_IF_ERROR(workspace_.catalogue().remove_model(name));
  return refresh();
}

// What is shown of a model that is not open, until show_state() knows more.
void ModelActions::close_view() {
  publisher_.update([](Snapshot& s) {
    s.engine.error.clear();
    s.engine.progress = -1.0f;
    s.engine.state = EngineView::State::kClosed;
  });
}

Status ModelActions::use(const rag::Workspace::ModelChoice& choice) {
  stop_loading();  // before what is shown changes: see load()
  const ModelTrial::Pause pause(trial_);
  forget_model_();
  MNEME_RETURN_IF_ERROR(workspace_.choose_model(choice));
  close_view();
  show_state();
  return {};
}

std::shared_ptr<CancelToken> ModelActions::begin_loading() {
  MutexLock lock(mutex_);
  loading_ = std::make_shared<CancelToken>();
  return loading_;
}

void ModelActions::stop_loading() {
  MutexLock lock(mutex_);
  if (loading_) loading_->cancel();
}

void ModelActions::read_through(const std::string& path, const CancelToken& cancel) {
  const std::vector<std::string> files = rag::model_files(path);
  uint64_t size = 0;
  for (const std::string& name : files) {
    std::error_code error;
    const auto bytes = std::filesystem::file_size(name, error);
    if (error) return;  // opening it says why
    size += bytes;
  }
  std::vector<char> buffer(kReadBytes);
  auto published = std::chrono::steady_clock::now();
  uint64_t done = 0;
  const auto show = [&] {
    if (std::chrono::steady_clock::now() - published < kPublishEvery) return;
    published = std::chrono::steady_clock::now();
    const double share = static_cast<double>(done) / static_cast<double>(size);
    publisher_.update([&](Snapshot& s) {
      if (s.engine.state != EngineView::State::kLoading) return;  // a question has opened it meanwhile
      s.engine.progress = 0.95f * static_cast<float>(share);
    });
  };
  for (const std::string& name : files) {
    std::ifstream file(name, std::ios::binary);
    while (!cancel.cancelled() && file.read(buffer.data(), static_cast<std::streamsize>(buffer.size()))) {
      done += buffer.size();
      show();
    }
  }
}

// Whoever stops it changes what is shown afterwards, so here nothing is shown once it was stopped.
bool ModelActions::load() {
  const std::shared_ptr<CancelToken> cancel = begin_loading();
  const std::string name = workspace_.model_name();
  if (name == "none" || workspace_.model_is_open()) return false;
  publisher_.update([&](Snapshot& s) {
    if (cancel->cancelled()) return;
    s.engine.state = EngineView::State::kLoading;
    s.engine.progress = 0.0f;
    s.engine.error.clear();
  });
  if (const Result<std::string> path = workspace_.resolve_model(name); path.ok()) read_through(*path, *cancel);
  if (cancel->cancelled()) return false;
  const Status opened = workspace_.model().status();
  bool shown = false;
  publisher_.update([&](Snapshot& s) {
    if (cancel->cancelled()) return;
    s.engine.state = opened.ok() ? EngineView::State::kOpen : EngineView::State::kFailed;
    s.engine.progress = -1.0f;
    s.engine.error = opened.message();
    shown = opened.ok();
  });
  return shown;
}

void ModelActions::unload() {
  stop_loading();
  const ModelTrial::Pause pause(trial_);
  forget_model_();
  workspace_.close_model();
  close_view();
  show_state();
}

}  // namespace mneme::ui
