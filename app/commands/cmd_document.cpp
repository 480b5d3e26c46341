// mneme document: list, show, remove; and mneme forget.
#include <charconv>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>

#include "app/commands/commands.h"
#include "app/commands/failure_line.h"
#include "app/commands/kv_store.h"
#include "app/context.h"
#include "app/output/terminal_text.h"
#include "app/session.h"
#include "base/human_text.h"
#include "rag/answering/exchange/answer_json.h"
#include "rag/indexing/drives.h"
#include "rag/indexing/failed_files.h"
#include "rag/indexing/file_walker.h"
#include "rag/text/documents/path_names.h"
#include "rag/vectors/vector_indexes.h"
#include "rag/workspace.h"
#include "storage/catalogue/catalogue.h"

namespace mneme::app {
namespace {

using nlohmann::json;

struct DocumentArguments {
  std::string collection;
  std::string document;  // id, path, or a chunk's id
  std::string chunk;
  bool failed = false;
};

json document_json(const storage::DocumentRecord& record) {
  return {{"id", static_cast<int64_t>(record.id)},
          {"path", record.path},
          {"title", record.title},
          {"author", record.author.empty() ? json(nullptr) : json(record.author)},
          {"date", record.date.empty() ? json(nullptr) : json(record.date)},
          {"format", record.format},
          {"bytes", record.file.size_bytes},
          {"chunks", record.n_chunks},
          {"tokens", record.n_tokens},
          {"notes", record.notes.empty() ? json(nullptr) : json(record.notes)}};
}

json chunk_json(const storage::ChunkRecord& chunk) {
  return {{"chunk", chunk.uid},
          {"ordinal", chunk.ordinal},
          {"page", rag::position_to_json(chunk.page)},
          {"line_start", rag::position_to_json(chunk.line_begin)},
          {"line_end", rag::position_to_json(chunk.line_end)},
          {"heading", chunk.heading_path.empty() ? json(nullptr) : json(chunk.heading_path)},
          {"tokens", chunk.n_tokens},
          {"text", chunk.text}};
}

// All collections, or the one named.
Result<std::vector<storage::CollectionRecord>> chosen_collections(storage::Catalogue& catalogue,
                                                                  const std::string& name) {
  if (name.empty()) return catalogue.list_collections();
  MNEME_ASSIGN_OR_RETURN(storage::CollectionRecord record, catalogue.find_collection(name));
  return std::vector<storage::CollectionRecord>{std::move(record)};
}

Result<storage::DocumentRecord> find_document(storage::Catalogue& catalogue, const std::string& name) {
  int64_t id = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), id);
  if (error == std::errc{} && end == name.data() + name.size()) return catalogue.document(storage::DocumentId{id});
  MNEME_ASSIGN_OR_RETURN(const std::vector<storage::CollectionRecord> all, catalogue.list_collections());
  for (const storage::CollectionRecord& collection : all) {
    MNEME_ASSIGN_OR_RETURN(std::optional<storage::DocumentRecord> found,
                           catalogue.find_document(collection.id, rag::absolute_path(name)));
    if (found) return *std::move(found);
  }
  return not_found("no document " + name + " is indexed; `mneme document list` shows which are.");
}

// What the chosen collections hold, a line each, or in JSON an object each under `name`. of(id): the records of a
// collection.
template <typename Of, typename ToJson, typename ToLine>
Result<ExitCode> print_list(Context& context, const DocumentArguments& arguments, const char* name, const Of& of,
                            const ToJson& to_json, const ToLine& to_line) {
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<rag::Workspace> workspace, open_workspace(context));
  storage::Catalogue& catalogue = workspace->catalogue();
  MNEME_ASSIGN_OR_RETURN(const std::vector<storage::CollectionRecord> all,
                         chosen_collections(catalogue, arguments.collection));
  json list = json::array();
  for (const storage::CollectionRecord& collection : all) {
    MNEME_ASSIGN_OR_RETURN(const auto records, of(catalogue, collection.id));
    for (const auto& record : records) {
      if (context.output.json()) {
        list.push_back(to_json(record));
        list.back()["collection"] = collection.name;
      } else {
        context.output.print(to_line(record) + "\n");
      }
    }
  }
  if (context.output.json()) context.output.print_json({{name, std::move(list)}});
  return ExitCode::kDone;
}

Result<ExitCode> list_documents(Context& context, const DocumentArguments& arguments) {
  return print_list(
      context, arguments, "documents",
      [](storage::Catalogue& catalogue, storage::CollectionId id) { return catalogue.list_documents(id); },
      document_json,
      [](const storage::DocumentRecord& record) {
        return std::to_string(static_cast<int64_t>(record.id)) + "\t" + terminal_line(record.path) + "\t" +
               terminal_line(record.title) + "\t" + human_number_of(record.n_chunks, "passage");
      });
}

// The files that could not be indexed, with their reasons.
Result<ExitCode> list_failed(Context& context, const DocumentArguments& arguments) {
  return print_list(
      context, arguments, "failed",
      [](storage::Catalogue& catalogue, storage::CollectionId id) { return catalogue.failures(id); },
      [](const storage::FailureRecord& failure) { return json{{"path", failure.path}, {"error", failure.error}}; },
      [](const storage::FailureRecord& failure) { return failure_line(failure.path, failure.error); });
}

void print_chunk(Output& output, const storage::ChunkRecord& chunk, bool marked) {
  std::string head = std::string(marked ? ">> " : "-- ") + chunk.uid;
  if (chunk.page > 0) head += ", page " + std::to_string(chunk.page);
  if (chunk.line_begin > 0) {
    head += ", lines " + std::to_string(chunk.line_begin) + "-" + std::to_string(chunk.line_end);
  }
  if (!chunk.heading_path.empty()) head += ", " + terminal_line(chunk.heading_path);
  output.print(head + "\n" + terminal_safe(chunk.text) + "\n\n");
}

// A passage with its neighbours, or the whole document.
Result<ExitCode> show_document(Context& context, const DocumentArguments& arguments) {
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<rag::Workspace> workspace, open_workspace(context));
  storage::Catalogue& catalogue = workspace->catalogue();
  MNEME_ASSIGN_OR_RETURN(const storage::DocumentRecord record, find_document(catalogue, arguments.document));
  std::vector<storage::ChunkRecord> chunks;
  if (arguments.chunk.empty()) {
    MNEME_ASSIGN_OR_RETURN(chunks, catalogue.document_chunks(record.id));
  } else {
    MNEME_ASSIGN_OR_RETURN(const storage::ChunkRecord wanted, catalogue.chunk_by_uid(arguments.chunk));
    if (wanted.document != record.id) {
      return not_found("the passage " + arguments.chunk + " is not in document " + arguments.document + ".");
    }
    MNEME_ASSIGN_OR_RETURN(chunks, catalogue.document_chunks(record.id, wanted.ordinal - 1, wanted.ordinal + 1));
  }
  if (context.output.json()) {
    json object = document_json(record);
    object["passages"] = json::array();
    for (const storage::ChunkRecord& chunk : chunks) object["passages"].push_back(chunk_json(chunk));
    context.output.print_json(object);
    return ExitCode::kDone;
  }
  context.output.print(terminal_line(record.title) + "\n" + terminal_line(record.path) + "\n\n");
  for (const storage::ChunkRecord& chunk : chunks) print_chunk(context.output, chunk, chunk.uid == arguments.chunk);
  return ExitCode::kDone;
}

// What an index run would find again, and how to keep it out: a word for people who think it gone for good. What
// hinders the look costs the word.
void tell_what_reads_it_again(Output& output, storage::Catalogue& catalogue, const std::string& path) {
  const std::string file = rag::file_of_document(path);
  std::error_code error;
  const Result<std::vector<storage::CollectionRecord>> collections = catalogue.list_collections();
  if (!collections.ok() || !std::filesystem::exists(file, error)) return;
  for (const storage::CollectionRecord& collection : *collections) {
    const Result<std::vector<std::string>> roots = catalogue.roots(collection.id);
    if (!roots.ok()) return;
    for (const std::string& root : *roots) {
      if (!rag::lies_in(file, root)) continue;
      output.note("note: the next index run over " + terminal_line(root) + " reads it in again while it lies there; " +
                  (file == root ? "move it away to keep it out."
                                : "a line with its name in a file .mnemeignore beside it keeps it out."));
      return;
    }
  }
}

Result<ExitCode> remove_document(Context& context, const DocumentArguments& arguments) {
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<rag::Workspace> workspace, open_workspace(context));
  storage::Catalogue& catalogue = workspace->catalogue();
  MNEME_ASSIGN_OR_RETURN(const storage::DocumentRecord record, find_document(catalogue, arguments.document));
  MNEME_RETURN_IF_ERROR(catalogue.remove_document(record.id));
  if (context.output.json()) context.output.print_json({{"removed", record.path}});
  context.output.note("Removed " + record.path + " from the index; the file is as it was.");
  tell_what_reads_it_again(context.output, catalogue, record.path);
  return ExitCode::kDone;
}

using Trace = storage::Catalogue::Trace;
using Members = storage::Catalogue::Members;
using Forgotten = storage::Catalogue::Forgotten;

// Caches tell of texts, too: vectors are made anew from what is left when they are next needed, KV of passages and,
// where chats may name the file, of chats is computed anew. Gives the bytes that KV took.
Result<uint64_t> remove_caches_of_forgotten(rag::Workspace& workspace, Trace trace) {
  MNEME_RETURN_IF_ERROR(workspace.vectors().discard_all());
  if (trace == Trace::kNamed) MNEME_RETURN_IF_ERROR(remove_all_chat_kv(workspace));
  return remove_orphaned_kv(workspace, storage::Removal::kErase);
}

Status nothing_to_forget(const std::string& path, Trace trace) {
  return not_found("nothing is indexed at " + path +
                   (trace == Trace::kNone ? " and nothing was touched"
                                          : "; what removed files may have left was overwritten all the same") +
                   "; `mneme document list` shows what is indexed");
}

void print_forgotten(Output& output, const std::string& path, const Forgotten& forgotten, uint64_t kv_bytes) {
  if (output.json()) {
    output.print_json({{"forgotten", path},
                       {"documents", forgotten.documents},
                       {"chunks", forgotten.chunks},
                       {"messages", forgotten.messages},
                       {"kv_bytes_freed", kv_bytes}});
    return;
  }
  output.print("Forgot " + human_number_of(forgotten.documents, "document") + " (" +
               human_number_of(forgotten.chunks, "passage") + ") and overwrote what was kept of them.\n");
}

// A path that left no trace (a slip of the keyboard, most likely) costs nothing. Otherwise, whatever becomes of the
// rows, the caches are cleaned: the file may have been removed earlier, forgetting it may have been cut off, or another
// mneme kept the log from being cut.
Result<ExitCode> forget_path(Context& context, const std::string& given) {
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<rag::Workspace> workspace, open_workspace(context));
  storage::Catalogue& catalogue = workspace->catalogue();
  MNEME_RETURN_IF_ERROR(catalogue.writable());
  const std::string path = rag::absolute_path(given);
  const Members members = rag::members_of(path);
  MNEME_ASSIGN_OR_RETURN(const Trace trace, catalogue.trace_of(path, members));
  if (trace == Trace::kNone) return nothing_to_forget(path, trace);
  // Also before the rows go: were this cut off after them, no chat would name the file any more.
  if (trace == Trace::kNamed) {
    MNEME_RETURN_IF_ERROR(remove_all_chat_kv(*workspace).with_context("nothing is forgotten yet: "));
  }
  // Before forget() overwrites what the rows held.
  MNEME_RETURN_IF_ERROR(rag::forget_drives(catalogue, path, members));
  const Result<Forgotten> forgotten = catalogue.forget(path, members);
  const Result<uint64_t> freed = remove_caches_of_forgotten(*workspace, trace);
  MNEME_RETURN_IF_ERROR(forgotten.status());
  if (!freed.ok()) return freed.status().with_context("the documents are forgotten, but not all of their caches: ");
  MNEME_RETURN_IF_ERROR(catalogue.note_overwritten(*forgotten));
  if (trace == Trace::kLeftovers) return nothing_to_forget(path, trace);
  print_forgotten(context.output, path, *forgotten, *freed);
  tell_what_reads_it_again(context.output, catalogue, path);
  return ExitCode::kDone;
}

}  // namespace

void add_document(Command root) {
  auto arguments = std::make_shared<DocumentArguments>();
  Command group = root.subcommand("document", "List, show or remove indexed documents");
  Command list = group.subcommand("list", "Every indexed document");
  list.option("--collection NAME", arguments->collection, "Only this collection");
  list.flag("--failed", arguments->failed, "The files that could not be indexed instead, with the reasons");
  list.action([arguments](Context& context) {
    return arguments->failed ? list_failed(context, *arguments) : list_documents(context, *arguments);
  });
  Command show = group.subcommand("show", "A document's passages");
  show.positional("ID", arguments->document, "The document's number or path");
  show.option("--chunk C", arguments->chunk, "Only this passage, with its neighbours");
  show.action([arguments](Context& context) { return show_document(context, *arguments); });
  Command remove = group.subcommand("remove", "Take a document out of the index; the file stays");
  remove.positional("ID", arguments->document, "The document's number or path");
  remove.action([arguments](Context& context) { return remove_document(context, *arguments); });
}

void add_forget(Command root) {
  auto path = std::make_shared<std::string>();
  Command command = root.subcommand("forget", "Erase every trace of a file or folder from the index, also on disk");
  command.positional("PATH", *path, "File or folder, as it was indexed");
  command.action([path](Context& context) { return forget_path(context, *path); });
}

}  // namespace mneme::app
