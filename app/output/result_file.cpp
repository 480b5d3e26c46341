#include "app/output/result_file.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "base/bytes.h"
#include "base/human_text.h"

namespace mneme::app {
namespace {

using nlohmann::json;

constexpr uint64_t kMaxBytes = uint64_t{1} << 30;

std::string line_of(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
}

// Names of what one of two measurements says otherwise, or alone: "level, model".
std::string differences(const json& one, const json& other) {
  std::set<std::string> names;
  for (const json* const side : {&one, &other}) {
    for (const auto& [name, value] : side->items()) {
      const bool same = one.contains(name) && other.contains(name) && one[name] == other[name];
      if (!same) names.insert(name);
    }
  }
  std::string list;
  for (const std::string& name : names) list.append(list.empty() ? "" : ", ").append(name);
  return list;
}

// Whether what the file holds belongs to a measurement with these parameters. It is written anew afterwards, so that
// somebody's notes must not pass.
Status check_is_of(const std::string& path, std::string_view text, const json& parameters) {
  if (text.empty()) return {};
  const size_t end = text.find('\n');
  const json first = end == std::string_view::npos ? json() : json::parse(text.substr(0, end), nullptr, false);
  if (!first.is_object()) {
    return usage_error(path +
                       " holds no results of a measurement and stays as it is; name another file with --results.");
  }
  if (first == parameters) return {};
  return usage_error(path + " holds results of a measurement that differs in " + differences(first, parameters) +
                     ", or was kept by an older version; name another file with --results, or remove it.");
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
  const std::string head = line_of(parameters);
  MNEME_RETURN_IF_ERROR(check_is_of(path, text, json::parse(head, nullptr, false)));
  const std::string kept = head + results.take_results(text);
  // Written anew, so that what the end of the last run cut off goes; the open file goes with its new name.
  MNEME_ASSIGN_OR_RETURN(results.file_, env.create(path + ".part"));
  MNEME_RETURN_IF_ERROR(results.file_->append(as_bytes(kept)));
  MNEME_RETURN_IF_ERROR(env.rename(path + ".part", path));
  results.n_found_ = results.results_.size();
  return results;
}

std::string ResultFile::take_results(std::string_view text) {
  std::string lines;
  size_t begin = std::min(text.find('\n'), text.size());
  while (begin < text.size()) {
    const size_t end = text.find('\n', ++begin);
    if (end == std::string_view::npos) break;
    const json line = json::parse(text.substr(begin, end - begin), nullptr, false);
    begin = end;
    if (!line.is_object() || !line.contains("key") || !line["key"].is_string()) continue;
    lines += line_of(line);
    results_[line["key"].get<std::string>()] = line.value("result", json());
  }
  return lines;
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
