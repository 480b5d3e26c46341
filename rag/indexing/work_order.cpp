#include "rag/indexing/work_order.h"

#include <algorithm>
#include <set>

#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

// How many of the stems occur in a path.
size_t stems_in(const std::string& path, const std::set<std::string_view>& stems) {
  std::set<std::string_view> found;
  WordScanner scanner(path);
  Word word;
  while (scanner.next(word)) {
    if (const auto at = stems.find(stem_of(word.text)); at != stems.end()) found.insert(*at);
  }
  return found.size();
}

}  // namespace

WorkOrder::WorkOrder(std::span<const PlannedFile> work) : work_(work), taken_(work.size()) {}

std::optional<size_t> WorkOrder::next() {
  MutexLock lock(mutex_);
  while (!preferred_.empty()) {
    const size_t item = preferred_.front();
    preferred_.pop_front();
    if (taken_[item]) continue;
    taken_[item] = true;
    return item;
  }
  while (in_order_ < work_.size() && taken_[in_order_]) ++in_order_;
  if (in_order_ < work_.size()) {
    taken_[in_order_] = true;
    return in_order_++;
  }
  if (put_back_.empty()) return std::nullopt;
  const size_t item = put_back_.front();
  put_back_.pop_front();
  return item;
}

void WorkOrder::put_back(size_t item) {
  MutexLock lock(mutex_);
  put_back_.push_back(item);
}

size_t WorkOrder::prefer(std::span<const std::string> stems) {
  const std::set<std::string_view> wanted(stems.begin(), stems.end());
  if (wanted.empty()) return 0;
  MutexLock lock(mutex_);
  std::vector<std::pair<size_t, size_t>> matches;  // stems found, item
  for (size_t item = in_order_; item < work_.size(); ++item) {
    if (taken_[item]) continue;
    const size_t found = stems_in(work_[item].file.path, wanted);
    if (2 * found >= wanted.size()) matches.emplace_back(found, item);
  }
  std::stable_sort(matches.begin(), matches.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  // The newest question comes before older ones.
  for (auto at = matches.rbegin(); at != matches.rend(); ++at) preferred_.push_front(at->second);
  return matches.size();
}

}  // namespace mneme::rag
