// What is mounted where, and on which drive. Threads: reentrant.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mneme::rag {

struct Mount {
  std::string point;
  std::string source;      // "/dev/sdb1", "host:/export", "tmpfs"
  std::string inner_root;  // which of the source's folders: "/", but for bind mounts and subvolumes
};

// /proc/self/mountinfo as it is now; empty where it cannot be read.
std::string read_mountinfo();
// The mounts of a text in the form of /proc/self/mountinfo (proc_pid_mountinfo(5)); "/" is left out. Of several at one
// point the one that is seen there, the last.
std::vector<Mount> parse_mounts(std::string_view mountinfo);

// A hash of what tells the drive from others that may be mounted at the same point: its file system's UUID, else what
// the system calls it. The same drive may get another one (it was formatted anew, or has no UUID and another name than
// last time); two drives do not share one but by a copy of all their bytes.
std::string drive_of(const Mount& mount);

}  // namespace mneme::rag
