// JSON as a tree, for formats that are written in it. Internal to rag/readers. Threads: pure functions.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/status.h"
#include "rag/readers/read_context.h"

namespace mneme::readers {

// Errors: kResource where it is nested too deep; kCorruption where it is no JSON.
Result<nlohmann::json> parse_json_tree(const ReadContext& context, std::string_view name, std::string_view text);

// A member of an object; null where there is none, or the value is no object.
const nlohmann::json& json_member(const nlohmann::json& object, const char* name);

// A string, or all strings of a list joined; of objects in a list what they call "text". "" for all else.
std::string json_words(const nlohmann::json& value);

}  // namespace mneme::readers
