// What a question is about, in its own words: "the rent of the flat" of "When is the rent of the flat due?", what a
// follow-up may lean on. Rules of form, for scripts with spaces (others: wide_follow_ups.h). Threads: pure functions.
#pragma once

#include <string_view>

namespace mneme::rag {

struct AskedTopic {
  std::string_view text{};  // of the question; "" where it is about nothing that it names
  bool is_thing = false;    // a thing ("the rent"), not what is done with it ("fly to Lisbon")
};

// `question` as a sentence that stands alone. What stands in brackets at its end is what it is about
// ("Whom do I pay? (the rent)").
AskedTopic topic_of(std::string_view question);

}  // namespace mneme::rag
