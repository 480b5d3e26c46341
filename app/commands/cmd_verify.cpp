// mneme verify: whether what is kept is sound, and making it so.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "app/commands/catalogue_recovery.h"
#include "app/commands/commands.h"
#include "app/commands/kv_store.h"
#include "app/config/config_changes.h"
#include "app/context.h"
#include "app/home_files.h"
#include "app/output/terminal_text.h"
#include "app/session.h"
#include "base/human_text.h"
#include "rag/vectors/vector_indexes.h"
#include "rag/workspace.h"
#include "storage/catalogue/catalogue.h"

namespace mneme::app {
namespace {

using nlohmann::json;

json problems_json(const std::vector<storage::CatalogueProblem>& problems) {
  json list = json::array();
  for (const storage::CatalogueProblem& problem : problems) {
    list.push_back({{"kind", problem.kind},
                    {"path", problem.path.empty() ? json(nullptr) : json(problem.path)},
                    {"detail", problem.detail},
                    {"repaired", problem.repaired}});
  }
  return list;
}

// "kv /home/kv/ab/x.kv: damaged KV file: header checksum. Repaired."
std::string problem_text(const storage::CatalogueProblem& problem) {
  std::string what = problem.kind + " " + problem.path + ": " + problem.detail;
  if (!problem.path.empty() && problem.detail.starts_with(problem.path)) what = problem.kind + " " + problem.detail;
  if (!what.ends_with('.')) what += '.';
  return terminal_line(what) + (problem.repaired ? " Repaired.\n" : "\n");
}

// Adds what is wrong with the KV files to `problems`; gives their number.
Result<int64_t> check_kv_files(rag::Workspace& workspace, bool repair, const CancelToken& cancel,
                               std::vector<storage::CatalogueProblem>& problems) {
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<storage::ChunkStore> store, open_kv_store(workspace));
  MNEME_ASSIGN_OR_RETURN(const storage::ChunkStoreCheck check, store->verify(repair, cancel));
  for (const storage::ChunkStoreProblem& problem : check.problems) {
    problems.push_back({.kind = "kv", .path = problem.path, .detail = problem.detail, .repaired = problem.repaired});
  }
  return check.files;
}

// What another embedder made is no damage: told, and made anew by itself.
struct VectorsVerified {
  int64_t entries = 0;
  std::vector<std::string> stale{};  // collections
};

// Adds what is wrong with the index files to `problems`.
Result<VectorsVerified> check_vector_indexes(Context& context, rag::Workspace& workspace, bool repair,
                                             std::vector<storage::CatalogueProblem>& problems) {
  MNEME_ASSIGN_OR_RETURN(const std::vector<rag::VectorIndexCheck> checks, workspace.vectors().check(repair));
  VectorsVerified verified;
  for (const rag::VectorIndexCheck& check : checks) {
    verified.entries += check.entries;
    if (!check.stale.empty()) {
      context.output.note("note: " + terminal_line(check.stale) + ".");
      verified.stale.push_back(check.collection);
    }
    if (check.problem.empty()) continue;
    problems.push_back({.kind = "index", .path = check.path, .detail = check.problem, .repaired = check.repaired});
  }
  return verified;
}

json changes_json(const std::vector<SettingChange>& changes) {
  json list = json::array();
  for (const SettingChange& change : changes) {
    list.push_back({{"key", change.key}, {"was", change.was}, {"is", change.is}});
  }
  return list;
}

struct Verified {
  storage::CatalogueCheck catalogue{};  // with the problems of all the rest
  std::optional<VectorsVerified> vectors{};
  std::optional<int64_t> kv_files{};
  std::vector<SettingChange> settings{};
};

// kCorruption where the catalogue cannot be read.
Result<Verified> look_at_home(Context& context, bool repair) {
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<rag::Workspace> workspace, open_workspace(context, Tidings::kLeftOut));
  const storage::Catalogue::Patience patience(workspace->catalogue(), context.cancel);
  Verified verified;
  storage::CatalogueCheck& check = verified.catalogue;
  MNEME_ASSIGN_OR_RETURN(check, workspace->catalogue().check(repair));
  if (context.cancel.cancelled()) return cancelled();
  MNEME_ASSIGN_OR_RETURN(verified.vectors, check_vector_indexes(context, *workspace, repair, check.problems));
  MNEME_ASSIGN_OR_RETURN(verified.kv_files, check_kv_files(*workspace, repair, context.cancel, check.problems));
  verified.settings = look_at_config(context.directories, workspace->catalogue(), kSeenByVerify);
  if (!check.lexical_compared) {
    context.output.note("note: " + workspace->catalogue().writable().message() +
                        "; whether the index of words goes with the texts was not checked, as that writes.");
  }
  note_who_else_reads(context);
  return verified;
}

// Of a file whose pages cannot be read, or contradict each other: checking cannot mend it.
bool has_damaged_catalogue(const Result<Verified>& verified) {
  if (!verified.ok()) return verified.status().code() == StatusCode::kCorruption;
  const std::vector<storage::CatalogueProblem>& problems = verified->catalogue.problems;
  return std::any_of(problems.begin(), problems.end(), [](const storage::CatalogueProblem& problem) {
    return problem.kind == "database" && !problem.repaired;
  });
}

Result<Verified> with_damage_told(Context& context, const Status& failure) {
  MNEME_ASSIGN_OR_RETURN(storage::CatalogueProblem damage, describe_catalogue_damage(context, failure));
  Verified verified;
  verified.catalogue.problems.push_back(std::move(damage));
  return verified;
}

Result<Verified> after_recovery(Context& context, Result<Verified> before) {
  // Where nothing of the catalogue is damaged, something else that is opened with it is.
  if (!before.ok()) MNEME_RETURN_IF_ERROR(describe_catalogue_damage(context, before.status()).status());
  Result<storage::CatalogueProblem> recovered = recover_catalogue(context);
  // What is wrong is told then.
  if (recovered.status().code() == StatusCode::kBusy && before.ok()) return before;
  MNEME_RETURN_IF_ERROR(recovered.status());
  MNEME_ASSIGN_OR_RETURN(Verified verified, look_at_home(context, true));
  std::vector<storage::CatalogueProblem>& problems = verified.catalogue.problems;
  problems.insert(problems.begin(), std::move(recovered).value());
  return verified;
}

Result<Verified> verify(Context& context, bool repair) {
  Result<Verified> verified = look_at_home(context, repair);
  if (!has_damaged_catalogue(verified)) return verified;
  if (repair) return after_recovery(context, std::move(verified));
  return verified.ok() ? std::move(verified) : with_damage_told(context, verified.status());
}

template <typename Number>
json number_or_null(const std::optional<Number>& number) {
  return number ? json(*number) : json(nullptr);
}

json verified_json(const Verified& verified, bool sound) {
  const storage::CatalogueCheck& check = verified.catalogue;
  const bool was_read = verified.kv_files.has_value();
  return {{"ok", sound},
          {"checked",
           {{"documents", was_read ? json(check.documents) : json(nullptr)},
            {"chunks", was_read ? json(check.chunks) : json(nullptr)},
            {"kv_files", number_or_null(verified.kv_files)},
            {"index_entries", was_read ? json(verified.vectors->entries) : json(nullptr)}}},
          {"lexical_compared", was_read && check.lexical_compared},
          {"problems", problems_json(check.problems)},
          {"vectors_stale", was_read ? json(verified.vectors->stale) : json::array()},
          {"settings_changed", changes_json(verified.settings)}};
}

void print_verified(Output& output, const Verified& verified, bool sound) {
  for (const SettingChange& change : verified.settings) {
    output.print("config.toml since the last verify: " + terminal_line(to_sentence(change)) + ".\n");
  }
  const storage::CatalogueCheck& check = verified.catalogue;
  for (const storage::CatalogueProblem& problem : check.problems) output.print(problem_text(problem));
  if (!verified.kv_files) return;
  output.print("Checked " + human_number_of(check.documents, "document") + " and " +
               human_number_of(check.chunks, "passage") + ": " +
               (check.problems.empty() ? "all sound.\n"
                : sound                ? "repaired.\n"
                                       : "damaged; run `mneme verify --repair`.\n"));
}

Result<ExitCode> run_verify(Context& context, bool repair) {
  MNEME_ASSIGN_OR_RETURN(const Verified verified, verify(context, repair));
  const std::vector<storage::CatalogueProblem>& problems = verified.catalogue.problems;
  const bool sound = std::all_of(problems.begin(), problems.end(),
                                 [](const storage::CatalogueProblem& problem) { return problem.repaired; });
  if (context.output.json()) {
    context.output.print_json(verified_json(verified, sound));
  } else {
    print_verified(context.output, verified, sound);
  }
  return sound ? ExitCode::kDone : ExitCode::kDamaged;
}

}  // namespace

void add_verify(Command root) {
  auto repair = std::make_shared<bool>(false);
  Command command = root.subcommand("verify", "Check every checksum and reference");
  command.flag("--repair", *repair, "Rebuild what can be rebuilt, and of a damaged catalogue keep what can be read");
  command.action([repair](Context& context) { return run_verify(context, *repair); });
}

}  // namespace mneme::app
