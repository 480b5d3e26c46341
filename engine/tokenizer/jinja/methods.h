// Methods of texts, lists and mappings, and the global functions templates call.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/tokenizer/jinja/evaluator.h"

namespace mneme::engine::jinja {

// A function bound to the object; undefined when the object has no such method.
Value find_method(const Value& object, std::string_view name);

// namespace, dict, range, raise_exception. strftime_now is left undefined on purpose: prompts must not change with the
// date, and templates that may use it ask whether it is defined.
std::vector<std::pair<std::string, Function>> builtin_functions();

}  // namespace mneme::engine::jinja
