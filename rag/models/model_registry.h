// How a file becomes a registered model, for `mneme model add` and the window alike. Threads: pure functions.
#pragma once

#include <string>
#include <vector>

#include "rag/models/model_facts.h"
#include "storage/catalogue/records.h"

namespace mneme::rag {

// The file under `name`, or where that is empty under its own. One that is registered under the name of a default again
// (its file was moved, or replaced) stays the default: what answers is chosen, not lost on the way.
storage::ModelRecord model_record(const ModelFacts& facts, const std::string& path, const std::string& name,
                                  const std::vector<storage::ModelRecord>& known);

}  // namespace mneme::rag
