// Between what models that reason put their thoughts before they answer: DeepSeek-R1, Qwen3 and SmolLM3 `<think>`,
// EXAONE Deep `<thought>`, Magistral `[THINK]`, Seed-OSS `<seed:think>`, Gemma 4 a channel.
#pragma once

#include <array>
#include <string_view>

namespace mneme::engine {

struct ThoughtMarkers {
  std::string_view open;
  std::string_view close;
};
inline constexpr std::array<ThoughtMarkers, 5> kThoughtMarkers = {{{"<think>", "</think>"},
                                                                   {"<thought>", "</thought>"},
                                                                   {"[THINK]", "[/THINK]"},
                                                                   {"<seed:think>", "</seed:think>"},
                                                                   {"<|channel>thought", "<channel|>"}}};

// Whether a model thinks before it answers, as far as its chat template tells.
enum class Thinking {
  kUnlikely,  // the template knows of no thoughts, or has closed an empty one where the answer begins
  kLikely,    // it knows of them
  kBegun,     // it has opened one where the answer begins
};

}  // namespace mneme::engine
