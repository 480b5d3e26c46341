// Documents of one title are told apart by where they lie: "house/notes.md" and "firm/notes.md".
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace mneme::ui {

struct NamedDocument {
  std::string_view title;  // as shown
  std::string_view path;
};

// For each document the last names of its path that no other of its title ends in: at least folder and file, six at
// most. Empty where the title alone tells it. One document may be there several times. Parts of the paths given.
std::vector<std::string_view> telling_paths(std::span<const NamedDocument> documents);

}  // namespace mneme::ui
