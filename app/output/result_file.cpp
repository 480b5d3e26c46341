#include "app/output/result_file.h"

#include <string_view>
#include <utility>

#include "base/bytes.h"
#include "base/human_text.h"

namespace mneme::app {
namespace {

using nlohmann::json;

constexpr uint64_t kMaxBytes = uint64_t{1} << 30;

std::string line_of(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
}

Status of_another_run(const std::string& path) {
  return usage_error(path + " holds results of a measurement with other parameters; name another file or remove it.");
}

}  // namespace

Result<ResultFile> ResultFile::open(const std::string& path, const json& parameters) {
  ResultFile results;
  results.path_ = path;
  if (path.empty()) return results;
  storage::FileEnv& env = storage::FileEnv::posix();
  const Result<std::vector<std::byte>> bytes = storage::read_whole(env, path, kMaxBytes);
  if (!bytes.ok() && bytes.status().code() != StatusCode::kNotFound) return bytes.status();
  const std::string_view text = bytes.ok() ? as_text(*bytes) : std::string_view();
  std::string kept = line_of(parameters);
  bool first = true;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = text.find('\n', begin);
    if (end == std::string_view::npos) break;
    const json line = json::parse(text.substr(begin, end - begin), nullptr, false);
    begin = end + 1;
    if (std::exchange(first, false)) {
      if (line != json::parse(kept, nullptr, false)) return of_another_run(path);
      continue;
    }
    if (!line.is_object() || !line.contains("key") || !line["key"].is_string()) continue;
    kept += line_of(line);
    results.results_[line["key"].get<std::string>()] = line.value("result", json());
  }
  // Written anew, so that what the end of the last run cut off goes; the open file goes with its new name.
  MNEME_ASSIGN_OR_RETURN(results.file_, env.create(path + ".part"));
  MNEME_RETURN_IF_ERROR(results.file_->append(as_bytes(kept)));
  MNEME_RETURN_IF_ERROR(env.rename(path + ".part", path));
  results.n_found_ = results.results_.size();
  return results;
}

const json* ResultFile::find(const std::string& key) const {
  const auto found = results_.find(key);
  return found == results_.end() ? nullptr : &found->second;
}

Status ResultFile::add(const std::string& key, const json& result) {
  if (file_ == nullptr) return {};
  MNEME_RETURN_IF_ERROR(file_->append(as_bytes(line_of({{"key", key}, {"result", result}}))));
  results_[key] = result;
  return {};
}

void note_kept(Output& output, const ResultFile& kept) {
  if (kept.n_found() == 0) return;
  output.note("note: " + human_number_of(static_cast<int64_t>(kept.n_found()), "finished result") + " taken from " +
              kept.path() + "; remove it to measure them anew.");
}

}  // namespace mneme::app
