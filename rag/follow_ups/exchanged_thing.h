// "And the deposit?" after "How much is the rent?": the same question of another thing. Rules of form, for
// scripts with spaces (others: wide_follow_ups.h). Threads: pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace mneme::rag {

// The question before with the thing in it that `follow_up` names another in place of. Nothing where the follow-up
// names no thing ("and in winter?", "and who pays?") or the question before does not show which of its words to
// exchange.
std::optional<std::string> with_thing_exchanged(std::string_view before, std::string_view follow_up);

}  // namespace mneme::rag
