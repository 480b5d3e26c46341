// What a measurement of perplexity found, as the JSON of the interface contract and as text for people.
// Threads: pure functions.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "app/eval/kv_codec_set.h"
#include "app/eval/level_perplexity.h"
#include "app/eval/retrieval_perplexity.h"

namespace mneme::app {

// Behind coded KV, codec by codec. `perplexity` is that of the codec if there is one, else the uncompressed one.
nlohmann::json level_report(const LevelPerplexity& measured, const std::vector<KvCodecChoice>& choices, int window);
std::string level_report_text(const nlohmann::json& report, const std::vector<KvCodecChoice>& choices);

// Under retrieval, lane by lane; of windows that scored at least one token, and at least one lane.
nlohmann::json retrieval_report(std::span<const RetrievalWindow> windows, std::span<const PerplexityLane> lanes,
                                int window);
std::string retrieval_report_text(const nlohmann::json& report);

}  // namespace mneme::app
