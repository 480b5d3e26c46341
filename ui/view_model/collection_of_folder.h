// Which collection a folder goes into that was added without naming one. Threads: any.
#pragma once

#include <string>
#include <vector>

#include "ui/view_model/snapshot.h"

namespace mneme::ui {

// The one that has it, or a folder above it, already; else one named after it (of a file: after its folder), and
// "default" where that is no name.
std::string collection_of_folder(const std::string& path, const std::vector<CollectionRow>& collections);

}  // namespace mneme::ui
