// mneme collection: list, create, delete.
#include <nlohmann/json.hpp>

#include "app/commands/commands.h"
#include "app/context.h"
#include "app/output/terminal_text.h"
#include "app/session.h"
#include "base/human_text.h"
#include "rag/kv_reuse/kv_collections.h"
#include "rag/vectors/vector_indexes.h"
#include "rag/workspace.h"
#include "storage/catalogue/catalogue.h"

namespace mneme::app {
namespace {

using nlohmann::json;

Result<ExitCode> list_collections(Context& context) {
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<rag::Workspace> workspace, open_workspace(context));
  MNEME_ASSIGN_OR_RETURN(const std::vector<storage::CollectionStats> all, workspace->catalogue().stats());
  if (context.output.json()) {
    json list = json::array();
    for (const storage::CollectionStats& one : all) {
      list.push_back({{"name", one.collection.name},
                      {"documents", one.documents},
                      {"chunks", one.chunks},
                      {"tokens", one.tokens},
                      {"bytes", one.text_bytes},
                      {"failed", one.failures}});
    }
    context.output.print_json({{"collections", std::move(list)}});
    return ExitCode::kDone;
  }
  if (all.empty()) context.output.print("No collections yet; `mneme index PATH` makes one.\n");
  for (const storage::CollectionStats& one : all) {
    context.output.print(terminal_line(one.collection.name) + ": " + human_number_of(one.documents, "document") + ", " +
                         human_number_of(one.chunks, "passage") + ", " +
                         human_bytes(static_cast<double>(one.text_bytes)) + " of text\n");
  }
  return ExitCode::kDone;
}

Result<ExitCode> create_collection(Context& context, const std::string& name) {
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<rag::Workspace> workspace, open_workspace(context));
  const Result<storage::CollectionId> created = workspace->catalogue().ensure_collection(name);
  if (!created.ok()) return created.status();
  if (context.output.json()) context.output.print_json({{"created", name}});
  context.output.note("The collection " + name + " is there.");
  return ExitCode::kDone;
}

Result<ExitCode> delete_collection(Context& context, const std::string& name) {
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<rag::Workspace> workspace, open_workspace(context));
  storage::Catalogue& catalogue = workspace->catalogue();
  MNEME_ASSIGN_OR_RETURN(const storage::CollectionRecord record, catalogue.find_collection(name));
  MNEME_RETURN_IF_ERROR(catalogue.delete_collection(record.id));
  MNEME_RETURN_IF_ERROR(workspace->vectors().discard(record));
  MNEME_RETURN_IF_ERROR(rag::set_stores_kv(catalogue, name, true));  // not for another one of this name
  if (context.output.json()) context.output.print_json({{"deleted", name}});
  context.output.note("Deleted the collection " + name + "; your files are as they were.");
  return ExitCode::kDone;
}

}  // namespace

void add_collection(Command root) {
  Command group = root.subcommand("collection", "List, create or delete collections");
  group.subcommand("list", "Every collection and what it holds").action(list_collections);
  auto name = std::make_shared<std::string>();
  Command create = group.subcommand("create", "Make an empty collection");
  create.positional("NAME", *name, "Its name");
  create.action([name](Context& context) { return create_collection(context, *name); });
  Command remove = group.subcommand("delete", "Forget a collection with all its documents; files stay");
  remove.positional("NAME", *name, "Its name");
  remove.action([name](Context& context) { return delete_collection(context, *name); });
}

}  // namespace mneme::app
