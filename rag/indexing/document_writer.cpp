#include "rag/indexing/document_writer.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/trace.h"
#include "rag/text/path_names.h"
#include "storage/catalogue/catalogue.h"

namespace mneme::rag {

using storage::DocumentState;

Status DocumentWriter::store(const PlannedFile& planned, LoadedFile loaded) {
  const trace::Span span("store", "index");
  bool renamed = false;
  if (loaded.same_content && planned.known.empty()) {
    MNEME_ASSIGN_OR_RETURN(const Moved moved, move(planned, loaded.content_hash));
    if (moved != Moved::kDone) {
      found_again_.insert(loaded.content_hash);
      loaded = load_file(planned.file, into_.limits, into_.embedder, {}, into_.sizes);
      renamed = moved == Moved::kNewTitle;
    }
  }
  report_.bytes += loaded.file.size_bytes;
  if (loaded.status.code() == StatusCode::kCancelled) return {};
  if (!loaded.status.ok()) return failures_.record_file(loaded.file, loaded.status);
  if (loaded.same_content) return touch(planned, loaded);
  if (renamed) report_.renamed += 1;
  return put(planned, loaded, !renamed);
}

Status DocumentWriter::touch(const PlannedFile& planned, const LoadedFile& loaded) {
  for (const DocumentState& state : planned.known) {
    MNEME_RETURN_IF_ERROR(into_.catalogue.touch_document(state.id, loaded.file.size_bytes, loaded.mtime_ns));
  }
  report_.unchanged += planned.known.size();
  return {};
}

// Of a container the first document is unlike any file until all the others are there: cut off in between, the next run
// finds the container changed and reads it to its end.
Status DocumentWriter::put(const PlannedFile& planned, LoadedFile& loaded, bool counts) {
  const bool in_parts = loaded.documents.size() > 1;
  if (in_parts) {
    storage::DocumentRecord& first = loaded.documents.front().record;
    first.mtime_ns = -1;
    first.content_hash = {};
  }
  MNEME_ASSIGN_OR_RETURN(const storage::DocumentId first, put_documents(loaded));
  for (const auto& [path, error] : loaded.failed_members) {
    MNEME_RETURN_IF_ERROR(failures_.record(path, loaded.file, error));
  }
  MNEME_RETURN_IF_ERROR(drop_vanished(planned, loaded));
  if (in_parts) {
    MNEME_RETURN_IF_ERROR(
        into_.catalogue.set_file_state(first, loaded.file.size_bytes, loaded.mtime_ns, loaded.content_hash));
  }
  if (!counts) return {};
  report_.documents += loaded.documents.size();
  report_.chunks += loaded.n_chunks;
  report_.tokens += loaded.n_tokens;
  return {};
}

// Gives the first one's id.
Result<storage::DocumentId> DocumentWriter::put_documents(LoadedFile& loaded) {
  std::optional<storage::DocumentId> first;
  for (storage::NewDocument& document : loaded.documents) {
    document.record.collection = into_.collection;
    document.record.names = path_names(document.record.path, work_.roots, document.record.title);
    MNEME_ASSIGN_OR_RETURN(const storage::DocumentId id, into_.catalogue.put_document(document));
    if (!first) first = id;
  }
  return first.value_or(storage::DocumentId{});
}

// Members that are no longer in their container.
Status DocumentWriter::drop_vanished(const PlannedFile& planned, const LoadedFile& loaded) {
  std::set<std::string_view> present;
  for (const storage::NewDocument& document : loaded.documents) present.insert(document.record.path);
  for (const DocumentState& state : planned.known) {
    if (present.contains(state.path)) continue;
    MNEME_RETURN_IF_ERROR(into_.catalogue.remove_document(state.id));
    ++report_.removed;
  }
  return {};
}

// A new path with the content of a document whose file is gone: the document moves.
Result<DocumentWriter::Moved> DocumentWriter::move(const PlannedFile& planned, const Hash128& hash) {
  const auto range = work_.missing.equal_range(hash);
  for (auto it = range.first; it != range.second; ++it) {
    const DocumentState& old = it->second;
    // A member of a container moves with its container, which is read anew.
    if (old.path.find(kMemberMark) != std::string::npos) continue;
    if (!moved_.insert(static_cast<int64_t>(old.id)).second) continue;
    MNEME_ASSIGN_OR_RETURN(const storage::DocumentRecord record, into_.catalogue.document(old.id));
    const std::filesystem::path from(old.path);
    const std::filesystem::path to(planned.file.path);
    const bool named_after_file = record.title == from.stem().string() || record.title == from.filename().string();
    if (named_after_file && from.filename() != to.filename()) {
      MNEME_RETURN_IF_ERROR(into_.catalogue.remove_document(old.id));
      return Moved::kNewTitle;
    }
    const std::string names = path_names(planned.file.path, work_.roots, record.title);
    MNEME_RETURN_IF_ERROR(into_.catalogue.move_document(old.id, planned.file.path, names, planned.file.mtime_ns));
    ++report_.renamed;
    return Moved::kDone;
  }
  return Moved::kTaken;
}

Status DocumentWriter::remove_missing() {
  // The newest first: the oldest of those with the same text holds it for all of them (storage's shared_texts.h).
  std::vector<const DocumentState*> missing;
  for (const DocumentState& state : work_.plan.missing) {
    if (!moved_.contains(static_cast<int64_t>(state.id))) missing.push_back(&state);
  }
  std::sort(missing.begin(), missing.end(), [](const auto* a, const auto* b) { return a->id > b->id; });
  for (const DocumentState* state : missing) MNEME_RETURN_IF_ERROR(remove(*state));
  // Members of containers that were found again elsewhere: read anew there.
  for (const DocumentState& state : work_.left_behind) {
    const bool member = state.path.find(kMemberMark) != std::string::npos;
    if (member && found_again_.contains(state.content_hash)) MNEME_RETURN_IF_ERROR(remove(state));
  }
  return {};
}

Status DocumentWriter::remove(const DocumentState& state) {
  Status removed = into_.catalogue.remove_document(state.id);
  if (!removed.ok() && removed.code() != StatusCode::kNotFound) return removed;
  ++report_.removed;
  return {};
}

}  // namespace mneme::rag
