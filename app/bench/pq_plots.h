// The plots of `bench pq`: time per token and time to the second token against the context's length, every method and
// budget beside full attention. Threads: pure function.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace mneme::app {

struct PqPlots {
  std::string per_token;     // SVG
  std::string second_token;  // SVG
};

// results: the `results` array of bench pq.
PqPlots pq_plots(const nlohmann::json& results);

}  // namespace mneme::app
