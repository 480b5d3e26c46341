#include "rag/text/variants/compounds.h"

#include <algorithm>
#include <iterator>

#include "rag/text/words/phrases.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

constexpr size_t kLeastHead = 4;   // letters, endings off: "tag" and the like end too many words
constexpr size_t kLeastFirst = 3;  // ... of what stands before it
constexpr size_t kLeastWhole = 5;  // ... of both, where the first alone says it: "schul" is no part of "schulden"

constexpr size_t kLeastOfCompound = 4;  // letters
constexpr size_t kCompoundEnding = 2;

// How many letters of a compound a word, or what it is derived from, begins with; 0: none.
size_t begun_by(std::string_view compound, std::string_view first) {
  constexpr std::string_view kEndings[] = {"ei", "in"};
  constexpr size_t kLeastRoot = 6;
  if (compound.starts_with(first)) return first.size();
  for (const std::string_view ending : kEndings) {
    if (!first.ends_with(ending) || first.size() < kLeastRoot + ending.size()) continue;
    const std::string_view root = first.substr(0, first.size() - ending.size());
    if (compound.starts_with(root)) return root.size();
  }
  return 0;
}

}  // namespace

bool is_kind_of(std::string_view compound, std::string_view word) {
  return word.size() >= kLeastHead && compound.size() >= word.size() + kLeastFirst && compound.ends_with(word);
}

std::string_view thing_of_duration(std::string_view compound) {
  for (const std::string_view duration : {"frist", "dauer"}) {
    if (!compound.ends_with(duration) || compound.size() < kLeastHead + duration.size()) continue;
    compound.remove_suffix(duration.size());
    if (compound.ends_with("ungs")) compound.remove_suffix(1);
    return compound;
  }
  return {};
}

bool is_compound_with(std::string_view compound, std::string_view word) {
  for (const std::string_view ending : {"en", "n", "e"}) {
    if (word.ends_with(ending)) {
      word.remove_suffix(ending.size());
      break;
    }
  }
  return word.size() >= kLeastWhole && compound.size() >= word.size() + kLeastWhole && compound.starts_with(word);
}

bool may_begin_compound(std::string_view compound, std::string_view first) {
  return first.size() >= kLeastOfCompound && begun_by(compound, first) > 0;
}

bool is_compound_of(std::string_view compound, std::string_view first, std::string_view second) {
  constexpr std::string_view kLinks[] = {"", "s", "n", "en", "es", "er"};  // "Geburtstag", "Sonnenschirm"
  if (second.size() < kLeastOfCompound || !may_begin_compound(compound, first)) return false;
  const std::string_view behind = compound.substr(begun_by(compound, first));
  return std::any_of(std::begin(kLinks), std::end(kLinks), [&](std::string_view link) {
    if (!behind.starts_with(link)) return false;
    const std::string_view rest = behind.substr(link.size());
    return rest.starts_with(second) && rest.size() - second.size() <= kCompoundEnding;  // "-kastens", "-kasten"
  });
}

}  // namespace mneme::rag
