// Windows of a perplexity measurement as the JSON that --results keeps, and back. Numbers come back as they went, so
// that a measurement that was stopped and gone on with gives what one in a piece gives. Threads: pure functions.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "app/eval/level_perplexity.h"
#include "app/eval/retrieval_perplexity.h"

namespace mneme::app {

// A window without codecs or lanes.
struct PlainWindow {
  int64_t tokens = 0;
  double nll = 0;
};

nlohmann::json window_json(const PlainWindow& window);
nlohmann::json window_json(const LevelWindow& window);
nlohmann::json window_json(const RetrievalWindow& window);

// Nothing where the record is not one of a window of so many codecs or lanes.
std::optional<PlainWindow> plain_window(const nlohmann::json& record);
std::optional<LevelWindow> level_window(const nlohmann::json& record, size_t n_codecs);
std::optional<RetrievalWindow> retrieval_window(const nlohmann::json& record, size_t n_lanes);

}  // namespace mneme::app
