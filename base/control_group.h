// The memory that a control group leaves the program: a container, a service or a session may have been given less than
// the machine has, and who takes more is killed. Both versions of cgroups. Threads: reentrant.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace mneme {

// Of the tightest group that the process is in, file cache that the kernel would drop counted as free; none where no
// group has a limit or the system does not tell.
//   root: what the system's /proc and /sys lie under.
std::optional<uint64_t> control_group_free_bytes(const std::string& root = "");

}  // namespace mneme
