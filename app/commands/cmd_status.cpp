// mneme status and gc: what is kept, and what can be given back.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/commands/commands.h"
#include "app/commands/failure_line.h"
#include "app/commands/kv_store.h"
#include "app/context.h"
#include "app/home_files.h"
#include "app/output/terminal_text.h"
#include "app/session.h"
#include "base/human_text.h"
#include "rag/embedding/embedder.h"
#include "rag/indexing/index_control.h"
#include "rag/vectors/vector_indexes.h"
#include "rag/workspace.h"
#include "storage/catalogue/catalogue.h"

namespace mneme::app {
namespace {

using nlohmann::json;

// Whether each collection has all vectors of the embedder in use.
Result<std::vector<bool>> current_embeddings(rag::Workspace& workspace,
                                             const std::vector<storage::CollectionStats>& all) {
  std::vector<bool> current;
  for (const storage::CollectionStats& one : all) {
    MNEME_ASSIGN_OR_RETURN(const bool is_current, workspace.vectors().is_current(one.collection));
    current.push_back(is_current);
  }
  return current;
}

json collections_json(const std::vector<storage::CollectionStats>& all, const std::vector<bool>& current) {
  json list = json::array();
  for (size_t i = 0; i < all.size(); ++i) {
    const storage::CollectionStats& one = all[i];
    list.push_back({{"name", one.collection.name},
                    {"documents", one.documents},
                    {"chunks", one.chunks},
                    {"tokens", one.tokens},
                    {"bytes", one.text_bytes},
                    {"failed", one.failures},
                    {"vectors_stale", !current[i]}});
  }
  return list;
}

// A run of `mneme index`, here or elsewhere, keeps its own count.
json index_run_json() {
  return {{"kind", "index"}, {"done", nullptr}, {"total", nullptr}, {"failed", nullptr}, {"eta_s", nullptr}};
}

json jobs_json(const std::vector<storage::JobCounts>& counts, bool is_indexing) {
  json list = json::array();
  if (is_indexing) list.push_back(index_run_json());
  for (const storage::JobCounts& one : counts) {
    // No worker runs in this process, so there is no rate to tell the time left from.
    list.push_back({{"kind", one.kind},
                    {"done", one.done},
                    {"total", one.done + one.pending},
                    {"failed", one.failed},
                    {"eta_s", nullptr}});
  }
  return list;
}

json models_json(const std::vector<storage::ModelRecord>& models) {
  json list = json::array();
  for (const storage::ModelRecord& model : models) {
    list.push_back({{"name", model.name}, {"path", model.path}, {"kind", model.kind}, {"default", model.is_default}});
  }
  return list;
}

// ", 3 files not indexed", and what to do about it; "" where all were.
std::string not_indexed(const storage::CollectionStats& one) {
  if (one.failures <= 0) return "";
  const bool is_default = one.collection.name == "default";
  return ", " + human_number_of(one.failures, "file") + " not indexed: `mneme index --retry" +
         (is_default ? "" : " --collection " + terminal_line(one.collection.name)) + "` tries again";
}

// The first of the files that were not indexed, with their reasons.
Status print_failures(Output& output, storage::Catalogue& catalogue, const storage::CollectionStats& one) {
  constexpr int64_t kShown = 3;
  if (one.failures <= 0) return {};
  MNEME_ASSIGN_OR_RETURN(const std::vector<storage::FailureRecord> failures,
                         catalogue.failures(one.collection.id, kShown));
  for (const storage::FailureRecord& failure : failures)
    output.print("    " + failure_line(failure.path, failure.error) + "\n");
  if (one.failures > kShown)
    output.print("    and " + human_count(one.failures - kShown) + " more: `mneme document list --failed` shows all\n");
  return {};
}

Status print_status(Output& output, storage::Catalogue& catalogue, const std::string& home, bool encrypted,
                    const std::vector<storage::CollectionStats>& collections, const std::vector<bool>& current,
                    const KvStatus& kv, uint64_t catalogue_bytes) {
  output.print("Home " + terminal_line(home) + (encrypted ? ", encrypted" : "") + ", catalogue " +
               human_bytes(static_cast<double>(catalogue_bytes)) + "\n");
  for (size_t i = 0; i < collections.size(); ++i) {
    const storage::CollectionStats& one = collections[i];
    output.print("  " + terminal_line(one.collection.name) + ": " + human_number_of(one.documents, "document") + ", " +
                 human_number_of(one.chunks, "passage") + ", about " + human_count(one.tokens) + " tokens" +
                 not_indexed(one) +
                 (current[i] ? "" : ", vectors stale: the embedder changed, `mneme index` makes them anew") + "\n");
    MNEME_RETURN_IF_ERROR(print_failures(output, catalogue, one));
  }
  output.print("KV caches: " + human_number_of(kv.chunks, "passage") + ", " +
               human_bytes(static_cast<double>(kv.bytes)) + " of " + human_bytes(static_cast<double>(kv.quota_bytes)) +
               ", " + std::to_string(kv.pending) + " pending, " + std::to_string(kv.hits) + " hits, " +
               std::to_string(kv.misses) + " misses, " + std::to_string(kv.evictions) + " evicted\n");
  return {};
}

Status print_index_run(Output& output, rag::Workspace& workspace) {
  rag::IndexControl control(workspace);
  if (!control.running()) return {};
  MNEME_ASSIGN_OR_RETURN(const bool paused, control.paused());
  output.print(paused ? "An index run is paused; `mneme index --resume` lets it go on.\n"
                      : "An index run is under way.\n");
  return {};
}

Result<ExitCode> run_status(Context& context) {
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<rag::Workspace> workspace, open_workspace(context));
  storage::Catalogue& catalogue = workspace->catalogue();
  MNEME_ASSIGN_OR_RETURN(const std::vector<storage::CollectionStats> collections, catalogue.stats());
  MNEME_ASSIGN_OR_RETURN(const std::vector<bool> current, current_embeddings(*workspace, collections));
  MNEME_ASSIGN_OR_RETURN(const KvStatus kv, kv_status(*workspace));
  MNEME_ASSIGN_OR_RETURN(const std::vector<storage::JobCounts> jobs, catalogue.job_counts());
  MNEME_ASSIGN_OR_RETURN(const std::vector<storage::ModelRecord> models, catalogue.list_models());
  MNEME_ASSIGN_OR_RETURN(const uint64_t bytes, catalogue.file_bytes());
  note_who_else_reads(context);
  if (!context.output.json()) {
    MNEME_RETURN_IF_ERROR(print_status(context.output, catalogue, context.directories.data,
                                       context.home_files != nullptr, collections, current, kv, bytes));
    MNEME_RETURN_IF_ERROR(print_index_run(context.output, *workspace));
    return ExitCode::kDone;
  }
  context.output.print_json({{"schema", storage::Catalogue::schema_version()},
                             {"home", context.directories.data},
                             {"encrypted", context.home_files != nullptr},
                             {"catalogue_bytes", bytes},
                             {"collections", collections_json(collections, current)},
                             {"embedder", workspace->embedder().identity()},
                             {"kv", kv_json(kv)},
                             {"jobs", jobs_json(jobs, rag::IndexControl(*workspace).running())},
                             {"models", models_json(models)}});
  return ExitCode::kDone;
}

// Vectors of embedders that are no longer in use, once the one in use has made its own of everything.
Status remove_old_vectors(rag::Workspace& workspace) {
  MNEME_ASSIGN_OR_RETURN(const std::vector<storage::CollectionStats> collections, workspace.catalogue().stats());
  MNEME_ASSIGN_OR_RETURN(const std::vector<bool> current, current_embeddings(workspace, collections));
  if (std::find(current.begin(), current.end(), false) != current.end()) return {};
  return workspace.catalogue().keep_only_embedder(workspace.embedder().identity());
}

struct Freed {
  uint64_t kv_bytes = 0;
  uint64_t backup_bytes = 0;
  uint64_t catalogue_bytes = 0;
  Status rest;  // of what comes last, and may need room that there is not
};

// What is removed whole goes first: on a full disk it makes the room that the rest needs.
Result<Freed> reclaim(rag::Workspace& workspace) {
  storage::Catalogue& catalogue = workspace.catalogue();
  Freed freed;
  MNEME_ASSIGN_OR_RETURN(freed.backup_bytes, catalogue.discard_old_backups());
  MNEME_ASSIGN_OR_RETURN(freed.kv_bytes, remove_orphaned_kv(workspace, storage::Removal::kRemove));
  MNEME_ASSIGN_OR_RETURN(const uint64_t before, catalogue.file_bytes());
  const auto rewrite = [&]() -> Status {
    MNEME_RETURN_IF_ERROR(remove_old_vectors(workspace));
    MNEME_RETURN_IF_ERROR(workspace.vectors().discard_orphans());
    return catalogue.compact();
  };
  freed.rest = rewrite();
  MNEME_ASSIGN_OR_RETURN(const uint64_t after, catalogue.file_bytes());
  freed.catalogue_bytes = before > after ? before - after : 0;
  return freed;
}

Result<ExitCode> run_gc(Context& context) {
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<rag::Workspace> workspace, open_workspace(context));
  storage::Catalogue& catalogue = workspace->catalogue();
  MNEME_ASSIGN_OR_RETURN(const Freed freed, reclaim(*workspace));
  MNEME_ASSIGN_OR_RETURN(const std::vector<std::string> damaged, catalogue.damaged_ones());
  const uint64_t all_bytes = freed.kv_bytes + freed.backup_bytes + freed.catalogue_bytes;
  if (context.output.json()) {
    MNEME_ASSIGN_OR_RETURN(const uint64_t catalogue_bytes, catalogue.file_bytes());
    context.output.print_json({{"bytes_freed", all_bytes},
                               {"kv_bytes_freed", freed.kv_bytes},
                               {"backup_bytes_freed", freed.backup_bytes},
                               {"catalogue_bytes", catalogue_bytes}});
  } else {
    context.output.print("Gave back " + human_bytes(static_cast<double>(all_bytes)) + ".\n");
    if (freed.backup_bytes > 0) context.output.print("The backup from before an update was among it.\n");
    for (const std::string& path : damaged) {
      context.output.print(terminal_line(path) +
                           " is the catalogue from before a repair; remove it when you miss nothing.\n");
    }
  }
  if (!freed.rest.ok()) return freed.rest;
  return ExitCode::kDone;
}

}  // namespace

void add_status(Command root) {
  root.subcommand("status", "What is indexed and kept").action(run_status);
}

void add_gc(Command root) {
  root.subcommand("gc", "Reclaim space").action(run_gc);
}

}  // namespace mneme::app
