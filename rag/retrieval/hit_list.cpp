#include "rag/retrieval/hit_list.h"

#include <algorithm>
#include <iterator>
#include <unordered_map>
#include <unordered_set>

#include "rag/document.h"
#include "rag/embedding/embedder.h"
#include "rag/retrieval/hit_selection.h"
#include "rag/workspace.h"
#include "storage/catalogue/catalogue.h"

namespace mneme::rag {

using storage::ChunkId;
using storage::ChunkRecord;
using storage::DocumentRecord;

namespace {

constexpr size_t kSpare = 6;          // further hits, for when filters and what has gone take some away
constexpr size_t kDiversityPool = 4;  // times as many as are wanted to choose from
constexpr size_t kLeastRead = 16;     // rows at a time

}  // namespace

HitList::HitList(Workspace& workspace, const SearchOptions& options, const Query& query,
                 std::span<const storage::CollectionRecord> collections, PassageRows& rows)
    : workspace_(workspace),
      options_(options),
      query_(query),
      collections_(collections),
      rows_(rows),
      repeats_of_(query.text) {}

Status HitList::take(std::span<const Candidate> candidates) {
  MNEME_RETURN_IF_ERROR(read_hits(candidates));
  std::sort(gone_.begin(), gone_.end());
  put_repeats_last();
  if (options_.diversity > 0.0 && hits_.size() > 1) MNEME_RETURN_IF_ERROR(take_diverse());
  if (hits_.size() > top_k()) hits_.resize(top_k());
  if (options_.neighbours > 0) MNEME_RETURN_IF_ERROR(bring_neighbours());
  if (options_.join_neighbours) join_neighbours(hits_);
  for (size_t i = 0; i < hits_.size(); ++i) hits_[i].rank = static_cast<int>(i + 1);
  return {};
}

size_t HitList::n_read(const SearchOptions& options) {
  const auto wanted = static_cast<size_t>(std::max(options.top_k, 0));
  return options.diversity > 0 ? wanted * kDiversityPool : wanted + kSpare;
}

// Reads the best candidates' rows until enough have passed the filters.
Status HitList::read_hits(std::span<const Candidate> candidates) {
  const size_t enough = n_read(options_);
  for (size_t at = 0; at < candidates.size() && hits_.size() < enough;) {
    const size_t end = std::min(candidates.size(), at + std::max(enough, kLeastRead));
    std::vector<int64_t> keys;
    for (size_t i = at; i < end; ++i) keys.push_back(candidates[i].key);
    MNEME_RETURN_IF_ERROR(rows_.read(keys));
    for (size_t i = at; i < end; ++i) {
      if (rows_.chunk(candidates[i].key) == nullptr) {
        gone_.push_back(candidates[i].key);
      } else if (hits_.size() < enough) {
        take_candidate(candidates[i]);
      }
    }
    at = end;
  }
  return {};
}

void HitList::take_candidate(const Candidate& candidate) {
  const DocumentRecord* document = rows_.document_of(candidate.key);
  if (document == nullptr) return;
  const ChunkRecord& row = *rows_.chunk(candidate.key);
  if (!passes_filters(query_, {document->path, document->format, document->file.mtime_ns, document->date})) return;
  if (!has_phrases(query_, row.text)) return;
  const std::vector<std::string>& without = options_.without;
  if (std::find(without.begin(), without.end(), document->path) != without.end()) return;
  Hit hit = hit_for(row, *document, candidate.score);
  hit.lexical_score = candidate.lexical_score;
  hit.dense_similarity = candidate.similarity.value_or(0.0f);
  (repeats_of_.is_repeat(hit.text) ? repeats_ : hits_).push_back(std::move(hit));
}

Hit hit_of(const ChunkRecord& row, const DocumentRecord& document) {
  Hit hit;
  hit.chunk_row = static_cast<int64_t>(row.id);
  hit.chunk = row.uid;
  hit.document_id = static_cast<int64_t>(row.document);
  hit.document = document.path;
  hit.names = document.names;
  hit.title = document.title;
  hit.author = document.author;
  hit.date = document.date;
  hit.form = form_of(document.format);
  hit.heading_path = row.heading_path;
  hit.ordinal = row.ordinal;
  hit.page = row.page;
  hit.page_marks = row.page_marks;
  hit.line_start = row.line_begin;
  hit.line_end = row.line_end;
  hit.byte_begin = row.byte_begin;
  hit.byte_end = row.byte_end;
  hit.text = row.text;
  return hit;
}

Hit HitList::hit_for(const ChunkRecord& row, const DocumentRecord& document, double score) const {
  Hit hit = hit_of(row, document);
  hit.score = score;
  for (const storage::CollectionRecord& collection : collections_) {
    if (collection.id == document.collection) hit.collection = collection.name;
  }
  return hit;
}

// They tell nothing new.
void HitList::put_repeats_last() {
  const size_t shown = top_k() - std::min(top_k(), hits_.size());
  n_left_out_ = repeats_.size() > shown ? repeats_.size() - shown : 0;
  std::move(repeats_.begin(), repeats_.end(), std::back_inserter(hits_));
  repeats_.clear();
}

Status HitList::take_diverse() {
  std::vector<ChunkId> ids;
  ids.reserve(hits_.size());
  for (const Hit& hit : hits_) ids.push_back(ChunkId{hit.chunk_row});
  MNEME_ASSIGN_OR_RETURN(const auto vectors, workspace_.catalogue().embeddings(workspace_.embedder().identity(), ids));
  std::unordered_map<int64_t, const std::vector<float>*> vector_of;
  for (const auto& [id, vector] : vectors) vector_of[static_cast<int64_t>(id)] = &vector;
  const auto likeness = [&](const Hit& a, const Hit& b) {
    const auto x = vector_of.find(a.chunk_row);
    const auto y = vector_of.find(b.chunk_row);
    if (x == vector_of.end() || y == vector_of.end()) return a.text == b.text ? 1.0 : 0.0;
    double dot = 0.0;
    for (size_t i = 0; i < x->second->size(); ++i) dot += double{(*x->second)[i]} * (*y->second)[i];
    return dot;
  };
  hits_ = choose_diverse(std::move(hits_), options_.diversity, options_.top_k, likeness);
  return {};
}

// The passages before and after the best hits, in document order around them, in place of the last hits.
Status HitList::bring_neighbours() {
  std::vector<Hit> expanded;
  std::unordered_set<int64_t> there;
  for (const Hit& hit : hits_) there.insert(hit.chunk_row);
  for (size_t i = 0; i < hits_.size(); ++i) {
    const Hit& hit = hits_[i];
    const DocumentRecord* document = rows_.document(hit.document_id);
    if (i >= static_cast<size_t>(options_.neighbours) || document == nullptr) {
      expanded.push_back(hit);
      continue;
    }
    MNEME_ASSIGN_OR_RETURN(
        const std::vector<ChunkRecord> around,
        workspace_.catalogue().document_chunks(document->id, std::max(0, hit.ordinal - 1), hit.ordinal + 1));
    for (const ChunkRecord& row : around) {
      const auto key = static_cast<int64_t>(row.id);
      if (key == hit.chunk_row) {
        expanded.push_back(hit);
      } else if (there.insert(key).second) {
        expanded.push_back(hit_for(row, *document, hit.score));
      }
    }
  }
  if (expanded.size() > top_k()) expanded.resize(top_k());
  hits_ = std::move(expanded);
  return {};
}

}  // namespace mneme::rag
