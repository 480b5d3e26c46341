// JSON that the catalogue holds and that is written again: details of answers, settings of chats. Threads: a pure
// function.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

namespace mneme::rag {

inline constexpr int kDeepestSavedJson = 64;  // levels; nothing of ours has a tenth of them

// Discarded (is_discarded()) where the text is no JSON. What lies deeper than kDeepestSavedJson levels is left out:
// parsing needs no stack, copying and writing again need one as deep as the value, which a catalogue made by hand
// could make deeper than any.
nlohmann::json parse_saved_json(std::string_view text);

}  // namespace mneme::rag
