// What an evaluation of answers found, as the JSON of the interface contract, as text for people, and as the plot of
// quality against the share that is recomputed. Threads: pure functions.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "app/eval/eval_answers.h"

namespace mneme::app {

// `samples`: the answers of so many first questions, every lane's side by side.
nlohmann::json answer_report(const EvalSet& set, const std::vector<EvalLane>& lanes, const EvalAnswerResult& result,
                             int samples);

std::string answer_report_text(const nlohmann::json& report);

// F1 against recompute ratio: one line per selector among the blending lanes, full and reuse to compare with.
std::string quality_curve_svg(const std::string& set_name, const std::vector<EvalLane>& lanes,
                              const EvalAnswerResult& result);

}  // namespace mneme::app
