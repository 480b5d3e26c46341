#include "app/cli/option_filling.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <optional>

#include "app/cli/command_tree.h"
#include "app/cli/truth_value.h"
#include "app/cli/usage_errors.h"
#include "app/config/settings.h"

namespace mneme::app {
namespace {

bool is_flag(const CLI::Option& option) {
  return option.get_items_expected_max() == 0;
}

// What CLI11 would complain of, or its writes ahead of that.
Status give(CLI::Option& option, const std::string& name, const Settings::Value& value) {
  const auto refused = [&](const std::string& why) { return usage_error(value.origin + ": " + why + "."); };
  const size_t most = static_cast<size_t>(std::max(option.get_items_expected_max(), 1));
  if (value.values.size() > most) return refused("--" + name + " takes one value, not a list");
  try {
    option.add_result(value.values);
    option.run_callback();
    return {};
  } catch (const CLI::Error& error) {
    option.clear();
    return refused(is_flag(option) ? "--" + name + " takes true or false, not " + value.values.front()
                                   : explain_value(error));
  }
}

class Filling {
 public:
  Filling(CLI::App& root, CLI::App& chosen, const OptionRules& rules, const Settings& settings)
      : root_(root), rules_(rules), settings_(settings), path_(command_path(&chosen)) {
    for (CLI::App* step = &chosen; step != nullptr; step = step->get_parent()) {
      chain_.push_back(step);
      for (const CLI::Option* option : step->get_options()) {
        if (option->count() > 0) given_.insert(option);
      }
    }
  }

  Status run() {
    for (CLI::App* app : chain_) {
      for (CLI::Option* option : app->get_options()) MNEME_RETURN_IF_ERROR(fill(*app, *option));
    }
    return {};
  }

 private:
  // How near a value stands.
  enum Rank { kNone, kFile, kEnvironment, kCommandLine };

  Status fill(const CLI::App& app, CLI::Option& option) {
    if (given_.contains(&option) || !is_settable(option, rules_)) return {};
    const std::string& name = option.get_lnames().front();
    const std::optional<Settings::Value> value = settings_.find(path_, name);
    if (!value || is_excluded(app, option, name)) return {};
    const Status status = give(option, name, *value);
    return !status.ok() && value->is_shared && another_takes(name, *value) ? Status() : status;
  }

  bool is_excluded(const CLI::App& app, const CLI::Option& option, const std::string& name) const {
    const auto groups = rules_.exclusive.find(&app);
    if (groups == rules_.exclusive.end()) return false;
    const Rank own = rank_of(option);
    return std::any_of(groups->second.begin(), groups->second.end(), [&](const std::vector<std::string>& group) {
      if (std::find(group.begin(), group.end(), "--" + name) == group.end()) return false;
      return std::any_of(group.begin(), group.end(), [&](const std::string& other) {
        const CLI::Option* const found = app.get_option_no_throw(other);
        return found != nullptr && found != &option && rank_of(*found) > own;
      });
    });
  }

  Rank rank_of(const CLI::Option& option) const {
    if (given_.contains(&option)) return kCommandLine;
    if (!is_settable(option, rules_)) return kNone;
    const std::optional<Settings::Value> value = settings_.find(path_, option.get_lnames().front());
    if (!value) return kNone;
    // A flag that is set to false says as much as one that is not set.
    if (is_flag(option) && truth_value(value->values.front()) == false) return kNone;
    return value->is_environment ? kEnvironment : kFile;
  }

  // Whether it is a value for an option of this name that another command has. That command's own values do not matter:
  // it does not run.
  bool another_takes(const std::string& name, const Settings::Value& value) const {
    const std::vector<CLI::App*> all = all_apps(root_);
    return std::any_of(all.begin(), all.end(), [&](CLI::App* app) {
      if (std::find(chain_.begin(), chain_.end(), app) != chain_.end()) return false;
      CLI::Option* const option = app->get_option_no_throw("--" + name);
      if (option == nullptr || !is_settable(*option, rules_) || !give(*option, name, value).ok()) return false;
      option->clear();
      return true;
    });
  }

  CLI::App& root_;
  const OptionRules& rules_;
  const Settings& settings_;
  const std::string path_;
  std::vector<CLI::App*> chain_;        // the command, and those above it
  std::set<const CLI::Option*> given_;  // on the command line
};

}  // namespace

bool is_settable(const CLI::Option& option, const OptionRules& rules) {
  if (option.get_lnames().empty() || rules.for_one_run.contains(&option)) return false;
  const std::string& name = option.get_lnames().front();
  return name != "help" && name != "version" && name != "home";
}

Status fill_from_settings(CLI::App& root, CLI::App& chosen, const OptionRules& rules, const Settings& settings) {
  return Filling(root, chosen, rules, settings).run();
}

}  // namespace mneme::app
