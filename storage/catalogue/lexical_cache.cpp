#include "storage/catalogue/lexical_cache.h"

#include <utility>

namespace mneme::storage {
namespace {

constexpr size_t kMostTerms = 100'000;
constexpr int64_t kLengthsAPage = 4096;

size_t n_postings_of(const LexicalCache::Term& term) {
  return term.postings == nullptr ? 0 : term.postings->size();
}

}  // namespace

Result<CatalogueState> CatalogueState::read(Database& database) {
  MNEME_ASSIGN_OR_RETURN(Statement statement,
                         database.prepare("SELECT coalesce(sum(revision), 0), count(*), (SELECT seq FROM "
                                          "sqlite_sequence WHERE name='collections') FROM collections"));
  MNEME_RETURN_IF_ERROR(statement.step().status());
  return CatalogueState{statement.integer(0), statement.integer(1), statement.integer(2)};
}

void LexicalCache::be_at(const CatalogueState& state) {
  if (state == state_) return;
  state_ = state;
  by_name_.clear();
  entries_.clear();
  n_postings_ = 0;
  lengths_.clear();
  average_length_ = 0.0;
  n_chunks_.reset();
}

std::optional<LexicalCache::Term> LexicalCache::term(const CatalogueState& state, const std::string& name) {
  MutexLock lock(mutex_);
  be_at(state);
  const auto at = by_name_.find(name);
  if (at == by_name_.end()) return std::nullopt;
  entries_.splice(entries_.begin(), entries_, at->second);
  return at->second->term;
}

void LexicalCache::keep_term(const CatalogueState& state, const std::string& name, Term term) {
  MutexLock lock(mutex_);
  be_at(state);
  const size_t n_new = n_postings_of(term);
  if (const auto at = by_name_.find(name); at != by_name_.end()) {
    n_postings_ -= n_postings_of(at->second->term);
    at->second->term = std::move(term);
    n_postings_ += n_new;
  } else {
    entries_.push_front({name, std::move(term)});
    n_postings_ += n_new;  // before what may want memory: the sum is that of the entries, whatever happens
    by_name_.emplace(entries_.front().name, entries_.begin());
  }
  drop_beyond_budget();
}

void LexicalCache::drop_beyond_budget() {
  while (entries_.size() > kMostTerms || (n_postings_ > most_postings_ && !entries_.empty())) {
    n_postings_ -= n_postings_of(entries_.back().term);
    by_name_.erase(entries_.back().name);
    entries_.pop_back();
  }
}

uint32_t LexicalCache::length(const CatalogueState& state, ChunkId chunk) {
  MutexLock lock(mutex_);
  be_at(state);
  const auto id = static_cast<int64_t>(chunk);
  const auto page = lengths_.find(id / kLengthsAPage);
  return page == lengths_.end() || page->second.empty() ? 0 : page->second[static_cast<size_t>(id % kLengthsAPage)];
}

void LexicalCache::keep_length(const CatalogueState& state, ChunkId chunk, uint32_t length) {
  MutexLock lock(mutex_);
  be_at(state);
  const auto id = static_cast<int64_t>(chunk);
  std::vector<uint32_t>& page = lengths_[id / kLengthsAPage];
  if (page.empty()) page.resize(static_cast<size_t>(kLengthsAPage));
  page[static_cast<size_t>(id % kLengthsAPage)] = length;
}

double LexicalCache::average_length(const CatalogueState& state) {
  MutexLock lock(mutex_);
  be_at(state);
  return average_length_;
}

void LexicalCache::keep_average_length(const CatalogueState& state, double length) {
  MutexLock lock(mutex_);
  be_at(state);
  average_length_ = length;
}

std::optional<int64_t> LexicalCache::n_chunks(const CatalogueState& state) {
  MutexLock lock(mutex_);
  be_at(state);
  return n_chunks_;
}

void LexicalCache::keep_n_chunks(const CatalogueState& state, int64_t n_chunks) {
  MutexLock lock(mutex_);
  be_at(state);
  n_chunks_ = n_chunks;
}

size_t LexicalCache::n_postings() {
  MutexLock lock(mutex_);
  return n_postings_;
}

}  // namespace mneme::storage
