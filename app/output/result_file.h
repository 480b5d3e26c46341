// Results of a long measurement as they come, so that it can be stopped and gone on with: one JSON object per line, the
// first saying what is measured. Ownership: keeps the file open. Threads: one owner.
#pragma once

#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "app/output/output.h"
#include "base/status.h"
#include "storage/env/file_env.h"

namespace mneme::app {

class ResultFile {
 public:
  // An empty path keeps nothing. A file that was begun with other parameters is refused (kUsage): its results would not
  // belong together. So is one that holds something else, which stays as it is. A last line that was cut off is
  // dropped.
  static Result<ResultFile> open(const std::string& path, const nlohmann::json& parameters);

  const nlohmann::json* find(const std::string& key) const;  // null: not there yet
  size_t size() const { return results_.size(); }
  // How many were there when it was opened.
  size_t n_found() const { return n_found_; }
  const std::string& path() const { return path_; }
  Status add(const std::string& key, const nlohmann::json& result);

 private:
  // What stands behind the first line; gives the lines to keep.
  std::string take_results(std::string_view text);

  std::string path_;
  size_t n_found_ = 0;  // when it was opened
  std::map<std::string, nlohmann::json> results_;
  std::unique_ptr<storage::WritableFile> file_;
};

// Tells people where results come from the file.
void note_kept(Output& output, const ResultFile& kept);

}  // namespace mneme::app
