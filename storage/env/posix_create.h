// New files and folders, for their owner alone (0600, 0700). What root makes in a folder of somebody else belongs to
// that one: a home that was once used with the rights of root (sudo, a container) stays its owner's, who could not even
// erase what is not theirs. Threads: reentrant.
#pragma once

#include <string>

#include "base/file_descriptor.h"

namespace mneme::storage {

// ::open() with O_CREAT and O_CLOEXEC; not open: errno says why.
FileDescriptor open_or_create(const std::string& path, int flags);

// ::mkdir(); 0, or the errno.
int make_folder(const std::string& path);

}  // namespace mneme::storage
