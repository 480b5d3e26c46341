// mneme model: the registry of GGUF files.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/assets.h"
#include "app/commands/commands.h"
#include "app/commands/model_find.h"
#include "app/commands/model_line.h"
#include "app/context.h"
#include "app/output/terminal_text.h"
#include "app/session.h"
#include "base/human_text.h"
#include "base/stopwatch.h"
#include "engine/kv/chunk_kv.h"
#include "rag/answering/writing/mode_choice.h"
#include "rag/indexing/file_walker.h"
#include "rag/kv_reuse/kv_library.h"
#include "rag/models/model_facts.h"
#include "rag/models/model_registry.h"
#include "rag/workspace.h"
#include "storage/catalogue/catalogue.h"

namespace mneme::app {
namespace {

using nlohmann::json;

using rag::ModelFacts;

struct ModelArguments {
  std::string file;
  std::string name;
  bool make_default = false;
};

Result<ModelFacts> inspect(const std::string& path) {
  MNEME_ASSIGN_OR_RETURN(ModelFacts facts, rag::inspect_model(path));
  facts.path = rag::absolute_path(path);
  return facts;
}

json facts_json(const ModelFacts& facts) {
  json object = {{"path", facts.path},
                 {"name", facts.name.empty() ? json(nullptr) : json(facts.name)},
                 {"architecture", facts.architecture},
                 {"kind", facts.kind},
                 {"file_bytes", facts.file_bytes},
                 {"parameters", facts.parameters},
                 {"tensor_types", facts.tensor_types},
                 {"tokenizer", facts.tokenizer.empty() ? json(nullptr) : json(facts.tokenizer)},
                 {"chat_template", facts.chat_template}};
  for (const char* key : {"context_length", "layers", "dim", "heads", "kv_heads", "head_dim", "ffn_dim", "vocab_size",
                          "kv_bytes_per_token"}) {
    object[key] = nullptr;
  }
  if (!facts.config) return object;
  const engine::ModelConfig& config = *facts.config;
  object["context_length"] = config.context_length;
  object["layers"] = config.n_layers;
  object["dim"] = config.dim;
  object["heads"] = config.n_heads;
  object["kv_heads"] = config.n_kv_heads;
  object["head_dim"] = config.head_dim;
  object["ffn_dim"] = config.ffn_dim;
  object["vocab_size"] = config.vocab_size;
  object["kv_bytes_per_token"] = config.kv_bytes_per_token();
  return object;
}

std::string facts_text(const ModelFacts& facts) {
  std::string types;
  for (const auto& [type, count] : facts.tensor_types) {
    types += (types.empty() ? "" : ", ") + type + " (" + std::to_string(count) + " tensors)";
  }
  std::string text = terminal_line(facts.path) + "\n";
  if (!facts.name.empty()) text += "name          " + terminal_line(facts.name) + "\n";
  text += "architecture  " + terminal_line(facts.architecture) + " (" + facts.kind + ")\n";
  text += "parameters    " + human_count(facts.parameters) + ", file " +
          human_bytes(static_cast<double>(facts.file_bytes)) + "\n";
  text += "types         " + types + "\n";
  text += "tokenizer     " + terminal_line(facts.tokenizer) + ", chat template " + facts.chat_template + "\n";
  if (!facts.config) return text;
  const engine::ModelConfig& c = *facts.config;
  text += "shape         " + std::to_string(c.n_layers) + " layers, width " + std::to_string(c.dim) + ", " +
          std::to_string(c.n_heads) + " heads (" + std::to_string(c.n_kv_heads) + " of keys and values) of " +
          std::to_string(c.head_dim) + ", feed-forward " + std::to_string(c.ffn_dim) + ", vocabulary " +
          std::to_string(c.vocab_size) + "\n";
  text += "context       " + human_count(c.context_length) + " tokens\n";
  text += "KV per token  " + human_bytes(static_cast<double>(c.kv_bytes_per_token())) + " in fp16\n";
  if (c.has_state())
    text += "state         " + human_bytes(static_cast<double>(c.state_bytes())) + " of a text, in " +
            std::to_string(c.n_state_layers()) + " of the layers; KV of passages is not reused\n";
  return text;
}

// The registry can be mended also where the embedder that it names cannot be opened: nothing is embedded here.
Result<std::unique_ptr<rag::Workspace>> open_registry(Context& context) {
  MNEME_ASSIGN_OR_RETURN(rag::WorkspaceOptions options, workspace_options(context));
  options.embedder = "hashed";
  return rag::Workspace::open(options);
}

Result<ExitCode> show_info(Context& context, const std::string& file) {
  std::string path = file;
  std::error_code error;
  if (!std::filesystem::exists(file, error) && !can_only_be_a_path(file)) {
    MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<rag::Workspace> workspace, open_registry(context));
    MNEME_ASSIGN_OR_RETURN(path, workspace->resolve_model(file));
  }
  MNEME_ASSIGN_OR_RETURN(const ModelFacts facts, inspect(path));
  if (context.output.json()) {
    context.output.print_json(facts_json(facts));
  } else {
    context.output.print(facts_text(facts));
  }
  return ExitCode::kDone;
}

// A cache serves the model that made it alone. What another model has stored is worth something again when that one
// answers again, so it stays; but nobody should wonder why a full store makes nothing faster.
void tell_of_other_caches(Context& context, rag::KvLibrary& library) {
  const Hash128 own = library.model().identity();
  int64_t others = 0;
  uint64_t bytes = 0;
  const Status counted = library.store().for_each([&](const storage::ChunkFileInfo& info, uint64_t file_bytes) {
    if (info.model_id == own) return !context.cancel.cancelled();
    ++others;
    bytes += file_bytes;
    return !context.cancel.cancelled();
  });
  if (!counted.ok() || others == 0) return;
  context.output.note("note: " + human_number_of(others, "KV cache") + " (" + human_bytes(static_cast<double>(bytes)) +
                      (others == 1 ? ") is" : ") are") + " of other models and of no use to this one; " +
                      (others == 1 ? "it stays for its model" : "they stay for their models") +
                      " until the quota needs the room.");
}

// How far it is, and how long it takes where that can be told from what was done.
std::string measuring_text(double share, double seconds) {
  constexpr double kToldFrom = 0.03;
  std::string text = "measuring the model's caches... " + std::to_string(static_cast<int>(100 * share)) + " %";
  if (share >= kToldFrom) text += ", about " + human_seconds(seconds * (1 - share) / share) + " left";
  return text;
}

// Calibrates the KV codecs, and measures speed and quality gate, so that no question has to wait for it. What cannot be
// done now is done at the first question, or its answer says why not. False: it was interrupted.
bool measure_caches(Context& context, const storage::ModelRecord& record) {
  Context with_model{context.options, context.directories, Output(false, Verbosity::kQuiet), context.cancel};
  with_model.options.model = record.name;
  context.output.note(
      "Measuring, once, how this model's caches are best stored and loaded: a minute for a small model, several for a "
      "large one. Ctrl-C leaves it to the first question.");
  const auto begin = std::chrono::steady_clock::now();
  const auto show = [&](double share) { context.output.status_line(measuring_text(share, seconds_since(begin))); };
  show(0);
  const Status status = [&]() -> Status {
    MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<rag::Workspace> workspace, open_workspace(with_model));
    MNEME_RETURN_IF_ERROR(rag::prepare_caches(*workspace, rag::AskOptions().kv_level, context.cancel, show));
    MNEME_ASSIGN_OR_RETURN(const rag::Workspace::Kv kv, workspace->kv());
    const std::optional<rag::GateReport> gate = kv.library->saved_gate(engine::KvLevel::kMedium);
    if (gate && gate->passed()) {
      char text[80];
      std::snprintf(text, sizeof text, "Blending passes its quality gate at a share of %g.", gate->least_ratio());
      context.output.note(text);
    } else if (gate) {
      context.output.note("note: " + gate->refusal());
    }
    if (record.is_default) tell_of_other_caches(context, *kv.library);
    return {};
  }();
  context.output.status_line("");
  if (!status.ok()) context.output.note("note: the model's caches were not measured: " + status.message());
  return status.code() != StatusCode::kCancelled;
}

// A language model answers from then on where none does. An embedder does not take over by itself, since every passage
// would be embedded anew, and a reranker is used only where it is named.
bool becomes_default(const storage::ModelRecord& record, const std::vector<storage::ModelRecord>& known) {
  return record.kind == "language" && std::none_of(known.begin(), known.end(), [](const storage::ModelRecord& model) {
           return model.kind == "language" && model.is_default;
         });
}

std::string how_to_use(const storage::ModelRecord& record) {
  if (record.is_default && record.kind == "language") return "it is the default now.";
  if (record.is_default) return "it is the default now: the next command begins to embed all passages with it.";
  if (record.kind == "reranker") return "use it with --rerank-by " + record.name + ".";
  if (record.kind == "embedder") return "use it with --embedder " + record.name + ", or add it with --default.";
  return "use it with --model " + record.name + ".";
}

Result<ExitCode> add_to_registry(Context& context, ModelArguments arguments) {
  if (arguments.name == "none") {
    return usage_error("--model none means no model, so none can be a model's name; give another one.");
  }
  if (const std::optional<rag::FoundModel> found = found_model(arguments.file, context.cancel)) {
    arguments.file = found->path;
    if (arguments.name.empty()) arguments.name = found->name;
  } else if (std::error_code error; !std::filesystem::exists(arguments.file, error)) {
    const std::string shipped = can_only_be_a_path(arguments.file) ? "" : shipped_model(arguments.file + ".gguf");
    if (shipped.empty())
      return not_found("there is no file " + arguments.file +
                       ", and no other program has a model of that name; check the path, or see `mneme model find`.");
    arguments.file = shipped;
  }
  MNEME_ASSIGN_OR_RETURN(const ModelFacts facts, inspect(arguments.file));
  if (arguments.make_default && facts.kind == "reranker") {
    return usage_error(
        "a reranker is used only where --rerank-by names it, so none can be the default; leave out --default.");
  }
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<rag::Workspace> workspace, open_registry(context));
  MNEME_ASSIGN_OR_RETURN(const std::vector<storage::ModelRecord> known, workspace->catalogue().list_models());
  storage::ModelRecord record = rag::model_record(facts, facts.path, arguments.name, known);
  record.is_default = record.is_default || arguments.make_default || becomes_default(record, known);
  MNEME_RETURN_IF_ERROR(workspace->catalogue().put_model(record));
  if (context.output.json()) {
    context.output.print_json(
        {{"name", record.name}, {"path", record.path}, {"kind", record.kind}, {"default", record.is_default}});
  }
  const Status reusable = facts.config ? engine::check_kv_of_parts(*facts.config) : Status();
  if (!reusable.ok()) context.output.note("note: " + reusable.message() + ".");
  const bool finished = record.kind != "language" || !reusable.ok() || measure_caches(context, record);
  context.output.note("Registered " + record.name + " (" + record.kind + "); " + how_to_use(record));
  return finished ? ExitCode::kDone : ExitCode::kInterrupted;
}

// The files that came with the program, which need no registration.
json shipped_models(Context& context, const rag::WorkspaceOptions& options) {
  json list = json::array();
  for (const std::string& path : {options.shipped_model, options.shipped_reader, options.shipped_embedder}) {
    if (path.empty()) continue;  // a program moved away from its assets
    const Result<ModelFacts> facts = rag::inspect_model(path);
    if (!facts.ok()) continue;
    const std::string name = rag::model_name_of(path);
    list.push_back({{"name", name}, {"path", path}, {"kind", facts->kind}, {"bytes", facts->file_bytes}});
    if (!context.output.json()) {
      const std::string use = path == options.shipped_reader
                                  ? "came with mneme; reads short answers out of what is quoted"
                                  : "came with mneme";
      context.output.print(model_line(false, name, facts->kind, facts->file_bytes, use));
    }
  }
  return list;
}

Result<ExitCode> list_models(Context& context) {
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<rag::Workspace> workspace, open_registry(context));
  MNEME_ASSIGN_OR_RETURN(const std::vector<storage::ModelRecord> models, workspace->catalogue().list_models());
  json list = json::array();
  for (const storage::ModelRecord& model : models) {
    std::error_code error;
    const bool is_there = std::filesystem::exists(model.path, error);
    list.push_back({{"name", model.name},
                    {"path", model.path},
                    {"kind", model.kind},
                    {"default", model.is_default},
                    {"bytes", model.size_bytes},
                    {"found", is_there}});
    if (!context.output.json()) {
      context.output.print(model_line(model.is_default, model.name, model.kind, model.size_bytes,
                                      model.path + (is_there ? "" : " (not there any more)")));
    }
  }
  json shipped = shipped_models(context, workspace->options());
  if (context.output.json()) {
    context.output.print_json({{"models", std::move(list)}, {"shipped", std::move(shipped)}});
  } else if (models.empty()) {
    context.output.note(
        "None of your own is registered; `mneme model add FILE.gguf` adds one, `mneme model find` looks for those of "
        "other programs.");
  }
  return ExitCode::kDone;
}

Result<ExitCode> remove_model(Context& context, const std::string& name) {
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<rag::Workspace> workspace, open_registry(context));
  MNEME_ASSIGN_OR_RETURN(const std::optional<storage::ModelRecord> record, workspace->catalogue().find_model(name));
  MNEME_RETURN_IF_ERROR(workspace->catalogue().remove_model(name));
  if (context.output.json()) context.output.print_json({{"removed", name}});
  context.output.note("Removed " + name + " from the registry; the file is as it was.");
  if (record && record->is_default && record->kind == "language") {
    context.output.note(
        "It was the default: until `mneme model add` registers another, or --model names one, answers are quotations.");
  }
  return ExitCode::kDone;
}

}  // namespace

void add_model(Command root) {
  auto arguments = std::make_shared<ModelArguments>();
  Command group = root.subcommand("model", "Register models and look into GGUF files");
  group.subcommand("list", "Registered models; * marks the defaults").action(list_models);
  Command add = group.subcommand("add", "Register a GGUF file under a name");
  add.positional("FILE", arguments->file, "A GGUF file, which stays where it is, or a name that `model find` shows");
  add.option("--name N", arguments->name, "Its name; without it the file's");
  add.flag("--default", arguments->make_default, "Use it when no other is named");
  add.action([arguments](Context& context) { return add_to_registry(context, *arguments); });
  group.subcommand("find", "Models that Ollama, LM Studio, GPT4All, Jan and others have put on this machine")
      .action(list_found_models);
  Command info = group.subcommand("info", "Architecture, types, context and KV bytes per token");
  info.positional("FILE", arguments->file, "A GGUF file or a registered name");
  info.action([arguments](Context& context) { return show_info(context, arguments->file); });
  Command remove = group.subcommand("remove", "Take a model out of the registry; the file stays");
  remove.positional("NAME", arguments->name, "Its name");
  remove.action([arguments](Context& context) { return remove_model(context, arguments->name); });
  Command fetch = group.subcommand("fetch", "Download a model (a later version)");
  auto ignored = std::make_shared<std::vector<std::string>>();
  fetch.words("NAME", *ignored, "Its name", Presence::kOptional);
  fetch.action([ignored](Context&) -> Result<ExitCode> {
    return usage_error(
        "`mneme model fetch` comes with a later version; download a GGUF file and `mneme model add` it.");
  });
}

}  // namespace mneme::app
