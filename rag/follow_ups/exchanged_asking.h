// "How often?" after "How do I descale the kettle?": the same question with other words that ask. Rules of form, for
// scripts with spaces. Threads: pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace mneme::rag {

// The question before, asked by the words of `follow_up`, which is nothing but such words. Nothing where the sentence
// would not bear them ("Until when?" after "How many days do I get?").
std::optional<std::string> with_asking_exchanged(std::string_view before, std::string_view follow_up);

}  // namespace mneme::rag
