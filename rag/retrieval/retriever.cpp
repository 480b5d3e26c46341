#include "rag/retrieval/retriever.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "base/trace.h"
#include "rag/embedding/embedder.h"
#include "rag/indexing/index_control.h"
#include "rag/retrieval/embedding_background.h"
#include "rag/retrieval/hit_selection.h"
#include "rag/retrieval/passage_scorer.h"
#include "rag/retrieval/query.h"
#include "rag/retrieval/rank_merge.h"
#include "rag/retrieval/reranker.h"
#include "rag/retrieval/second_look.h"
#include "rag/retrieval/vector_indexes.h"
#include "rag/workspace.h"
#include "storage/catalogue/catalogue.h"

namespace mneme::rag {

namespace {

using storage::Catalogue;
using storage::ChunkId;
using storage::ChunkRecord;
using storage::CollectionRecord;

// How many candidates each method contributes, and more where a filter will take some away.
constexpr int kCandidates = 60;
constexpr int kFilteredCandidates = 1000;
constexpr size_t kWeighed = 60;         // of the merged candidates
constexpr size_t kReadByModel = 24;     // at most, time allowing
constexpr double kUnreadBehind = 1e-3;  // log odds
constexpr int kSpare = 6;               // further hits, for when some repeat others
// Differences of rerank scores are log odds of a regression that had one right passage per question; flattened, so that
// the second and third best still show.
constexpr double kScoreSlope = 0.3;
// The share of the question's weighted words the best passage must hold for the question to count as answerable.
constexpr double kAnswerableCoverage = 0.3;  // refuses 2 % of the answerable questions of nq_open_oracle

class Search {
 public:
  Search(Workspace& workspace, const SearchOptions& options, const CancelToken& cancel)
      : workspace_(workspace), catalogue_(workspace.catalogue()), options_(options), cancel_(cancel) {}

  Result<SearchResult> run(const std::string& input) {
    const trace::Span span("retrieve", "rag");
    const auto start = std::chrono::steady_clock::now();
    query_ = parse_query(input);
    result_.query = query_.text;
    MNEME_RETURN_IF_ERROR(find_collections());
    MNEME_RETURN_IF_ERROR(find_candidates());
    MNEME_RETURN_IF_ERROR(weigh_question());
    if (options_.method == SearchMethod::kHybrid) MNEME_RETURN_IF_ERROR(weigh_candidates());
    if (options_.rerank.value_or(options_.method == SearchMethod::kHybrid)) MNEME_RETURN_IF_ERROR(look_again());
    MNEME_RETURN_IF_ERROR(take_hits());
    move_repeats();
    MNEME_RETURN_IF_ERROR(diversify());
    MNEME_RETURN_IF_ERROR(judge());
    result_.milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    return std::move(result_);
  }

 private:
  int wanted() const {
    const bool narrowed = query_.filters() || !query_.phrases.empty();
    return std::max(narrowed ? kFilteredCandidates : kCandidates, options_.top_k);
  }

  Status find_collections() {
    if (options_.collection.empty()) {
      MNEME_ASSIGN_OR_RETURN(collections_, catalogue_.list_collections());
      return {};
    }
    MNEME_ASSIGN_OR_RETURN(CollectionRecord collection, catalogue_.find_collection(options_.collection));
    collections_.push_back(std::move(collection));
    return {};
  }

  Status find_candidates() {
    if (query_.text.empty()) return {};
    if (options_.method != SearchMethod::kDense) MNEME_RETURN_IF_ERROR(search_lexical());
    if (options_.method != SearchMethod::kLexical) MNEME_RETURN_IF_ERROR(search_dense());
    std::vector<double> lexical_scores;
    for (const int64_t key : lexical_) lexical_scores.push_back(lexical_score_.at(key));
    std::vector<double> dense_scores;
    for (const int64_t key : dense_) dense_scores.push_back(dense_similarity_.at(key));
    const Ranking rankings[] = {{lexical_, 1.0, lexical_scores}, {dense_, 1.0, dense_scores}};
    merged_ = merge_rankings(rankings);
    return {};
  }

  Status search_lexical() {
    const trace::Span span("lexical", "rag");
    std::vector<storage::CollectionId> ids;
    for (const CollectionRecord& collection : collections_) ids.push_back(collection.id);
    if (ids.empty()) return {};
    MNEME_ASSIGN_OR_RETURN(const std::vector<storage::LexicalHit> hits,
                           catalogue_.search_lexical(query_.text, ids, wanted()));
    for (const storage::LexicalHit& hit : hits) {
      lexical_.push_back(static_cast<int64_t>(hit.chunk));
      lexical_score_[lexical_.back()] = hit.score;
    }
    return {};
  }

  Status search_dense() {
    const trace::Span span("dense", "rag");
    const Embedder& embedder = workspace_.embedder();
    std::vector<float>& vector = question_vector_;
    vector.resize(static_cast<size_t>(embedder.dim()));
    const std::string_view text = query_.text;
    MNEME_RETURN_IF_ERROR(embedder.embed({&text, 1}, EmbedKind::kQuery, vector));
    if (std::all_of(vector.begin(), vector.end(), [](float x) { return x == 0.0f; })) return {};
    std::vector<VectorHit> hits;
    for (const CollectionRecord& collection : collections_) {
      if (cancel_.cancelled()) return cancelled();
      MNEME_ASSIGN_OR_RETURN(const std::shared_ptr<VectorIndex> index, workspace_.vectors().get(collection));
      const std::vector<VectorHit> found = index->search(vector, wanted());
      hits.insert(hits.end(), found.begin(), found.end());
      indexes_.push_back(index);
      if (index->size() == 0 && !lexical_.empty()) {
        workspace_.embedding().want(collection);
        result_.notes.push_back("the collection " + collection.name + " has no vectors of the embedder " +
                                embedder.identity() +
                                " yet; found by words alone while they are made; `mneme index` makes them at once");
      }
    }
    std::sort(hits.begin(), hits.end(), [](const VectorHit& a, const VectorHit& b) {
      return a.similarity != b.similarity ? a.similarity > b.similarity : a.key < b.key;
    });
    for (const VectorHit& hit : hits) {
      if (hit.similarity <= 0.0f) break;
      dense_.push_back(hit.key);
      dense_similarity_[hit.key] = hit.similarity;
    }
    return {};
  }

  // How rare each of the question's words is.
  Status weigh_question() {
    terms_ = PassageScorer::terms_of(query_.text);
    if (terms_.empty()) return {};
    MNEME_ASSIGN_OR_RETURN(const std::vector<int64_t> counts, catalogue_.term_document_counts(terms_));
    MNEME_ASSIGN_OR_RETURN(const int64_t n_chunks, catalogue_.n_chunks());
    for (size_t i = 0; i < terms_.size(); ++i) {
      // Pairs of characters that occur nowhere mostly lie across the border of two words: they say nothing.
      if (counts[i] == 0 && static_cast<unsigned char>(terms_[i].front()) >= 0xE0) continue;
      idf_[terms_[i]] = std::log(1.0 + (static_cast<double>(n_chunks) + 0.5) / (static_cast<double>(counts[i]) + 0.5));
    }
    scorer_.emplace(query_.text, [&](std::string_view term) {
      const auto at = idf_.find(term);
      return at == idf_.end() ? 0.0 : at->second;
    });
    return {};
  }

  // Places chose the candidates; what the passages say decides between the first of them.
  Status weigh_candidates() {
    const trace::Span span("weigh", "rag");
    MNEME_RETURN_IF_ERROR(gather_evidence());
    for (size_t i = 0; i < evidence_.size(); ++i) {
      merged_[i].score = evidence_score(evidence_[i], workspace_.embedder().hybrid_weight());
    }
    sort_by_score();
    return {};
  }

  // The closer look: as before, and with spelling, neighbouring words, and where in the passage they stand.
  Status look_again() {
    const trace::Span span("rerank", "rag");
    const auto start = std::chrono::steady_clock::now();
    MNEME_RETURN_IF_ERROR(gather_evidence());
    look_closer();
    for (size_t i = 0; i < evidence_.size(); ++i) {
      merged_[i].score = rerank_score(evidence_[i], workspace_.embedder().hybrid_weight());
    }
    sort_by_score();
    MNEME_RETURN_IF_ERROR(ask_reranker(start));
    // Log odds among the candidates, as shares for people and for what weighs scores against each other.
    const double best = evidence_.empty() ? 0.0 : merged_.front().score;
    for (size_t i = 0; i < merged_.size(); ++i) {
      merged_[i].score = i < evidence_.size() ? std::exp(kScoreSlope * (merged_[i].score - best)) : 0.0;
    }
    if (options_.explain) explain();
    result_.reranked = static_cast<int>(evidence_.size());
    result_.rerank_milliseconds =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    return {};
  }

  // What speaks for each of the first candidates, in their order.
  Status gather_evidence() {
    if (!evidence_.empty()) return {};
    for (size_t i = 0; i < merged_.size(); ++i) places_[merged_[i].key] = merged_[i].score;
    const size_t n = std::min(merged_.size(), std::max<size_t>(kWeighed, static_cast<size_t>(options_.top_k)));
    MNEME_RETURN_IF_ERROR(read_rows(0, n));
    MNEME_RETURN_IF_ERROR(read_documents(n));
    const QuantisedQuery vector = quantise_query(question_vector_);
    double best_lexical = 0.0;
    for (const auto& [key, score] : lexical_score_) best_lexical = std::max(best_lexical, score);
    for (size_t i = 0; i < n; ++i) {
      const int64_t key = merged_[i].key;
      PassageEvidence evidence;
      if (const auto at = lexical_score_.find(key); at != lexical_score_.end() && best_lexical > 0) {
        evidence.lexical = at->second / best_lexical;
      }
      const double floor = workspace_.embedder().similarity_floor();
      evidence.dense = std::max(0.0, (similarity(vector, key) - floor) / (1.0 - floor));
      if (scorer_.has_value()) scorer_->score(text_of(key), evidence);
      evidence.places = places_[key];
      evidence_.push_back(evidence);
    }
    return {};
  }

  // A passage with the title and headings it stands under, which say what it is about; nothing for one that is gone.
  std::string text_of(int64_t key) const {
    const auto row = rows_.find(key);
    if (row == rows_.end()) return {};
    const std::string above = above_of(row->second);
    return above.empty() ? row->second.text : above + "\n" + row->second.text;
  }

  std::string above_of(const ChunkRecord& chunk) const {
    const auto document = documents_.find(static_cast<int64_t>(chunk.document));
    std::string above = document == documents_.end() ? std::string() : document->second.title;
    if (chunk.heading_path.empty() || chunk.heading_path == above) return above;
    return above.empty() ? chunk.heading_path : above + "\n" + chunk.heading_path;
  }

  // The reranker's word on as many of the best as it can read in time; the others stay behind them.
  Status ask_reranker(std::chrono::steady_clock::time_point start) {
    if (options_.reranker == nullptr || evidence_.empty()) return {};
    const trace::Span span("rerank by model", "rag");
    std::vector<std::string> texts;
    for (size_t i = 0; i < std::min(evidence_.size(), kReadByModel); ++i) {
      const auto row = rows_.find(merged_[i].key);
      if (row == rows_.end()) break;
      texts.push_back(row->second.text);
    }
    const std::vector<std::string_view> passages(texts.begin(), texts.end());
    const std::chrono::duration<double, std::milli> budget(options_.rerank_budget_ms);
    const Result<std::vector<double>> scores = options_.reranker->score(
        query_.text, passages, start + std::chrono::duration_cast<std::chrono::steady_clock::duration>(budget),
        cancel_);
    if (scores.status().code() == StatusCode::kCancelled) return scores.status();
    if (!scores.ok()) {
      result_.notes.push_back("not reranked by " + options_.reranker->name() + ": " + scores.status().message());
      return {};
    }
    take_word_of(*options_.reranker, *scores);
    return {};
  }

  void take_word_of(const Reranker& reranker, std::span<const double> scores) {
    const std::vector<double> deviations = standardised(scores);
    // Whatever was not read stays behind what was.
    double lowest = 0.0;
    for (size_t i = 0; i < deviations.size(); ++i) {
      merged_[i].score += reranker.weight() * deviations[i];
      lowest = i == 0 ? merged_[i].score : std::min(lowest, merged_[i].score);
    }
    for (size_t i = deviations.size(); i < evidence_.size(); ++i) {
      merged_[i].score = std::min(merged_[i].score, lowest - kUnreadBehind * static_cast<double>(i));
    }
    result_.read_by_model = static_cast<int>(deviations.size());
    sort_by_score();
  }

  void explain() {
    for (size_t i = 0; i < evidence_.size(); ++i) {
      const auto row = rows_.find(merged_[i].key);
      if (row == rows_.end()) continue;
      const auto document = documents_.find(static_cast<int64_t>(row->second.document));
      if (document == documents_.end()) continue;
      result_.considered.push_back({merged_[i].key, document->second.path, evidence_[i]});
    }
  }

  void look_closer() {
    std::vector<LookedAt> passages;
    for (size_t i = 0; i < evidence_.size(); ++i) {
      LookedAt& passage = passages.emplace_back();
      passage.text = text_of(merged_[i].key);
      const auto row = rows_.find(merged_[i].key);
      if (row == rows_.end()) continue;
      passage.name = above_of(row->second);
      const auto document = documents_.find(static_cast<int64_t>(row->second.document));
      if (document == documents_.end()) continue;
      passage.name += "\n" + std::filesystem::path(document->second.path).stem().string();
    }
    const auto idf = [&](std::string_view term) {
      const auto at = idf_.find(term);
      return at == idf_.end() ? 0.0 : at->second;
    };
    SecondLook(query_.text, &workspace_.embedder(), idf).look(passages, evidence_);
  }

  // The first candidates, those with evidence, by their scores; evidence stays beside its candidate.
  void sort_by_score() {
    std::vector<size_t> order(evidence_.size());
    std::iota(order.begin(), order.end(), size_t{0});
    // Equal scores: by the text, which does not depend on what was indexed first.
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
      if (merged_[a].score != merged_[b].score) return merged_[a].score > merged_[b].score;
      return text_of(merged_[a].key) < text_of(merged_[b].key);
    });
    std::vector<MergedRank> ranks;
    std::vector<PassageEvidence> evidence;
    for (const size_t i : order) {
      ranks.push_back(merged_[i]);
      evidence.push_back(evidence_[i]);
    }
    std::copy(ranks.begin(), ranks.end(), merged_.begin());
    evidence_ = std::move(evidence);
  }

  void move_repeats() {
    const size_t repeats = put_repeats_last(result_.hits);
    const size_t kept = result_.hits.size() - repeats;
    const size_t wanted = static_cast<size_t>(std::max(options_.top_k, 0));
    const size_t shown = wanted - std::min(wanted, kept);
    if (repeats <= shown) return;
    result_.notes.push_back(std::to_string(repeats - shown) + " passages that nearly repeat a better one are left out");
  }

  double similarity(const QuantisedQuery& vector, int64_t key) {
    if (const auto at = dense_similarity_.find(key); at != dense_similarity_.end()) return at->second;
    if (question_vector_.empty()) return 0.0;
    for (const std::shared_ptr<VectorIndex>& index : indexes_) {
      if (const std::optional<float> found = index->similarity(vector, key); found.has_value()) {
        dense_similarity_[key] = *found;
        return *found;
      }
    }
    return 0.0;
  }

  // Reads the best candidates' rows until enough have passed the filters.
  Status take_hits() {
    const size_t enough = static_cast<size_t>(options_.diversity > 0 ? options_.top_k * 4 : options_.top_k + kSpare);
    std::vector<int64_t> gone;
    for (size_t at = 0; at < merged_.size() && result_.hits.size() < enough;) {
      const size_t end = std::min(merged_.size(), at + std::max<size_t>(enough, 16));
      MNEME_RETURN_IF_ERROR(read_rows(at, end));
      for (size_t i = at; i < end; ++i) {
        const auto row = rows_.find(merged_[i].key);
        if (row == rows_.end()) {
          gone.push_back(merged_[i].key);
        } else if (result_.hits.size() < enough) {
          MNEME_RETURN_IF_ERROR(take(row->second, merged_[i].score));
        }
      }
      at = end;
    }
    // Vectors of passages that no longer exist: from now on the index knows.
    std::sort(gone.begin(), gone.end());
    for (const std::shared_ptr<VectorIndex>& index : indexes_) index->erase(gone);
    return {};
  }

  // Rows of merged_[begin, end) that have not been read yet.
  Status read_rows(size_t begin, size_t end) {
    std::vector<ChunkId> ids;
    for (size_t i = begin; i < end; ++i) {
      if (!rows_.contains(merged_[i].key)) ids.push_back(ChunkId{merged_[i].key});
    }
    if (ids.empty()) return {};
    MNEME_ASSIGN_OR_RETURN(std::vector<ChunkRecord> rows, catalogue_.chunks(ids));
    for (ChunkRecord& row : rows) rows_.emplace(static_cast<int64_t>(row.id), std::move(row));
    return {};
  }

  // The documents of the first n candidates' rows.
  Status read_documents(size_t n) {
    for (size_t i = 0; i < n; ++i) {
      const auto row = rows_.find(merged_[i].key);
      if (row != rows_.end()) MNEME_RETURN_IF_ERROR(read_document(row->second.document));
    }
    return {};
  }

  // A document removed this moment is none.
  Status read_document(storage::DocumentId document) {
    const int64_t id = static_cast<int64_t>(document);
    if (documents_.contains(id)) return {};
    Result<storage::DocumentRecord> record = catalogue_.document(document);
    if (record.status().code() == StatusCode::kNotFound) return {};
    if (!record.ok()) return record.status();
    documents_.emplace(id, *std::move(record));
    return {};
  }

  Status take(const ChunkRecord& row, double score) {
    const int64_t id = static_cast<int64_t>(row.document);
    MNEME_RETURN_IF_ERROR(read_document(row.document));
    const auto at = documents_.find(id);
    if (at == documents_.end()) return {};
    const storage::DocumentRecord& document = at->second;
    if (!passes_filters(query_, {document.path, document.format, document.mtime_ns})) return {};
    if (!has_phrases(query_, row.text)) return {};
    result_.hits.push_back(hit_of(row, document, score));
    return {};
  }

  Hit hit_of(const ChunkRecord& row, const storage::DocumentRecord& document, double score) const {
    Hit hit;
    hit.score = score;
    hit.chunk_row = static_cast<int64_t>(row.id);
    if (const auto found = lexical_score_.find(hit.chunk_row); found != lexical_score_.end()) {
      hit.lexical_score = found->second;
    }
    if (const auto found = dense_similarity_.find(hit.chunk_row); found != dense_similarity_.end()) {
      hit.dense_similarity = found->second;
    }
    hit.chunk = row.uid;
    hit.document_id = static_cast<int64_t>(row.document);
    hit.document = document.path;
    hit.title = document.title;
    hit.heading_path = row.heading_path;
    for (const CollectionRecord& collection : collections_) {
      if (collection.id == document.collection) hit.collection = collection.name;
    }
    hit.ordinal = row.ordinal;
    hit.page = row.page;
    hit.line_start = row.line_begin;
    hit.line_end = row.line_end;
    hit.byte_begin = row.byte_begin;
    hit.byte_end = row.byte_end;
    hit.text = row.text;
    return hit;
  }

  // Those to be shown, and their ranks.
  Status diversify() {
    if (options_.diversity > 0.0 && result_.hits.size() > 1) MNEME_RETURN_IF_ERROR(take_diverse());
    if (result_.hits.size() > static_cast<size_t>(std::max(options_.top_k, 0))) {
      result_.hits.resize(static_cast<size_t>(std::max(options_.top_k, 0)));
    }
    if (options_.neighbours > 0) MNEME_RETURN_IF_ERROR(bring_neighbours());
    if (options_.join_neighbours) join_neighbours(result_.hits);
    for (size_t i = 0; i < result_.hits.size(); ++i) result_.hits[i].rank = static_cast<int>(i + 1);
    return {};
  }

  Status take_diverse() {
    std::vector<ChunkId> ids;
    for (const Hit& hit : result_.hits) ids.push_back(ChunkId{hit.chunk_row});
    MNEME_ASSIGN_OR_RETURN(const auto vectors, catalogue_.embeddings(workspace_.embedder().identity(), ids));
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
    result_.hits = choose_diverse(std::move(result_.hits), options_.diversity, options_.top_k, likeness);
    return {};
  }

  // The passages before and after the best hits, in document order around them, in place of the last hits.
  Status bring_neighbours() {
    std::vector<Hit> expanded;
    std::unordered_set<int64_t> there;
    for (const Hit& hit : result_.hits) there.insert(hit.chunk_row);
    for (size_t i = 0; i < result_.hits.size(); ++i) {
      const Hit& hit = result_.hits[i];
      const bool best = i < static_cast<size_t>(options_.neighbours);
      const auto document = documents_.find(hit.document_id);
      if (!best || document == documents_.end()) {
        expanded.push_back(hit);
        continue;
      }
      MNEME_ASSIGN_OR_RETURN(
          const std::vector<ChunkRecord> around,
          catalogue_.document_chunks(document->second.id, std::max(0, hit.ordinal - 1), hit.ordinal + 1));
      for (const ChunkRecord& row : around) {
        const auto key = static_cast<int64_t>(row.id);
        if (key == hit.chunk_row) {
          expanded.push_back(hit);
        } else if (there.insert(key).second) {
          expanded.push_back(hit_of(row, document->second, hit.score));
        }
      }
    }
    if (expanded.size() > static_cast<size_t>(options_.top_k)) expanded.resize(static_cast<size_t>(options_.top_k));
    result_.hits = std::move(expanded);
    return {};
  }

  // Answerable when one of the best passages holds enough of what the question asks about: its words, weighted by
  // rarity. A word that occurs nowhere counts as the rarest.
  Status judge() {
    result_.answerable = !result_.hits.empty();
    if (result_.hits.empty() || !scorer_.has_value() || scorer_->empty()) return {};
    double best = 0.0;
    for (size_t i = 0; i < std::min<size_t>(result_.hits.size(), 3); ++i) {
      const Hit& hit = result_.hits[i];
      PassageEvidence evidence;
      scorer_->score(hit.title + "\n" + hit.heading_path + "\n" + hit.text, evidence);
      best = std::max(best, evidence.coverage);
    }
    result_.answerable = best >= kAnswerableCoverage;
    return {};
  }

  Workspace& workspace_;
  Catalogue& catalogue_;
  const SearchOptions& options_;
  const CancelToken& cancel_;
  Query query_;
  SearchResult result_;
  std::vector<CollectionRecord> collections_;
  std::vector<std::shared_ptr<VectorIndex>> indexes_;
  std::vector<int64_t> lexical_, dense_;  // chunk rows, best first
  std::unordered_map<int64_t, double> lexical_score_;
  std::unordered_map<int64_t, float> dense_similarity_;
  std::vector<MergedRank> merged_;
  std::unordered_map<int64_t, ChunkRecord> rows_;  // read so far
  std::vector<PassageEvidence> evidence_;          // of the first of merged_, in their order
  std::unordered_map<int64_t, double> places_;     // reciprocal ranks, before scores took their place
  std::vector<float> question_vector_;             // empty when vectors are not asked for
  std::vector<std::string> terms_;
  std::unordered_map<std::string_view, double> idf_;  // of terms_
  std::optional<PassageScorer> scorer_;
  std::unordered_map<int64_t, storage::DocumentRecord> documents_;
};

}  // namespace

Result<SearchMethod> parse_search_method(std::string_view name) {
  for (const SearchMethod method : {SearchMethod::kHybrid, SearchMethod::kDense, SearchMethod::kLexical}) {
    if (name == search_method_name(method)) return method;
  }
  return usage_error("unknown search method " + std::string(name) + "; there are hybrid, dense, lexical");
}

std::string_view search_method_name(SearchMethod method) {
  switch (method) {
    case SearchMethod::kHybrid: return "hybrid";
    case SearchMethod::kDense: return "dense";
    case SearchMethod::kLexical: return "lexical";
  }
  return "hybrid";
}

Result<SearchResult> Retriever::search(const std::string& query, const SearchOptions& options,
                                       const CancelToken& cancel) {
  // Files about it that are still to be indexed come next; not being heard is no reason not to search.
  (void)IndexControl(workspace_.catalogue()).want(query);
  return Search(workspace_, options, cancel).run(query);
}

}  // namespace mneme::rag
