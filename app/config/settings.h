// Options from outside the command line: MNEME_<OPTION> in the environment, then config.toml. Any option's long name is
// a key ("top-k", or "top_k"); a table named like a command holds values for that command alone ([ask], [model.list]).
// Threads: immutable after load.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace mneme::app {

class Settings {
 public:
  struct Value {
    std::vector<std::string> values;
    std::string origin;  // "MNEME_TOP_K", or "top-k in /home/a/.config/mneme/config.toml"
  };

  // An absent file is an empty one. kUsage names file, line and what is wrong.
  static Result<Settings> load(const std::string& config_file);
  static Result<Settings> parse(std::string_view toml, const std::string& config_file);

  // `command` is "" or a path such as "model list".
  std::optional<Value> find(const std::string& command, const std::string& option) const;

  // All that the file sets: "ask top-k" -> values.
  const std::map<std::string, std::vector<std::string>>& values() const { return values_; }

  // Keys of the file that set none of the options `known`, each behind its command ("ask top-k", "json" of all):
  // most likely misspelt, or in the table of a command that has no such option.
  std::vector<std::string> unknown_keys(const std::vector<std::string>& known) const;

 private:
  std::string file_;
  std::map<std::string, std::vector<std::string>> values_;
};

}  // namespace mneme::app
