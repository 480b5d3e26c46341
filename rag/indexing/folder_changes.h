// Where below watched folders something came, went or was written: what a run that follows changes has to look at.
// Threads: values.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace mneme::rag {

class FolderChanges {
 public:
  // It is not known where (events were lost, nothing watches), or links are concerned, so that one file stands at
  // several places: only a whole walk tells.
  static FolderChanges anywhere();

  // A file or folder, as a walk of the watched folders names it.
  void add(std::string path);
  void add(const FolderChanges& more);
  void set_anywhere();

  bool is_anywhere() const { return anywhere_; }
  bool empty() const { return !anywhere_ && paths_.empty(); }
  // Without those that lie below others. Meaningless when it is anywhere.
  std::vector<std::string> places() const;

 private:
  bool anywhere_ = false;
  std::set<std::string> paths_;
};

// Whether `path` is `folder` or lies below it; unlike lies_in() an archive is no folder.
bool is_at_or_below(std::string_view path, std::string_view folder);
// The same of any of many, sorted.
bool is_at_or_below_any(std::string_view path, const std::vector<std::string>& folders);

}  // namespace mneme::rag
