// Verbs with a particle behind them, as English has them, and the nouns that they make. Threads: pure function.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mneme::rag {

// "Breakdown" for "breaks" of "when the car breaks down": a verb (folded, as asked) and the noun that it makes with the
// particle behind it, or another word for both ("rises" of "goes up"). English.
struct JoinedVerb {
  std::string verb;
  std::string noun;
};
std::vector<JoinedVerb> joined_verbs(std::string_view text);

}  // namespace mneme::rag
