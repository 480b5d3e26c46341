#include "ui/view_model/telling_apart.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <unordered_map>

namespace mneme::ui {
namespace {

constexpr int kFewestNames = 2;
constexpr int kMostNames = 6;

// The last `n` names of a path.
std::string_view last_names(std::string_view path, int n) {
  size_t begin = path.size();
  for (int i = 0; i < n && begin != 0; ++i) {
    const size_t slash = path.rfind('/', begin - 1);
    if (slash == path.npos) return path;
    begin = slash;
  }
  return path.substr(std::min(begin + 1, path.size()));
}

// Documents of one title, of which some have one path: `shown` of each.
class SameTitle {
 public:
  SameTitle(std::span<const NamedDocument> documents, std::vector<std::string_view>& shown)
      : documents_(documents), shown_(shown) {}

  void tell_apart(std::span<const uint32_t> group) {
    if (documents_[group.front()].path == documents_[group.back()].path) return;
    std::vector<uint32_t> left(group.begin(), group.end());
    // A thousand of one name in one pass for each number of names: what is told apart by few needs no more.
    for (int n = kFewestNames; n <= kMostNames && !left.empty(); ++n) {
      holders_.clear();
      for (const uint32_t i : left) hold(i, n);
      std::erase_if(left, [&](uint32_t i) { return n < kMostNames && holders_.at(shown_[i]).paths == 1; });
    }
  }

 private:
  struct Holder {
    std::string_view path;
    int paths = 0;  // 1, or more
  };

  void hold(uint32_t i, int n) {
    const std::string_view path = documents_[i].path;
    shown_[i] = last_names(path, n);
    Holder& holder = holders_[shown_[i]];
    if (holder.paths > 0 && holder.path == path) return;
    holder.path = path;
    ++holder.paths;
  }

  std::span<const NamedDocument> documents_;
  std::vector<std::string_view>& shown_;
  std::unordered_map<std::string_view, Holder> holders_;
};

}  // namespace

std::vector<std::string_view> telling_paths(std::span<const NamedDocument> documents) {
  std::vector<std::string_view> shown(documents.size());
  // Those of one title side by side, and of these those of one path: by numbers, since titles are long and many.
  std::vector<size_t> titles(documents.size());
  std::vector<uint32_t> order(documents.size());
  std::iota(order.begin(), order.end(), 0U);
  std::transform(documents.begin(), documents.end(), titles.begin(),
                 [](const NamedDocument& d) { return std::hash<std::string_view>()(d.title); });
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    if (titles[a] != titles[b]) return titles[a] < titles[b];
    const int by_title = documents[a].title.compare(documents[b].title);
    return by_title != 0 ? by_title < 0 : documents[a].path < documents[b].path;
  });
  SameTitle same_title(documents, shown);
  for (auto begin = order.begin(); begin != order.end();) {
    const auto end =
        std::find_if(begin, order.end(), [&](uint32_t i) { return documents[i].title != documents[*begin].title; });
    same_title.tell_apart({begin, end});
    begin = end;
  }
  return shown;
}

}  // namespace mneme::ui
