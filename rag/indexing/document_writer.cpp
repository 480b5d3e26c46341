#include "rag/indexing/document_writer.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "base/trace.h"
#include "rag/text/documents/path_names.h"
#include "storage/catalogue/catalogue.h"

namespace mneme::rag {

using storage::DocumentState;

namespace {

bool is_gone(const PlannedFile& planned) {
  std::error_code unknown;
  const auto status = std::filesystem::symlink_status(planned.file.path, unknown);
  return status.type() == std::filesystem::file_type::not_found;
}

}  // namespace

Status DocumentWriter::store(const PlannedFile& planned, LoadedBatch batch) {
  const trace::Span span("store", "index");
  if (can_wait(planned, batch)) {
    group_.add(planned, std::move(batch));
    return group_.is_full() ? flush() : Status();
  }
  MNEME_RETURN_IF_ERROR(flush());
  MNEME_ASSIGN_OR_RETURN(const bool forgot, something_was_forgotten());
  if (forgot && is_gone(planned)) return {};
  if (batch.indexed_meanwhile > 0) {
    report_.unchanged += batch.indexed_meanwhile;
    return {};
  }
  if (batch.same_content) return take_known(planned, batch);
  Unfinished& file = unfinished(planned);
  const bool is_alone = batch.is_first && batch.is_last && batch.status.ok() && batch.documents.size() <= 1;
  MNEME_RETURN_IF_ERROR(put(file, batch.documents, is_alone));
  for (const auto& [path, error] : batch.failed_members) {
    MNEME_RETURN_IF_ERROR(failures_.record(path, batch.file, error));
  }
  return batch.is_last ? finish(planned, batch, is_alone) : Status();
}

// A file that is one document, and was none or the same one before: nothing but that document is to be written.
bool DocumentWriter::can_wait(const PlannedFile& planned, const LoadedBatch& batch) const {
  if (!batch.is_first || !batch.is_last || !batch.status.ok() || batch.holds_nothing) return false;
  if (batch.documents.size() != 1 || batch.documents.front().unchanged || !batch.failed_members.empty()) return false;
  const std::string& path = batch.documents.front().document.record.path;
  const bool is_known = planned.known.size() == 1 && planned.known.front().path == path;
  return retitled_ == nullptr && !is_member_path(path) && (is_known || planned.known.empty());
}

Status DocumentWriter::flush() {
  if (group_.empty()) return {};
  std::vector<DocumentGroup::File> files = group_.take();
  MNEME_ASSIGN_OR_RETURN(const bool forgot, something_was_forgotten());
  std::vector<const storage::NewDocument*> documents;
  for (DocumentGroup::File& file : files) {
    if (forgot && is_gone(*file.planned)) continue;
    storage::NewDocument& document = file.batch.documents.front().document;
    document.record.collection = into_.collection;
    documents.push_back(&document);
    report_.bytes += file.batch.file.state.size_bytes;
    note_found_again(*file.planned, file.batch);
  }
  return put_new(documents).status();
}

Result<bool> DocumentWriter::something_was_forgotten() {
  MNEME_ASSIGN_OR_RETURN(const int64_t times, into_.catalogue.times_forgotten());
  return times != into_.times_forgotten;
}

DocumentWriter::Unfinished& DocumentWriter::unfinished(const PlannedFile& planned) {
  const auto [at, is_new] = unfinished_.try_emplace(&planned);
  if (is_new) {
    for (const DocumentState& state : planned.known) at->second.vanished.insert(state.path);
  }
  return at->second;
}

// Of a file with several documents the first one is unlike any file until all the others are there: cut off in between,
// the next run finds the file changed and reads it to its end. So it is written before those that only get another
// state.
Status DocumentWriter::put(Unfinished& file, std::vector<LoadedDocument>& documents, bool is_alone) {
  std::vector<const storage::NewDocument*> fresh;
  bool has_first = file.first.has_value();
  for (LoadedDocument& loaded : documents) {
    storage::DocumentRecord& record = loaded.document.record;
    record.collection = into_.collection;
    if (!has_first && !is_alone) {
      record.file.mtime_ns = -1;
      record.content_hash = {};
    }
    has_first = true;
    file.vanished.erase(record.path);
    if (!loaded.unchanged) {
      fresh.push_back(&loaded.document);
      continue;
    }
    MNEME_RETURN_IF_ERROR(put_fresh(file, fresh));
    if (!file.first) file.first = loaded.unchanged;
    ++report_.unchanged;
    MNEME_RETURN_IF_ERROR(set_file_state(*loaded.unchanged, record.file, record.content_hash));
  }
  return put_fresh(file, fresh);
}

Status DocumentWriter::put_fresh(Unfinished& file, std::vector<const storage::NewDocument*>& fresh) {
  if (fresh.empty()) return {};
  MNEME_ASSIGN_OR_RETURN(const std::vector<storage::DocumentId> ids, put_new(fresh));
  if (!file.first) file.first = ids.front();
  fresh.clear();
  return {};
}

Result<std::vector<storage::DocumentId>> DocumentWriter::put_new(
    std::span<const storage::NewDocument* const> documents) {
  MNEME_ASSIGN_OR_RETURN(std::vector<storage::DocumentId> ids, put_together(into_.catalogue, documents));
  if (retitled_ != nullptr) return ids;
  for (const storage::NewDocument* document : documents) {
    ++report_.documents;
    report_.chunks += document->chunks.size();
    report_.tokens += static_cast<uint64_t>(document->record.n_tokens);
  }
  return ids;
}

Status DocumentWriter::set_file_state(storage::DocumentId document, const storage::FileState& file,
                                      const Hash128& hash) {
  const Status set = into_.catalogue.set_file_state(document, file, hash);
  return set.code() == StatusCode::kNotFound ? Status() : set;
}

Status DocumentWriter::finish(const PlannedFile& planned, const LoadedBatch& batch, bool is_alone) {
  const Unfinished file = std::move(unfinished_.extract(&planned).mapped());
  report_.bytes += batch.file.state.size_bytes;
  if (batch.status.code() == StatusCode::kCancelled) return {};
  // What cannot be read keeps what it was known to hold; where nothing is left to read, nothing is.
  if (!batch.status.ok() && !batch.holds_nothing) return failures_.record_file(batch.file, batch.status);
  for (const DocumentState& state : planned.known) {
    if (file.vanished.contains(state.path)) MNEME_RETURN_IF_ERROR(remove(state));
  }
  if (!batch.holds_nothing) note_found_again(planned, batch);
  const bool was_container = !planned.known.empty() && is_member_path(planned.known.front().path);
  if (was_container) MNEME_RETURN_IF_ERROR(failures_.forget_members_of(batch.file.path));
  if (batch.holds_nothing) return failures_.record_file(batch.file, batch.status);
  if (is_alone || !file.first) return {};
  return set_file_state(*file.first, batch.kept, batch.content_hash);
}

void DocumentWriter::note_found_again(const PlannedFile& planned, const LoadedBatch& batch) {
  if (planned.known.empty() && work_.missing.contains(batch.content_hash)) found_again_.insert(batch.content_hash);
}

// Content that the catalogue has, of this file or of one that is gone.
Status DocumentWriter::take_known(const PlannedFile& planned, const LoadedBatch& batch) {
  if (!planned.known.empty()) return touch(planned, batch);
  MNEME_ASSIGN_OR_RETURN(const Moved moved, move(planned, batch));
  if (moved == Moved::kDone) {
    report_.bytes += batch.file.state.size_bytes;
    return {};
  }
  found_again_.insert(batch.content_hash);
  if (moved == Moved::kTaken) return read_anew(planned);
  ++report_.renamed;
  retitled_ = &planned;
  const Status status = read_anew(planned);
  retitled_ = nullptr;
  return status;
}

Status DocumentWriter::read_anew(const PlannedFile& planned) {
  const FileLoad load{.file = planned.file,
                      .limits = into_.limits,
                      .embedder = into_.embedder,
                      .sizes = into_.sizes,
                      .roots = work_.roots};
  Status stored;
  load_file(load, [&](LoadedBatch batch) {
    if (stored.ok()) stored = store(planned, std::move(batch));
    return stored;
  });
  return stored;
}

Status DocumentWriter::touch(const PlannedFile& planned, const LoadedBatch& batch) {
  for (const DocumentState& state : planned.known) {
    const Status touched = into_.catalogue.touch_document(state.id, batch.kept);
    if (touched.code() == StatusCode::kNotFound) return read_anew(planned);  // another program took it out meanwhile
    MNEME_RETURN_IF_ERROR(touched);
  }
  report_.unchanged += planned.known.size();
  report_.bytes += batch.file.state.size_bytes;
  return {};
}

// A new path with the content of a document whose file is gone: the document moves.
Result<DocumentWriter::Moved> DocumentWriter::move(const PlannedFile& planned, const LoadedBatch& batch) {
  const auto range = work_.missing.equal_range(batch.content_hash);
  auto& free = first_free_.try_emplace(batch.content_hash, range.first).first->second;
  while (free != range.second && moved_.contains(static_cast<int64_t>(free->second.id))) ++free;
  for (auto it = free; it != range.second; ++it) {
    const DocumentState& old = it->second;
    // A member of a container moves with its container, which is read anew.
    if (is_member_path(old.path)) continue;
    if (!moved_.insert(static_cast<int64_t>(old.id)).second) continue;
    const Result<Moved> moved = move(old, planned, batch.kept);
    // Another program took it out meanwhile, or was first to put what lies at the new path.
    const bool overtaken =
        moved.status().code() == StatusCode::kNotFound || moved.status().code() == StatusCode::kUsage;
    if (!overtaken) return moved;
    moved_.erase(static_cast<int64_t>(old.id));
  }
  return Moved::kTaken;
}

Result<DocumentWriter::Moved> DocumentWriter::move(const DocumentState& old, const PlannedFile& planned,
                                                   const storage::FileState& kept) {
  MNEME_ASSIGN_OR_RETURN(const storage::DocumentRecord record, into_.catalogue.document(old.id));
  if (record.path != old.path) return not_found("another run has moved " + old.path);
  const std::filesystem::path from(old.path);
  const std::filesystem::path to(planned.file.path);
  const bool named_after_file = record.title == from.stem().string() || record.title == from.filename().string();
  if (named_after_file && from.filename() != to.filename()) {
    MNEME_RETURN_IF_ERROR(into_.catalogue.remove_document_at(old.id, old.path));
    MNEME_RETURN_IF_ERROR(note_move(old.path, planned.file.path));
    return Moved::kNewTitle;
  }
  const std::string names = path_names(planned.file.path, work_.roots, record.title);
  MNEME_RETURN_IF_ERROR(into_.catalogue.move_document(old.id, planned.file.path, names, kept));
  ++report_.renamed;
  MNEME_RETURN_IF_ERROR(note_move(old.path, planned.file.path));
  return Moved::kDone;
}

Status DocumentWriter::note_move(const std::string& from, const std::string& to) {
  constexpr size_t kNotedAtOnce = 256;
  if (!has_chats_) {
    MNEME_ASSIGN_OR_RETURN(const std::vector<storage::ChatRecord> chats, into_.catalogue.list_chats());
    has_chats_ = !chats.empty();
  }
  if (*has_chats_) moves_.emplace_back(from, to);
  return moves_.size() < kNotedAtOnce ? Status() : note_moves();
}

Status DocumentWriter::note_moves() {
  const auto [key, json] = storage::setting_of_moves(std::exchange(moves_, {}));
  return key.empty() ? Status() : into_.catalogue.put_setting(key, json);
}

Status DocumentWriter::remove_missing() {
  MNEME_RETURN_IF_ERROR(flush());
  MNEME_RETURN_IF_ERROR(note_moves());
  // The newest first: the oldest of those with the same text holds it for all of them (storage's shared_texts.h).
  std::vector<const DocumentState*> missing;
  for (const DocumentState& state : work_.plan.missing) {
    if (!moved_.contains(static_cast<int64_t>(state.id))) missing.push_back(&state);
  }
  std::sort(missing.begin(), missing.end(), [](const auto* a, const auto* b) { return a->id > b->id; });
  for (const DocumentState* state : missing) MNEME_RETURN_IF_ERROR(remove(*state));
  // What was found again elsewhere, and read anew there.
  for (const DocumentState& state : work_.left_behind) {
    const bool moved = moved_.contains(static_cast<int64_t>(state.id));
    if (!moved && found_again_.contains(state.content_hash)) MNEME_RETURN_IF_ERROR(remove(state));
  }
  return {};
}

Status DocumentWriter::remove(const DocumentState& state) {
  // Another run may have found it again elsewhere, or have removed it.
  const Status removed = into_.catalogue.remove_document_at(state.id, state.path);
  if (removed.code() == StatusCode::kNotFound) return {};
  MNEME_RETURN_IF_ERROR(removed);
  ++report_.removed;
  return {};
}

}  // namespace mneme::rag
