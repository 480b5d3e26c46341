#include "storage/catalogue/lexical_cache.h"

#include <iterator>
#include <utility>

namespace mneme::storage {
namespace {

constexpr size_t kMostTerms = 100'000;

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
  held_.clear();
  counted_.clear();
  n_postings_ = 0;
  lengths_complete_ = false;
  average_length_ = 0.0;
  n_chunks_.reset();
}

std::optional<LexicalCache::Term> LexicalCache::term(const CatalogueState& state, const std::string& name) {
  MutexLock lock(mutex_);
  be_at(state);
  const auto at = by_name_.find(name);
  if (at == by_name_.end()) return std::nullopt;
  std::list<Entry>& of = at->second->term.postings == nullptr ? counted_ : held_;
  of.splice(of.begin(), of, at->second);
  return at->second->term;
}

void LexicalCache::keep_term(const CatalogueState& state, const std::string& name, Term term) {
  MutexLock lock(mutex_);
  be_at(state);
  auto at = by_name_.find(name);
  if (at == by_name_.end()) {
    counted_.push_front({name, {}});
    at = by_name_.emplace(counted_.front().name, counted_.begin()).first;
  }
  std::list<Entry>& from = at->second->term.postings == nullptr ? counted_ : held_;
  std::list<Entry>& to = term.postings == nullptr ? counted_ : held_;
  to.splice(to.begin(), from, at->second);
  n_postings_ -= n_postings_of(at->second->term);
  at->second->term = std::move(term);
  n_postings_ += n_postings_of(at->second->term);
  drop_beyond_budget();
}

// Of what is asked for least, the postings go first: the number of them is small and spares reading them to count.
void LexicalCache::drop_beyond_budget() {
  while (n_postings_ > most_postings_ && !held_.empty()) {
    n_postings_ -= n_postings_of(held_.back().term);
    held_.back().term.postings = nullptr;
    counted_.splice(counted_.begin(), held_, std::prev(held_.end()));
  }
  while (by_name_.size() > kMostTerms) {
    std::list<Entry>& from = counted_.empty() ? held_ : counted_;
    if (from.empty()) break;
    n_postings_ -= n_postings_of(from.back().term);
    by_name_.erase(from.back().name);
    from.pop_back();
  }
}

LexicalCache::Lengths LexicalCache::lengths(const CatalogueState& state) {
  MutexLock lock(mutex_);
  be_at(state);
  return {lengths_, lengths_complete_};
}

void LexicalCache::keep_lengths(const CatalogueState& state, std::shared_ptr<const ChunkLengths> lengths) {
  MutexLock lock(mutex_);
  be_at(state);
  lengths_ = std::move(lengths);
  lengths_complete_ = true;
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
