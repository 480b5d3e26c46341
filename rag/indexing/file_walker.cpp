#include "rag/indexing/file_walker.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "base/file_time.h"
#include "rag/indexing/folder_changes.h"
#include "rag/indexing/folder_look.h"
#include "rag/indexing/ignore_rules.h"
#include "rag/indexing/kernel_folders.h"
#include "rag/indexing/own_places.h"
#include "rag/readers/picture/picture_names.h"
#include "rag/readers/reader.h"

namespace mneme::rag {

namespace {

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

class Walker {
 public:
  Walker(const WalkOptions& options, const std::function<void(uint64_t)>& progress, const CancelToken& cancel)
      : options_(options),
        own_(options.own != nullptr ? *options.own : kNoPlaces),
        progress_(progress),
        cancel_(cancel) {}

  // A path the user named is taken whatever it is called.
  Status root(const std::string& path) {
    result_.roots.push_back(path);
    return root_again(path);
  }

  Status root_again(const std::string& path) {
    const Result<std::vector<FolderEntry>> looked = look_at_all({path}, options_.patience, cancel_);
    if (!looked.ok()) return looked.status();
    const FolderEntry& found = looked->front();
    const int error = found.error != 0 ? found.error : found.link_error;
    if (error == ENOENT) return not_found("there is no file or folder " + path + "; check how its name is written");
    if (error != 0) return errno_error("index", path, error);
    if (kernel_.hold(found.info)) {
      problem(path, unsupported(path + " is no document but what the system shows of itself; it was left out."), false);
      return {};
    }
    if (S_ISDIR(found.info.st_mode)) {
      folder(path, found.info, nullptr, 0);
    } else if (!S_ISREG(found.info.st_mode)) {
      problem(path, unsupported(path + " is neither a file nor a folder; it was left out."), false);
    } else {
      file(path, found.info);
    }
    return cancel_.cancelled() ? cancelled() : Status{};
  }

  // Looks at one place below a folder the user named; false where only a whole walk tells.
  Result<bool> place(const std::string& root_path, const std::string& path) {
    MNEME_ASSIGN_OR_RETURN(std::optional<FolderEntry> found, look(root_path));
    if (!found) return true;  // does not answer: a problem by now
    if (found->error != 0 || found->link_error != 0 || kernel_.hold(found->info)) return false;
    if (!S_ISDIR(found->info.st_mode)) return false;
    std::string folder_path = root_path;
    const RuleScope* rules = nullptr;
    for (int depth = 0;; ++depth) {
      const size_t begin = folder_path == "/" ? 1 : folder_path.size() + 1;
      const std::string next = path.substr(0, path.find('/', begin));
      const Result<const RuleScope*> in_force = rules_of(folder_path, rules);
      if (in_force.status().code() == StatusCode::kCancelled) return in_force.status();
      if (!in_force.ok()) {
        problem(folder_path, in_force.status(), true);
        return true;
      }
      rules = *in_force;
      const std::string_view name = std::string_view(next).substr(begin);
      if ((name.starts_with('.') && !options_.include_hidden) || own_.own_file(found->info, name)) break;
      MNEME_ASSIGN_OR_RETURN(found, look(next));
      if (!found) return true;
      if (found->is_link) return false;
      if (next.size() == path.size()) {
        entry(*found, rules, depth);
        return true;
      }
      if (found->error != 0 && found->error != ENOENT) {
        problem(next, errno_error("look at", next, found->error), true);
        return true;
      }
      if (found->error != 0 || !S_ISDIR(found->info.st_mode)) return true;  // and what was below it is gone
      if (kernel_.hold(found->info) || ignored(rules, next, true) || own_.own(found->info)) break;
      folder_path = next;
    }
    ++result_.skipped;
    return true;
  }

  void begin_places(const std::vector<std::string>& roots, const std::vector<std::string>& places) {
    result_.roots = roots;
    result_.looked_at = places;
    result_.is_whole = false;
  }

  WalkResult take() {
    if (result_.is_whole) result_.looked_at = result_.roots;
    std::sort(result_.looked_at.begin(), result_.looked_at.end());
    auto& files = result_.files;
    std::sort(files.begin(), files.end(), [](const FoundFile& a, const FoundFile& b) { return a.path < b.path; });
    files.erase(std::unique(files.begin(), files.end(),
                            [](const FoundFile& a, const FoundFile& b) { return a.path == b.path; }),
                files.end());
    return std::move(result_);
  }

 private:
  // One path; nothing, and a problem, where it does not answer. kCancelled.
  Result<std::optional<FolderEntry>> look(const std::string& path) {
    Result<std::vector<FolderEntry>> looked = look_at_all({path}, options_.patience, cancel_);
    if (looked.status().code() == StatusCode::kCancelled) return looked.status();
    if (looked.ok()) return std::optional<FolderEntry>(std::move(looked->front()));
    problem(path, looked.status(), true);
    return std::optional<FolderEntry>();
  }

  // The rules in force in a folder on the way to a place, read once for all places.
  Result<const RuleScope*> rules_of(const std::string& folder, const RuleScope* above) {
    if (!options_.use_ignore_files) return above;
    const auto known = scopes_.find({folder, above});
    if (known != scopes_.end()) return known->second.rules.empty() ? above : &known->second;
    MNEME_ASSIGN_OR_RETURN(const std::string rules, read_folder_rules(folder, options_.patience, cancel_));
    RuleScope& scope = scopes_[{folder, above}];
    scope.above = above;
    scope.folder = folder == "/" ? folder : folder + "/";
    scope.rules.add(rules);
    return scope.rules.empty() ? above : &scope;
  }

  void problem(const std::string& path, const Status& status, bool hides_folder) {
    result_.problems.push_back({path, status.message(), hides_folder});
  }

  void file(const std::string& path, const struct stat& s) {
    const bool wanted = readers::worth_opening(path) || (options_.pictures && readers::names_picture(path));
    if (!S_ISREG(s.st_mode) || !wanted) {
      ++result_.skipped;
      return;
    }
    result_.files.push_back(
        {path, {static_cast<uint64_t>(s.st_size), file_time_ns(s.st_mtim), file_time_ns(s.st_ctim)}});
    if (progress_ && result_.files.size() % 256 == 0) progress_(result_.files.size());
  }

  void folder(const std::string& path, const struct stat& s, const RuleScope* rules, int depth) {
    const std::pair<uint64_t, uint64_t> identity(s.st_dev, s.st_ino);
    if (!visited_.insert(identity).second) return;  // reached before by another way
    if (depth > kMaxDepth) {
      problem(path, resource_error("the folder " + path + " is nested too deeply; index it by its own name"), true);
      return;
    }
    Result<FolderNames> listed = list_folder(path, options_.use_ignore_files, options_.patience, cancel_);
    if (!listed.ok()) return unlisted(path, listed.status());
    if (listed->error != 0) problem(path, errno_error("list all of the folder", path, listed->error), true);
    const std::string prefix = path == "/" ? path : path + "/";
    RuleScope scope{rules, prefix, {}};
    scope.rules.add(listed->rules);
    const RuleScope* inner = scope.rules.empty() ? rules : &scope;
    std::vector<std::string> paths;
    for (const std::string& name : listed->names) {
      const bool hidden = name.front() == '.' && !options_.include_hidden;
      if (!hidden && !own_.own_file(s, name)) paths.push_back(prefix + name);
    }
    result_.skipped += listed->names.size() - paths.size();
    const Result<std::vector<FolderEntry>> looked = look_at_all(paths, options_.patience, cancel_);
    if (!looked.ok()) return unlisted(path, looked.status());
    for (const FolderEntry& found : *looked) {
      if (cancel_.cancelled()) return;
      entry(found, inner, depth);
    }
  }

  void unlisted(const std::string& path, const Status& why) {
    if (why.code() != StatusCode::kCancelled) problem(path, why, true);
  }

  void entry(const FolderEntry& found, const RuleScope* rules, int depth) {
    const std::string& path = found.path;
    if (found.error != 0) {
      if (found.error != ENOENT) problem(path, errno_error("look at", path, found.error), true);
      return;  // vanished since it was listed: as good as deleted
    }
    const bool is_folder = found.link_error == 0 && S_ISDIR(found.info.st_mode);
    const bool of_kernel = found.link_error == 0 && kernel_.hold(found.info);
    if (of_kernel || ignored(rules, path, is_folder) || (is_folder && own_.own(found.info))) {
      ++result_.skipped;
      return;
    }
    if (found.link_error != 0) {
      problem(path, errno_error("follow the link", path, found.link_error), false);
    } else if (is_folder && found.leads_back) {
      problem(path, Status(StatusCode::kIo, "the link " + path + " leads back to a folder above it; not followed"),
              false);
    } else if (is_folder) {
      folder(path, found.info, rules, depth + 1);
    } else if (found.is_link && !linked_files_.insert({found.info.st_dev, found.info.st_ino}).second) {
      ++result_.skipped;  // a second link to the same file
    } else {
      file(path, found.info);
    }
  }

  static inline const OwnPlaces kNoPlaces{};
  const WalkOptions& options_;
  const OwnPlaces& own_;
  const KernelFolders kernel_;
  const std::function<void(uint64_t)>& progress_;
  const CancelToken& cancel_;
  WalkResult result_;
  std::map<std::pair<std::string, const RuleScope*>, RuleScope> scopes_;  // of folders above places
  std::set<std::pair<uint64_t, uint64_t>> visited_;                       // folders
  std::set<std::pair<uint64_t, uint64_t>> linked_files_;                  // files reached through links
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

Result<std::optional<WalkResult>> walk_places(const std::vector<std::string>& paths,
                                              const std::vector<std::string>& places, const WalkOptions& options,
                                              const CancelToken& cancel) {
  const std::function<void(uint64_t)> untold;
  Walker walker(options, untold, cancel);
  std::vector<std::string> roots;
  roots.reserve(paths.size());
  for (const std::string& path : paths) roots.push_back(absolute_path(path));
  std::vector<std::string> below;
  const auto lies_below = [&](const std::string& place) {
    return std::ranges::any_of(roots, [&](const std::string& root) { return is_at_or_below(place, root); });
  };
  std::ranges::copy_if(places, std::back_inserter(below), lies_below);
  walker.begin_places(roots, below);
  for (const std::string& place : below) {
    for (const std::string& root : roots) {
      if (!is_at_or_below(place, root)) continue;
      if (place == root) {
        const Status walked = walker.root_again(root);
        if (walked.code() == StatusCode::kCancelled) return walked;
        if (!walked.ok()) return std::optional<WalkResult>();
        continue;
      }
      MNEME_ASSIGN_OR_RETURN(const bool told, walker.place(root, place));
      if (cancel.cancelled()) return cancelled();
      if (!told) return std::optional<WalkResult>();
    }
  }
  return std::optional<WalkResult>(walker.take());
}

}  // namespace mneme::rag
