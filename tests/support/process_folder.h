// A folder of this process alone, gone when it ends: tests of one name run at the same time in several programs (on the
// processor and on a pretended GPU), and in several checkouts.
#pragma once

#include <string>

namespace mneme::test {

// Without a slash at its end.
const std::string& process_folder();

}  // namespace mneme::test
