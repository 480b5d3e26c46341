// mneme index: files and folders into a collection.
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <system_error>

#include "app/commands/commands.h"
#include "app/commands/failure_line.h"
#include "app/context.h"
#include "app/home_files.h"
#include "app/output/progress.h"
#include "app/output/result_json.h"
#include "app/output/result_text.h"
#include "app/output/terminal_text.h"
#include "app/session.h"
#include "base/human_text.h"
#include "engine/kv/chunk_kv.h"
#include "engine/language_model.h"
#include "rag/indexing/failed_files.h"
#include "rag/indexing/file_walker.h"
#include "rag/indexing/gone_roots.h"
#include "rag/indexing/index_control.h"
#include "rag/indexing/indexer.h"
#include "rag/indexing/kv_job.h"
#include "rag/indexing/passage_size.h"
#include "rag/readers/process/sandbox.h"
#include "rag/workspace.h"
#include "storage/catalogue/catalogue.h"

namespace mneme::app {
namespace {

constexpr double kSecondsBetweenEvents = 1.0;

struct IndexArguments {
  std::vector<std::string> paths;
  std::string collection = "default";
  std::string kv;                     // empty: as before, at first lazy
  std::optional<int> passage_tokens;  // none: as before
  bool watch = false;
  bool ocr = false;
  bool retry = false;
  bool pause = false;
  bool resume = false;
};

std::optional<rag::KvPolicy> kv_policy(const std::string& name) {
  if (name.empty()) return std::nullopt;
  if (name == "now") return rag::KvPolicy::kNow;
  return name == "off" ? rag::KvPolicy::kOff : rag::KvPolicy::kLazy;
}

nlohmann::json progress_json(const rag::IndexProgress& progress) {
  nlohmann::json event = {{"event", "progress"},         {"documents_done", progress.documents_done},
                          {"documents_total", nullptr},  {"bytes_done", progress.bytes_done},
                          {"chunks", progress.chunks},   {"file", progress.current_file},
                          {"seconds", progress.seconds}, {"eta_s", nullptr},
                          {"paused", progress.paused}};
  if (!progress.counting) event["documents_total"] = progress.documents_total;
  if (progress.eta_s >= 0) event["eta_s"] = progress.eta_s;
  return event;
}

// Shows progress and failures as they come: a bar on a terminal, events with --json.
rag::IndexCallbacks reporting(Context& context, Progress& bar) {
  rag::IndexCallbacks callbacks;
  Output& output = context.output;
  callbacks.progress = [&output, &bar, last = 0.0](const rag::IndexProgress& progress) mutable {
    bar.update(progress.documents_done, progress.counting ? 0 : progress.documents_total,
               progress.paused ? "paused; `mneme index --resume` goes on" : progress.current_file);
    if (!output.json() || progress.seconds - last < kSecondsBetweenEvents) return;
    last = progress.seconds;
    output.print_json(progress_json(progress));
  };
  callbacks.failed = [&output](const rag::IndexFailure& failure) {
    output.note(failure_line(failure.path, failure.error));
    if (output.json()) output.print_json({{"event", "failed"}, {"path", failure.path}, {"error", failure.error}});
  };
  callbacks.looked_into = [&output](const std::string& path) { output.detail("looked into " + terminal_line(path)); };
  callbacks.waits_for_others = [&output](bool waits) {
    if (!waits) return;
    output.note("Waiting for another program that is writing to the library; indexing goes on by itself.");
    if (output.json()) output.print_json({{"event", "waiting"}});
  };
  return callbacks;
}

ExitCode exit_of(const rag::IndexReport& report) {
  if (report.interrupted) return ExitCode::kInterrupted;
  // Some files failing is the normal case and stands in the report; nothing at all coming of it is a failure.
  const bool nothing = report.documents + report.unchanged + report.renamed == 0;
  return nothing && !report.failed.empty() ? ExitCode::kDamaged : ExitCode::kDone;
}

void print_report(Output& output, const rag::IndexReport& report) {
  output.status_line("");
  if (output.json()) {
    output.print_json(index_json(report));
  } else {
    output.print(index_text(report));
  }
}

// `--kv now`: the KV of every passage that is not stored yet, with an estimate once the first few were measured. Gives
// whether it was interrupted; what was computed by then is kept.
Result<bool> compute_kv(Context& context, rag::Workspace& workspace, const std::string& collection) {
  MNEME_ASSIGN_OR_RETURN(engine::LanguageModel* const model, workspace.model());
  if (model == nullptr) {
    context.output.warning("--kv now needs a language model, so no KV caches were computed; name one with --model.");
    return false;
  }
  if (const Status reusable = engine::check_kv_of_parts(model->config()); !reusable.ok()) {
    context.output.warning("no KV caches were computed: " + reusable.message() + ".");
    return false;
  }
  Progress bar(context.output, "passages");
  const storage::Catalogue::Patience patience(workspace.catalogue(), context.cancel);
  rag::KvCallbacks callbacks;
  callbacks.estimated = [&](const rag::KvEstimate& e) {
    context.output.note("KV caches of " + std::to_string(e.chunks) + " passages: about " +
                        std::to_string(std::llround(e.seconds)) + " s and " +
                        std::to_string(std::llround(e.bytes / 1e6)) + " MB");
    if (context.output.json()) {
      context.output.print_json({{"event", "kv_estimate"},
                                 {"chunks", e.chunks},
                                 {"tokens", e.tokens},
                                 {"seconds", e.seconds},
                                 {"bytes", e.bytes},
                                 {"quota_bytes", e.quota_bytes}});
    }
  };
  callbacks.progress = [&](const rag::KvProgress& p) {
    bar.update(static_cast<uint64_t>(p.done), static_cast<uint64_t>(p.total), "KV caches");
  };
  const Result<rag::KvReport> outcome =
      rag::compute_collection_kv(workspace, collection, engine::KvLevel::kMedium, callbacks, context.cancel);
  if (outcome.status().code() == StatusCode::kCancelled) return true;
  MNEME_ASSIGN_OR_RETURN(const rag::KvReport report, outcome);
  if (report.quota_reached)
    context.output.warning("the KV store's quota is reached; the rest is computed when it is needed.");
  context.output.note(std::to_string(report.computed) + " KV caches computed, " +
                      std::to_string(report.already_stored) + " were there");
  return report.interrupted || context.cancel.cancelled();
}

// `--pause` and `--resume`: for the run that another process or the window has under way on this home.
Result<ExitCode> control_runs(Context& context, rag::Workspace& workspace, bool pause) {
  rag::IndexControl control(workspace);
  const bool running = control.running();
  MNEME_RETURN_IF_ERROR(pause ? control.pause() : control.resume());
  if (context.output.json()) {
    context.output.print_json({{"event", pause ? "paused" : "resumed"}, {"running", running}});
  } else {
    context.output.print(std::string(pause ? "Indexing is paused." : "Indexing goes on.") +
                         (running ? "\n" : " No index run is under way.\n"));
  }
  return ExitCode::kDone;
}

Result<std::vector<std::string>> gone_roots(Context& context, rag::Workspace& workspace,
                                            storage::CollectionId collection) {
  const std::chrono::milliseconds patience = rag::IndexOptions{}.limit_file_time;
  return rag::gone_roots(workspace.catalogue(), collection, patience, context.cancel);
}

// Without the roots that are gone: one folder that was moved or deleted keeps no other from being looked at. kNotFound
// where none is left.
Result<std::vector<std::string>> roots_still_there(Context& context, rag::Workspace& workspace,
                                                   const storage::CollectionRecord& collection) {
  MNEME_ASSIGN_OR_RETURN(std::vector<std::string> roots, workspace.catalogue().roots(collection.id));
  MNEME_ASSIGN_OR_RETURN(const std::vector<std::string> gone, gone_roots(context, workspace, collection.id));
  if (!gone.empty() && gone.size() == roots.size()) {
    return not_found("nothing that the collection " + collection.name + " was made from is there any more (" +
                     gone.front() + (gone.size() > 1 ? ", ..." : "") +
                     "); index its new place if it was moved, `mneme forget` it if it was deleted.");
  }
  for (const std::string& root : gone) std::erase(roots, root);
  return roots;
}

// A word for the roots that are gone and that documents still name, once a run has taken out what it found to be
// deleted or elsewhere. What hinders the look costs the word.
void warn_of_gone_roots(Context& context, rag::Workspace& workspace, const std::string& name) {
  storage::Catalogue& catalogue = workspace.catalogue();
  const Result<storage::CollectionRecord> collection = catalogue.find_collection(name);
  if (!collection.ok()) return;
  const Result<std::vector<std::string>> gone = gone_roots(context, workspace, collection->id);
  for (const std::string& root : gone.ok() ? *gone : std::vector<std::string>()) {
    const Result<std::vector<storage::DocumentState>> kept = catalogue.document_states(collection->id, root);
    if (!kept.ok() || kept->empty()) continue;
    const bool is_one = kept->size() == 1;
    context.output.warning(terminal_line(root) + " is no longer there; its " +
                           human_number_of(static_cast<int64_t>(kept->size()), "document") +
                           (is_one ? " stays as it was." : " stay as they were.") +
                           " Index its new place if it was moved, `mneme forget` it if it was deleted.");
  }
}

// The paths given, else the folders and files this collection was made from.
Result<std::vector<std::string>> paths_to_index(Context& context, rag::Workspace& workspace,
                                                const IndexArguments& arguments) {
  std::vector<std::string> paths;
  paths.reserve(arguments.paths.size());
  for (const std::string& path : arguments.paths) paths.push_back(rag::absolute_path(path));
  if (!paths.empty()) return paths;
  const Result<storage::CollectionRecord> collection = workspace.catalogue().find_collection(arguments.collection);
  if (collection.ok()) {
    MNEME_ASSIGN_OR_RETURN(paths, roots_still_there(context, workspace, *collection));
  }
  if (paths.empty()) {
    return usage_error("nothing to index: name files or folders; the collection " + arguments.collection +
                       " has none yet that could be looked at again.");
  }
  return paths;
}

// What says something else than the paths, or than each other.
Status check_arguments(const IndexArguments& arguments) {
  if (arguments.pause && arguments.resume) return usage_error("--pause and --resume exclude each other; give one.");
  if (arguments.retry && arguments.watch) return usage_error("--retry is for one run and --watch goes on; give one.");
  if (arguments.paths.empty()) return {};
  if (std::find(arguments.paths.begin(), arguments.paths.end(), "") != arguments.paths.end()) {
    return usage_error("one of the paths is an empty name; name files and folders to index.");
  }
  if (arguments.retry) return usage_error("--retry takes the files that failed before; leave the paths out.");
  if (arguments.pause || arguments.resume) {
    return usage_error("--pause and --resume are for the run that is under way; leave the paths out.");
  }
  return {};
}

void warn_where_there_is_no_sandbox(Output& output) {
  const int obstacle = readers::obstacle_to_sandbox();
  if (obstacle == 0) return;
  const bool is_unknown = obstacle == EINVAL || obstacle == ENOSYS;
  const std::string why =
      is_unknown ? "this kernel offers no seccomp"
                 : "readers may not enter their sandbox (" + std::generic_category().message(obstacle) + ")";
  output.warning(why +
                 ", so files are read without a sandbox: a hostile one could do what you can do; index only "
                 "files that you trust, or " +
                 (is_unknown ? "use a kernel that has it." : "run mneme where seccomp filters are allowed."));
}

Result<ExitCode> index_once(Context& context, rag::Workspace& workspace, const rag::IndexOptions& options) {
  Progress bar(context.output, "files");
  MNEME_ASSIGN_OR_RETURN(rag::IndexReport report,
                         rag::Indexer(workspace).run(options, reporting(context, bar), context.cancel));
  if (options.kv == rag::KvPolicy::kNow && !report.interrupted) {
    MNEME_ASSIGN_OR_RETURN(report.interrupted, compute_kv(context, workspace, options.collection));
  }
  print_report(context.output, report);
  if (report.documents > 0) note_who_else_reads(context);
  return exit_of(report);
}

// Until it is interrupted. What hinders KV caches after one change costs the caches; the next change tries them again.
Result<ExitCode> watch(Context& context, rag::Workspace& workspace, const rag::IndexOptions& options) {
  context.output.note("Watching for changes; Ctrl-C ends it.");
  Progress bar(context.output, "files");
  const auto done = [&](const rag::IndexReport& report) {
    print_report(context.output, report);
    if (options.kv != rag::KvPolicy::kNow || report.interrupted) return;
    const Result<bool> computed = compute_kv(context, workspace, options.collection);
    if (!computed.ok()) context.output.warning("no KV caches were computed: " + computed.status().message());
  };
  MNEME_RETURN_IF_ERROR(rag::Indexer(workspace).watch(options, reporting(context, bar), done, context.cancel));
  return ExitCode::kInterrupted;
}

Result<ExitCode> run_index(Context& context, const IndexArguments& arguments) {
  MNEME_RETURN_IF_ERROR(check_arguments(arguments));
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<rag::Workspace> workspace, open_workspace(context));
  if (arguments.pause || arguments.resume) return control_runs(context, *workspace, arguments.pause);
  if (arguments.passage_tokens) {
    MNEME_RETURN_IF_ERROR(rag::set_passage_tokens(workspace->catalogue(), *arguments.passage_tokens));
  }
  rag::IndexOptions options;
  options.remember_roots = !arguments.retry;
  MNEME_ASSIGN_OR_RETURN(options.paths, arguments.retry
                                            ? rag::failed_paths(workspace->catalogue(), arguments.collection)
                                            : paths_to_index(context, *workspace, arguments));
  if (options.paths.empty()) {
    context.output.note("No file of the collection " + arguments.collection + " waits to be tried again.");
    print_report(context.output, rag::IndexReport{});
    return ExitCode::kDone;
  }
  warn_where_there_is_no_sandbox(context.output);
  options.collection = arguments.collection;
  options.kv = kv_policy(arguments.kv);
  options.ocr = arguments.ocr;
  options.n_threads = context.options.threads;

  const bool is_again = arguments.paths.empty() && !arguments.retry;
  if (arguments.watch) {
    if (is_again) warn_of_gone_roots(context, *workspace, options.collection);
    return watch(context, *workspace, options);
  }
  Result<ExitCode> done = index_once(context, *workspace, options);
  if (is_again && done.ok() && *done == ExitCode::kDone) warn_of_gone_roots(context, *workspace, options.collection);
  return done;
}

}  // namespace

void add_index(Command root) {
  auto arguments = std::make_shared<IndexArguments>();
  Command command =
      root.subcommand("index", "Index files and folders; unchanged files are skipped, deleted ones removed");
  command.words("PATH", arguments->paths, "Files and folders; without any, those of the collection again",
                Presence::kOptional);
  command.option("--collection NAME", arguments->collection, "The collection to put them in");
  command.choice(
      "--kv", arguments->kv, {"now", "lazy", "off"},
      "When to compute the KV caches of the collection's passages: at once, behind the answers that need them, "
      "or never; without it as before, at first lazy");
  command.integer("--passage-tokens N", arguments->passage_tokens, rag::kFewestPassageTokens, rag::kMostPassageTokens,
                  "About how long the passages of files read from now on are; without it as before, at first 512");
  command.flag("--watch", arguments->watch, "Go on watching the folders for changes");
  command.flag("--ocr", arguments->ocr, "Recognise text in scans and pictures (needs tesseract)");
  command.flag_for_one_run("--retry", arguments->retry, "Only the files that could not be indexed before");
  command.flag_for_one_run("--pause", arguments->pause, "Let the index run that is under way on this home wait");
  command.flag_for_one_run("--resume", arguments->resume, "Let it go on");
  command.action([arguments](Context& context) { return run_index(context, *arguments); });
}

}  // namespace mneme::app
