#include "rag/indexing/file_walker.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <set>

#include "rag/indexing/ignore_rules.h"
#include "rag/readers/reader.h"
#include "storage/env/file_env.h"

namespace mneme::rag {

namespace {

constexpr uint64_t kIgnoreFileLimit = 1 << 20;
constexpr int kMaxDepth = 200;  // deeper than any folder people make, and shallow enough for the stack

// The rules in force: those of a folder on top of those of the folders above it.
struct RuleScope {
  const RuleScope* above = nullptr;
  std::string folder;  // with a trailing slash
  IgnoreRules rules;
};

bool ignored(const RuleScope* scope, const std::string& path, bool is_folder) {
  for (; scope != nullptr; scope = scope->above) {
    const IgnoreRules::Verdict verdict =
        scope->rules.match(std::string_view(path).substr(scope->folder.size()), is_folder);
    if (verdict != IgnoreRules::Verdict::kNone) return verdict == IgnoreRules::Verdict::kIgnore;
  }
  return false;
}

int64_t mtime_of(const struct stat& s) {
  return int64_t{s.st_mtim.tv_sec} * 1'000'000'000 + s.st_mtim.tv_nsec;
}

class Walker {
 public:
  Walker(const WalkOptions& options, const std::function<void(uint64_t)>& progress, const CancelToken& cancel)
      : options_(options), progress_(progress), cancel_(cancel) {}

  // A path the user named is taken whatever it is called.
  Status root(const std::string& path) {
    result_.roots.push_back(path);
    struct stat s;
    if (::stat(path.c_str(), &s) != 0) return errno_error("index", path, errno);
    if (S_ISDIR(s.st_mode)) {
      folder(path, s, nullptr, 0);
    } else {
      file(path, s);
    }
    return cancel_.cancelled() ? cancelled() : Status{};
  }

  WalkResult take() {
    auto& files = result_.files;
    std::sort(files.begin(), files.end(), [](const FoundFile& a, const FoundFile& b) { return a.path < b.path; });
    files.erase(std::unique(files.begin(), files.end(),
                            [](const FoundFile& a, const FoundFile& b) { return a.path == b.path; }),
                files.end());
    return std::move(result_);
  }

 private:
  void problem(const std::string& path, Status status, bool hides_folder) {
    result_.problems.push_back({path, status.message(), hides_folder});
  }

  void file(const std::string& path, const struct stat& s) {
    if (!S_ISREG(s.st_mode) || !readers::worth_opening(path)) {
      ++result_.skipped;
      return;
    }
    result_.files.push_back({path, static_cast<uint64_t>(s.st_size), mtime_of(s)});
    if (progress_ && result_.files.size() % 256 == 0) progress_(result_.files.size());
  }

  void folder(const std::string& path, const struct stat& s, const RuleScope* rules, int depth) {
    const std::pair<uint64_t, uint64_t> identity(s.st_dev, s.st_ino);
    if (!visited_.insert(identity).second) return;  // reached before by another way
    if (depth > kMaxDepth) {
      problem(path, resource_error("the folder " + path + " is nested too deeply; index it by its own name"), true);
      return;
    }
    std::vector<std::string> names;
    if (!list(path, names)) return;
    const std::string prefix = path == "/" ? path : path + "/";
    RuleScope scope{rules, prefix, {}};
    if (options_.use_ignore_files) {
      for (const char* name : {".gitignore", ".mnemeignore"}) {
        if (!std::binary_search(names.begin(), names.end(), name)) continue;
        const auto bytes = storage::read_whole(storage::FileEnv::posix(), prefix + name, kIgnoreFileLimit);
        if (bytes.ok()) scope.rules.add(as_text(*bytes));
      }
    }
    const RuleScope* inner = scope.rules.empty() ? rules : &scope;
    for (const std::string& name : names) {
      if (cancel_.cancelled()) return;
      entry(prefix + name, name, inner, depth);
    }
  }

  bool list(const std::string& path, std::vector<std::string>& names) {
    const std::unique_ptr<DIR, int (*)(DIR*)> directory(::opendir(path.c_str()), ::closedir);
    if (directory == nullptr) {
      problem(path, errno_error("list the folder", path, errno), true);
      return false;
    }
    for (;;) {
      errno = 0;
      const dirent* entry = ::readdir(directory.get());
      if (entry == nullptr) break;
      const std::string_view name = entry->d_name;
      if (name != "." && name != "..") names.emplace_back(name);
    }
    if (errno != 0) problem(path, errno_error("list all of the folder", path, errno), true);
    std::sort(names.begin(), names.end());
    return true;
  }

  void entry(const std::string& path, const std::string& name, const RuleScope* rules, int depth) {
    if (name.front() == '.' && !options_.include_hidden) {
      ++result_.skipped;
      return;
    }
    struct stat s;
    if (::lstat(path.c_str(), &s) != 0) {
      if (errno != ENOENT) problem(path, errno_error("look at", path, errno), true);
      return;  // vanished since it was listed: as good as deleted
    }
    const bool is_link = S_ISLNK(s.st_mode);
    if (is_link && ::stat(path.c_str(), &s) != 0) {
      if (ignored(rules, path, false)) {
        ++result_.skipped;
      } else {
        problem(path, errno_error("the link leads nowhere:", path, errno), false);
      }
      return;
    }
    const bool is_folder = S_ISDIR(s.st_mode);
    if (ignored(rules, path, is_folder)) {
      ++result_.skipped;
      return;
    }
    if (is_folder) {
      if (is_link && leads_back(path)) {
        problem(path, Status(StatusCode::kIo, "the link " + path + " leads back to a folder above it; not followed"),
                false);
        return;
      }
      folder(path, s, rules, depth + 1);
    } else if (is_link && !linked_files_.insert({s.st_dev, s.st_ino}).second) {
      ++result_.skipped;  // a second link to the same file
    } else {
      file(path, s);
    }
  }

  static bool leads_back(const std::string& path) {
    const std::unique_ptr<char, void (*)(void*)> real(::realpath(path.c_str(), nullptr), std::free);
    const std::string parent = path.substr(0, path.rfind('/'));
    const std::unique_ptr<char, void (*)(void*)> real_parent(::realpath(parent.c_str(), nullptr), std::free);
    if (real == nullptr || real_parent == nullptr) return false;
    const std::string target = std::string(real.get()) + "/";
    return (std::string(real_parent.get()) + "/").starts_with(target);
  }

  const WalkOptions& options_;
  const std::function<void(uint64_t)>& progress_;
  const CancelToken& cancel_;
  WalkResult result_;
  std::set<std::pair<uint64_t, uint64_t>> visited_;       // folders
  std::set<std::pair<uint64_t, uint64_t>> linked_files_;  // files reached through links
};

}  // namespace

std::string absolute_path(const std::string& path) {
  std::error_code error;
  std::string absolute = std::filesystem::absolute(path, error).lexically_normal().string();
  if (error) absolute = path;
  while (absolute.size() > 1 && absolute.back() == '/') absolute.pop_back();
  return absolute;
}

Result<WalkResult> walk_files(const std::vector<std::string>& paths, const WalkOptions& options,
                              const std::function<void(uint64_t n_files)>& progress, const CancelToken& cancel) {
  Walker walker(options, progress, cancel);
  for (const std::string& path : paths) MNEME_RETURN_IF_ERROR(walker.root(absolute_path(path)));
  return walker.take();
}

}  // namespace mneme::rag
