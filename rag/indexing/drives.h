// Drives that come and go. A folder on a drive that is not mounted now is empty, or not there, and yet nothing in it
// was deleted; nor was what lies on a drive in whose place another one is mounted now. Their documents are kept until
// the drive is back, or forgotten by the user's word. Of each mount point that indexed folders touch the catalogue
// keeps hashes of the place and of the drives that were there, and since when; no path. Threads: reentrant. Ownership:
// borrows its arguments.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "storage/catalogue/catalogue.h"

namespace mneme::rag {

struct DriveAt {
  std::string point;
  std::string drive;  // drive_of(); empty: not known
};

struct AbsentDrive {
  std::string folder;
  bool is_replaced = false;  // another drive is mounted there
};

// What is mounted where one of the roots lies, or below one. Nothing where the system does not tell.
std::vector<DriveAt> drives_now(const std::vector<std::string>& roots);

// Remembers those of `here` that one of the roots lies on, or that lie below one. A drive with a name that is not known
// is the one most of whose files are there. Errors: those of the catalogue.
Status remember_drives(storage::Catalogue& catalogue, const std::vector<DriveAt>& here,
                       const std::vector<std::string>& roots);

// Forgets those that no document or root is on once what lies at or below `path` is forgotten: what the catalogue keeps
// of them serves nothing any more. Errors: those of the catalogue.
Status forget_drives(storage::Catalogue& catalogue, const std::string& path, storage::Catalogue::Members members);

// Takes the documents out of `missing` that lie where a drive was mounted once, is not now, and its files are not in
// the folder itself (it holds nothing, or most of what was indexed there is missing), and those that were indexed from
// another drive than the one that is mounted there. Gives these places. Call remember_drives() before. Errors: those of
// the catalogue.
Result<std::vector<AbsentDrive>> take_out_absent_drives(storage::Catalogue& catalogue, const std::vector<DriveAt>& here,
                                                        std::vector<storage::DocumentState>& missing);

}  // namespace mneme::rag
