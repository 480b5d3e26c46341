// Options from outside the command line: the environment, then config.toml. Any option's long name is a variable
// (MNEME_TOP_K) and a key ("top-k", or "top_k"); one that is named after a command, too (MNEME_ASK_TOP_K), and one in
// the table of a command ([ask], [model.list]), holds values for that command alone and comes first.
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
    bool is_environment = false;
    bool is_shared = false;  // not of this command alone
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
