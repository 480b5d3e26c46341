// Drives that come and go. A folder on a drive that is not mounted now is empty, or not there, and yet nothing in it
// was deleted: its documents are kept until it is mounted again, or forgotten by the user's word. Of each mount point
// that indexed folders touch the catalogue keeps a hash, no path. Threads: reentrant. Ownership: borrows its arguments.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "storage/catalogue/catalogue.h"

namespace mneme::rag {

// /proc/self/mountinfo as it is now; empty where it cannot be read.
std::string read_mountinfo();
// The mount points of a text in the form of /proc/self/mountinfo (proc_pid_mountinfo(5)); "/" is left out.
std::vector<std::string> parse_mount_points(std::string_view mountinfo);

// Those of this process. Nothing where the system does not tell.
std::vector<std::string> mount_points();

// Remembers those of `mounted` that one of the roots lies on, or that lie below one. Errors: those of the catalogue.
Status remember_drives(storage::Catalogue& catalogue, const std::vector<std::string>& mounted,
                       const std::vector<std::string>& roots);

// Forgets those that no document or root is on once what lies at or below `path` is forgotten: what the catalogue keeps
// of them serves nothing any more. Errors: those of the catalogue.
Status forget_drives(storage::Catalogue& catalogue, const std::string& path, storage::Catalogue::Members members);

// Takes the documents out of `missing` that lie where a drive was mounted once, is not now, and its files are not in
// the folder itself: it holds nothing, or most of what was indexed there is missing. Gives the folders of these drives.
// Errors: those of the catalogue.
Result<std::vector<std::string>> take_out_absent_drives(storage::Catalogue& catalogue,
                                                        const std::vector<std::string>& mounted,
                                                        std::vector<storage::DocumentState>& missing);

}  // namespace mneme::rag
