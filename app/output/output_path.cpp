#include "app/output/output_path.h"

#include <fcntl.h>

#include <cerrno>
#include <filesystem>
#include <memory>
#include <system_error>

#include "base/bytes.h"
#include "base/file_descriptor.h"
#include "storage/env/file_env.h"

namespace mneme::app {

Status check_output_path(std::string_view option, const std::string& path) {
  if (path.empty()) return {};
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    return usage_error(std::string(option) + " writes a file, and " + path + " is a folder; name a file.");
  }
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  if (folder.empty() || std::filesystem::is_directory(folder, error)) return {};
  return usage_error(std::string(option) + " cannot write " + path + ": there is no folder " + folder.string() +
                     "; make it, or name another place.");
}

Status write_output_file(const std::string& path, std::string_view content) {
  storage::FileEnv& env = storage::FileEnv::posix();
  const Result<storage::FileStat> there = env.stat(path);
  if (!there.ok() || there->kind == storage::FileKind::kFile) {
    return storage::write_atomically(env, path, as_bytes(content));
  }
  // Held until what follows has opened it too: to open a pipe waits for whoever reads it, and no signal ends that.
  const FileDescriptor reader_is_there(::open(path.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC));
  if (reader_is_there.get() < 0 && errno == ENXIO) {
    return io_error("cannot write to the pipe " + path + ": nobody reads it; start the reader first, or name a file");
  }
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<storage::WritableFile> file, env.create(path));
  MNEME_RETURN_IF_ERROR(file->append(as_bytes(content)));
  return file->close();
}

}  // namespace mneme::app
