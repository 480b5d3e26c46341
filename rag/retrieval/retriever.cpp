#include "rag/retrieval/retriever.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "base/trace.h"
#include "rag/chunking/near_duplicates.h"
#include "rag/embedding/embedder.h"
#include "rag/indexing/index_control.h"
#include "rag/retrieval/embedding_background.h"
#include "rag/retrieval/passage_scorer.h"
#include "rag/retrieval/query.h"
#include "rag/retrieval/rank_merge.h"
#include "rag/retrieval/vector_indexes.h"
#include "rag/text/symbols.h"
#include "rag/text/trigrams.h"
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
constexpr size_t kWeighed = 60;  // of the merged candidates
constexpr int kSpare = 6;        // further hits, for when some repeat others
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
    put_repeats_last();
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
    std::unordered_map<std::string_view, double> idf;
    for (size_t i = 0; i < terms_.size(); ++i) {
      // Pairs of characters that occur nowhere mostly lie across the border of two words: they say nothing.
      if (counts[i] == 0 && static_cast<unsigned char>(terms_[i].front()) >= 0xE0) continue;
      idf[terms_[i]] = std::log(1.0 + (static_cast<double>(n_chunks) + 0.5) / (static_cast<double>(counts[i]) + 0.5));
    }
    scorer_.emplace(query_.text, [&](std::string_view term) {
      const auto at = idf.find(term);
      return at == idf.end() ? 0.0 : at->second;
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
    add_spelling();
    for (size_t i = 0; i < evidence_.size(); ++i) {
      merged_[i].score = rerank_score(evidence_[i], workspace_.embedder().hybrid_weight());
    }
    sort_by_score();
    // Log odds among the candidates, as shares for people and for what weighs scores against each other.
    const double best = evidence_.empty() ? 0.0 : merged_.front().score;
    for (size_t i = 0; i < merged_.size(); ++i) {
      merged_[i].score = i < evidence_.size() ? std::exp(kScoreSlope * (merged_[i].score - best)) : 0.0;
    }
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

  // A passage with the headings it stands under, which say what it is about; nothing for one that is gone.
  std::string text_of(int64_t key) const {
    const auto row = rows_.find(key);
    if (row == rows_.end()) return {};
    const ChunkRecord& chunk = row->second;
    return chunk.heading_path.empty() ? chunk.text : chunk.heading_path + "\n" + chunk.text;
  }

  void add_spelling() {
    const TrigramQuery spelling(query_.text);
    const std::vector<std::string> symbols = lone_symbols(query_.text);
    std::vector<TrigramCounts> counts;
    for (size_t i = 0; i < evidence_.size(); ++i) {
      const std::string text = text_of(merged_[i].key);
      counts.push_back(spelling.count(text));
      for (const std::string& symbol : symbols) {
        evidence_[i].symbols += has_lone_symbol(text, symbol) ? 1.0 / static_cast<double>(symbols.size()) : 0.0;
      }
    }
    const std::vector<double> scores = spelling.scores(counts, true);
    for (size_t i = 0; i < evidence_.size(); ++i) evidence_[i].spelling = scores[i];
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

  // Copies of a better passage tell nothing new: they stand behind all others.
  void put_repeats_last() {
    chunking::NearDuplicates known;
    std::vector<Hit> repeats;
    std::vector<Hit> kept;
    for (size_t i = 0; i < result_.hits.size(); ++i) {
      const bool repeats_one = known.add(i, result_.hits[i].text).has_value();
      (repeats_one ? repeats : kept).push_back(std::move(result_.hits[i]));
    }
    const size_t wanted = static_cast<size_t>(std::max(options_.top_k, 0));
    const size_t shown = wanted - std::min(wanted, kept.size());
    if (repeats.size() > shown) {
      result_.notes.push_back(std::to_string(repeats.size() - shown) +
                              " passages that nearly repeat a better one are left out");
    }
    for (Hit& hit : repeats) kept.push_back(std::move(hit));
    result_.hits = std::move(kept);
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

  Status take(const ChunkRecord& row, double score) {
    const int64_t id = static_cast<int64_t>(row.document);
    auto at = documents_.find(id);
    if (at == documents_.end()) {
      Result<storage::DocumentRecord> document = catalogue_.document(row.document);
      if (document.status().code() == StatusCode::kNotFound) return {};  // removed this moment
      if (!document.ok()) return document.status();
      at = documents_.emplace(id, *std::move(document)).first;
    }
    const storage::DocumentRecord& document = at->second;
    if (!passes_filters(query_, {document.path, document.format, document.mtime_ns})) return {};
    if (!has_phrases(query_, row.text)) return {};
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
    hit.document_id = id;
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
    result_.hits.push_back(std::move(hit));
    return {};
  }

  // Maximal marginal relevance (Carbonell and Goldstein 1998) over the vectors, then ranks.
  Status diversify() {
    if (options_.diversity > 0.0 && result_.hits.size() > 1) MNEME_RETURN_IF_ERROR(choose_diverse());
    if (result_.hits.size() > static_cast<size_t>(std::max(options_.top_k, 0))) {
      result_.hits.resize(static_cast<size_t>(std::max(options_.top_k, 0)));
    }
    if (options_.join_neighbours) join_neighbours();
    for (size_t i = 0; i < result_.hits.size(); ++i) result_.hits[i].rank = static_cast<int>(i + 1);
    return {};
  }

  Status choose_diverse() {
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
    const double best_score = std::max(result_.hits.front().score, 1e-12);
    std::vector<Hit> left = std::move(result_.hits);
    result_.hits.clear();
    while (!left.empty() && result_.hits.size() < static_cast<size_t>(options_.top_k)) {
      size_t best = 0;
      double best_value = -1e9;
      for (size_t i = 0; i < left.size(); ++i) {
        double nearest = 0.0;
        for (const Hit& chosen : result_.hits) nearest = std::max(nearest, likeness(left[i], chosen));
        const double value = (1.0 - options_.diversity) * left[i].score / best_score - options_.diversity * nearest;
        if (value > best_value) {
          best_value = value;
          best = i;
        }
      }
      result_.hits.push_back(std::move(left[best]));
      left.erase(left.begin() + static_cast<std::ptrdiff_t>(best));
    }
    return {};
  }

  // Passages of one document that follow each other are read in order, at the place of the best of them.
  void join_neighbours() {
    std::vector<Hit> joined;
    std::vector<bool> used(result_.hits.size());
    for (size_t i = 0; i < result_.hits.size(); ++i) {
      if (used[i]) continue;
      std::vector<size_t> group{i};
      used[i] = true;
      for (bool grew = true; grew;) {
        grew = false;
        for (size_t j = 0; j < result_.hits.size(); ++j) {
          const bool near = !used[j] && std::any_of(group.begin(), group.end(), [&](size_t g) {
            return result_.hits[g].document_id == result_.hits[j].document_id &&
                   std::abs(result_.hits[g].ordinal - result_.hits[j].ordinal) == 1;
          });
          if (!near) continue;
          used[j] = grew = true;
          group.push_back(j);
        }
      }
      std::sort(group.begin(), group.end(),
                [&](size_t a, size_t b) { return result_.hits[a].ordinal < result_.hits[b].ordinal; });
      for (const size_t g : group) joined.push_back(std::move(result_.hits[g]));
    }
    result_.hits = std::move(joined);
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
