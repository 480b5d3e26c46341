// Folders that a collection was made from and that are there no more: moved, renamed or deleted. What they held is kept
// until it is found elsewhere, or forgotten by the user's word.
// Threads: reentrant. Ownership: borrows its arguments.
#pragma once

#include <chrono>
#include <set>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "base/status.h"
#include "storage/catalogue/records.h"

namespace mneme::storage {
class Catalogue;
}

namespace mneme::rag {

// The remembered roots of a collection that do not exist. One that cannot be looked at, because it may not be read or
// its disk does not answer within `patience`, counts as there. Errors: those of the catalogue; kCancelled.
Result<std::vector<std::string>> gone_roots(storage::Catalogue& catalogue, storage::CollectionId collection,
                                            std::chrono::milliseconds patience, const CancelToken& cancel);

// What the paths of a root's documents begin with: the root, and where it is or was a container, its members' mark. Not
// where that is the name of another folder ("Archive" and "Archive!" side by side).
std::vector<std::string> places_of_root(const std::string& root, std::chrono::milliseconds patience,
                                        const CancelToken& cancel);

// The documents that came from such roots, but those whose ids are in `known`.
Result<std::vector<storage::DocumentState>> documents_of_gone_roots(storage::Catalogue& catalogue,
                                                                    storage::CollectionId collection,
                                                                    const std::set<int64_t>& known,
                                                                    std::chrono::milliseconds patience,
                                                                    const CancelToken& cancel);

}  // namespace mneme::rag
