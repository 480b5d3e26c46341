// "Which is the cheapest?": questions for the one of several that has most or least of something. Threads: pure
// functions.
#pragma once

#include <cstdint>
#include <string_view>

namespace mneme::rag {

// "cheapest", "longest": says by itself neither what is asked for nor of what.
bool is_superlative(std::string_view folded);

// Which price is asked for among several. English, German, French, Spanish, Italian.
enum class PriceWanted : uint8_t { kAny, kLowest, kHighest };
PriceWanted price_wanted(std::string_view question);

}  // namespace mneme::rag
