#include "app/eval/shared_corpus.h"

#include <nlohmann/json.hpp>
#include <utility>

namespace mneme::app {

using nlohmann::json;

int SharedCorpus::place_of(EvalContext document) {
  const auto [known, added] = known_.try_emplace(document.text, static_cast<int>(documents_.size()));
  if (added) documents_.push_back(std::move(document));
  return known->second;
}

void SharedCorpus::add(EvalSet set, EvalCorpus corpus) {
  std::vector<int> places;
  places.reserve(corpus.documents.size());
  for (EvalContext& document : corpus.documents) places.push_back(place_of(std::move(document)));
  for (std::vector<int>& relevant : corpus.relevant) {
    for (int& document : relevant) document = places[static_cast<size_t>(document)];
  }
  asked_.push_back({std::move(set), std::move(corpus.relevant)});
}

void SharedCorpus::add(std::vector<EvalContext> passages) {
  for (EvalContext& passage : passages) place_of(std::move(passage));
}

Result<std::vector<EvalContext>> parse_passages(std::string_view bytes, const std::string& name) {
  const json root = json::parse(bytes, nullptr, false);
  if (!root.is_array()) return not_found(name + " is no list of passages.");
  std::vector<EvalContext> passages;
  for (const json& element : root) {
    const auto field = [&](const char* key) {
      return element.is_object() && element.contains(key) && element[key].is_string() ? element[key].get<std::string>()
                                                                                      : std::string();
    };
    passages.push_back({field("title"), field("text")});
    if (passages.back().text.empty()) {
      return corruption(name + ", passage " + std::to_string(passages.size()) +
                        ": no `text`; a list of passages holds objects with `title` and `text`.");
    }
  }
  return passages;
}

}  // namespace mneme::app
