#include "app/cli/command_tree.h"

#include <CLI/CLI.hpp>

namespace mneme::app {

std::vector<CLI::App*> all_apps(CLI::App& root) {
  std::vector<CLI::App*> all;
  std::vector<CLI::App*> stack{&root};
  while (!stack.empty()) {
    CLI::App* app = stack.back();
    stack.pop_back();
    all.push_back(app);
    const auto below = app->get_subcommands([](CLI::App*) { return true; });
    stack.insert(stack.end(), below.rbegin(), below.rend());
  }
  return all;
}

std::string command_path(const CLI::App* app) {
  std::string path;
  for (; app != nullptr && app->get_parent() != nullptr; app = app->get_parent()) {
    path = path.empty() ? app->get_name() : app->get_name() + " " + path;
  }
  return path;
}

const CLI::App* deepest_command(const CLI::App* root) {
  while (!root->get_subcommands().empty()) root = root->get_subcommands().front();
  return root;
}

}  // namespace mneme::app
