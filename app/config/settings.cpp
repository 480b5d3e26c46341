#include "app/config/settings.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <system_error>

#include "base/bytes.h"
#include "rag/toml.h"
#include "storage/env/file_env.h"

namespace mneme::app {
namespace {

constexpr uint64_t kMaxFileBytes = 1 << 20;
constexpr int kMaxDepth = 3;  // [model.list] and a key in it

std::string with_dashes(std::string_view key) {
  std::string name(key);
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

std::optional<std::string> scalar_text(const toml::node& node) {
  if (auto text = node.value_exact<std::string>()) return text;
  if (const auto truth = node.value_exact<bool>()) return *truth ? "true" : "false";
  if (const auto whole = node.value_exact<int64_t>()) return std::to_string(*whole);
  if (const auto real = node.value_exact<double>()) {
    std::array<char, 32> digits;  // the shortest that reads back as the same number
    const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), *real);
    if (error == std::errc()) return std::string(digits.data(), end);
  }
  return std::nullopt;
}

Status collect(const toml::table& table, const std::string& prefix, int depth, const std::string& file,
               std::map<std::string, std::vector<std::string>>& values) {
  for (const auto& [key, node] : table) {
    const std::string name = prefix + with_dashes(key.str());
    if (const toml::table* below = node.as_table()) {
      if (depth >= kMaxDepth) return usage_error(file + " nests tables deeper than any command has names.");
      MNEME_RETURN_IF_ERROR(collect(*below, prefix + std::string(key.str()) + " ", depth + 1, file, values));
      continue;
    }
    std::vector<std::string>& texts = values[name];
    bool is_known = true;
    const auto add = [&](const toml::node& one) {
      auto text = scalar_text(one);
      is_known &= text.has_value();
      if (text) texts.push_back(*std::move(text));
    };
    if (const toml::array* array = node.as_array()) {
      for (const toml::node& element : *array) add(element);
    } else {
      add(node);
    }
    if (!is_known || texts.empty()) {
      return usage_error(file + " gives " + name + " a value that is no text, number, truth value or list of them.");
    }
  }
  return {};
}

// "model list json" -> "MNEME_MODEL_LIST_JSON"
std::string environment_name(const std::string& key) {
  std::string name = "MNEME_" + key;
  for (char& c : name) c = c == '-' || c == ' ' ? '_' : static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  return name;
}

// The command, those of the commands above it, and what is meant for all, behind each the option.
std::vector<std::string> keys_of(const std::string& command, const std::string& option) {
  std::vector<std::string> keys;
  std::string path = command;
  while (!path.empty()) {
    keys.push_back(path + " " + option);
    const size_t space = path.rfind(' ');
    path = space == std::string::npos ? "" : path.substr(0, space);
  }
  keys.push_back(option);
  return keys;
}

struct Key {
  std::string_view command;
  std::string_view option;
};

// "model list json" -> "model list" and "json".
Key split_key(std::string_view key) {
  const size_t space = key.rfind(' ');
  if (space == std::string_view::npos) return {"", key};
  return {key.substr(0, space), key.substr(space + 1)};
}

// Whether a key of the file gives `known` a value when some command runs.
bool sets(const Key& key, std::string_view known) {
  const auto [command, option] = split_key(known);
  if (option != key.option) return false;
  const bool in_every_table = key.command.empty() || command.empty();
  return in_every_table || command == key.command ||
         (command.starts_with(key.command) && command[key.command.size()] == ' ');
}

}  // namespace

Result<Settings> Settings::load(const std::string& config_file) {
  const Result<std::vector<std::byte>> bytes =
      storage::read_whole(storage::FileEnv::posix(), config_file, kMaxFileBytes);
  if (bytes.ok()) return parse(as_text(*bytes), config_file);
  if (bytes.status().code() == StatusCode::kNotFound) return parse("", config_file);
  return bytes.status();
}

Result<Settings> Settings::parse(std::string_view text, const std::string& config_file) {
  Settings settings;
  settings.file_ = config_file;
  const toml::parse_result parsed = toml::parse(text, config_file);
  if (!parsed) {
    const toml::parse_error& error = parsed.error();
    return usage_error(config_file + " line " + std::to_string(error.source().begin.line) +
                       " is not TOML: " + std::string(error.description()) + "; correct or remove it.");
  }
  MNEME_RETURN_IF_ERROR(collect(parsed.table(), "", 1, config_file, settings.values_));
  return settings;
}

std::optional<Settings::Value> Settings::find(const std::string& command, const std::string& option) const {
  const std::vector<std::string> keys = keys_of(command, option);
  const auto is_shared = [&](const std::string& key) { return &key != &keys.front() || command.empty(); };
  for (const std::string& key : keys) {
    const std::string variable = environment_name(key);
    // NOLINTNEXTLINE(concurrency-mt-unsafe): nobody sets variables here
    const char* const value = std::getenv(variable.c_str());
    if (value == nullptr || *value == '\0') continue;
    return Value{.values = {value}, .origin = variable, .is_environment = true, .is_shared = is_shared(key)};
  }
  for (const std::string& key : keys) {
    const auto found = values_.find(key);
    if (found == values_.end()) continue;
    return Value{.values = found->second, .origin = option + " in " + file_, .is_shared = is_shared(key)};
  }
  return std::nullopt;
}

std::vector<std::string> Settings::unknown_keys(const std::vector<std::string>& known) const {
  std::vector<std::string> unknown;
  for (const auto& [key, values] : values_) {
    const bool sets_one = std::any_of(known.begin(), known.end(),
                                      [&](const std::string& option) { return sets(split_key(key), option); });
    if (!sets_one) unknown.push_back(key);
  }
  return unknown;
}

}  // namespace mneme::app
