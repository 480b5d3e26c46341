// The files of a collection that could not be indexed, to be tried again. Threads: any.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "storage/catalogue/catalogue.h"

namespace mneme::rag {

// Files that failed and are still there, each once; a member of a container (an archive, a mailbox) stands for its
// container. kNotFound without such a collection.
Result<std::vector<std::string>> failed_paths(storage::Catalogue& catalogue, const std::string& collection);

// The file on the disk that a document's path lies in: the path itself, or the container of a member. A folder whose
// name ends in "!" is none.
std::string file_of_document(const std::string& path);

// Whether documents that begin with the path and "!/" are members of it: they are the files of a folder where there is
// one of that name.
storage::Catalogue::Members members_of(const std::string& path);

}  // namespace mneme::rag
