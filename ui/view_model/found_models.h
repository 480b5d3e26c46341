// Models of other programs, as the window shows them. Threads: any; looks through folders, so not the window's.
#pragma once

#include <vector>

#include "rag/models/found_models.h"
#include "ui/view_model/snapshot.h"

namespace mneme::ui {

// Those that can be used first, each group by program and name.
std::vector<FoundModelRow> find_models(const rag::Environment& environment);

}  // namespace mneme::ui
