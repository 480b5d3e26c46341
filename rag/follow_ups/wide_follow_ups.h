// Follow-up questions in scripts without spaces: "敷金は？" after "家賃はいくらですか？", "那押金呢？" after
// "房租多少钱？". Rules of form for Chinese and Japanese. Threads: pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace mneme::rag {

bool is_wide(std::string_view text);

// Whether a question points back or names nothing ("什么时候付？").
bool is_wide_follow_up(std::string_view question);

// What a question is about: 家賃 of "家賃はいくらですか？"; "" where it names nothing.
std::string_view wide_topic_of(std::string_view question);

// The question before with the thing exchanged that a follow-up names and nothing else.
std::optional<std::string> with_wide_thing_exchanged(std::string_view before, std::string_view follow_up);

// The question with its topic named: in place of what points back, else before it ("房租：什么时候付？").
std::string with_wide_topic_named(std::string_view question, std::string_view topic);

}  // namespace mneme::rag
