// A question that leans on a topic, with the topic said in it: "When is it due?" becomes "When is the rent due?", and
// where no word stands for it "Whom do I pay? (the rent)". Threads: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "rag/follow_ups/asked_topic.h"

namespace mneme::rag {

// `question` where it names the topic itself.
std::string with_topic_named(std::string_view question, const AskedTopic& topic);

}  // namespace mneme::rag
