// File systems in which the kernel shows its own state (/proc, /sys): millions of files that are gone a moment later,
// some of which wait for ever or tell a program's secrets, and none of them a document. A folder that leads there, as
// "/" does, is indexed without them.
// Threads: const after construction.
#pragma once

#include <sys/stat.h>

#include <set>
#include <string_view>

namespace mneme::rag {

class KernelFolders {
 public:
  KernelFolders();                                     // of this system, as they are mounted now
  explicit KernelFolders(std::string_view mountinfo);  // a text in the form of /proc/self/mountinfo
  bool hold(const struct stat& file) const { return devices_.contains(file.st_dev); }

 private:
  std::set<dev_t> devices_;
};

}  // namespace mneme::rag
