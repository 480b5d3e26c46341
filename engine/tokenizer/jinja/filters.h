// Jinja's filters (value | name) and tests (value is name). Throw Error for names they do not know.
#pragma once

#include <string_view>

#include "engine/tokenizer/jinja/evaluator.h"

namespace mneme::engine::jinja {

Value apply_filter(Evaluator& evaluator, std::string_view name, const Value& input, const Arguments& arguments);
bool apply_test(std::string_view name, const Value& input, const Arguments& arguments);

}  // namespace mneme::engine::jinja
