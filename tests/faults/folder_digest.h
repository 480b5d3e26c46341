// One number for all that a folder holds, to see that two homes are the same. Threads: none may write there.
#pragma once

#include <string>

#include "base/hash.h"

namespace mneme::faults {

// Of names, kinds, permissions and bytes of everything below `folder`; without locks and SQLite's shared memory, which
// hold nothing when no process has the home open. Fails the test when something cannot be read.
Hash128 digest_of(const std::string& folder);

}  // namespace mneme::faults
