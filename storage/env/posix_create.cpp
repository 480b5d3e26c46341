#include "storage/env/posix_create.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "storage/env/posix_sync.h"

namespace mneme::storage {
namespace {

// A folder that is not root's, and a name in it. Whoever may write to the folder may put a link in the place of any
// name, so what is given away is made, and owned, by descriptors alone.
struct Place {
  FileDescriptor folder{};
  std::string name{};
  uid_t user = 0;
  gid_t group = 0;
};

// Where this program has the rights of root and the folder is another's; its folder is not open otherwise.
Place place_of_another(const std::string& path) {
  Place place;
  if (::geteuid() != 0) return place;
  const size_t slash = path.rfind('/');
  place.name = path.substr(slash == std::string::npos ? 0 : slash + 1);
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  FileDescriptor opened(retry_interrupted([&] { return ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); }));
  struct ::stat info{};
  if (!opened.is_open() || ::fstat(opened.get(), &info) != 0 || info.st_uid == 0) return place;
  place.user = info.st_uid;
  place.group = info.st_gid;
  place.folder = std::move(opened);
  return place;
}

// A file system without owners refuses; what is there then is what that has.
void give_away(const FileDescriptor& made, const Place& place) {
  if (made.is_open() && ::fchown(made.get(), place.user, place.group) != 0) return;
}

}  // namespace

FileDescriptor open_or_create(const std::string& path, int flags) {
  if (const Place place = place_of_another(path); place.folder.is_open()) {
    FileDescriptor made(retry_interrupted(
        [&] { return ::openat(place.folder.get(), place.name.c_str(), flags | O_CREAT | O_EXCL | O_CLOEXEC, 0600); }));
    give_away(made, place);
    if (made.is_open() || errno != EEXIST) return made;
  }
  return FileDescriptor(retry_interrupted([&] { return ::open(path.c_str(), flags | O_CREAT | O_CLOEXEC, 0600); }));
}

int make_folder(const std::string& path) {
  const Place place = place_of_another(path);
  if (!place.folder.is_open()) return ::mkdir(path.c_str(), 0700) == 0 ? 0 : errno;
  if (::mkdirat(place.folder.get(), place.name.c_str(), 0700) != 0) return errno;
  give_away(
      FileDescriptor(::openat(place.folder.get(), place.name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)),
      place);
  return 0;
}

}  // namespace mneme::storage
