// How long passages are: kept with the home, so that the window, `--watch` and later runs cut files like the run that
// was told. Threads: as the catalogue's.
#pragma once

#include "base/status.h"

namespace mneme::storage {
class Catalogue;
}

namespace mneme::rag {

inline constexpr int kFewestPassageTokens = 64;
inline constexpr int kMostPassageTokens = 2048;

// As set, else 512.
Result<int> passage_tokens(storage::Catalogue& catalogue);

// For files that are read from now on; what is indexed stays as it is until it changes. kUsage outside of the limits.
Status set_passage_tokens(storage::Catalogue& catalogue, int tokens);

}  // namespace mneme::rag
