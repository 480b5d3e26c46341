// What every command gets: the global options, where files lie, where results go, and the flag that Ctrl-C raises.
// Ownership: run() owns it for the length of one command. Threads: the main thread, but for `cancel`.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/config/directories.h"
#include "app/output/output.h"
#include "base/cancel.h"

namespace mneme::storage {
class FileEnv;
}

namespace mneme::app {

struct GlobalOptions {
  std::string home;      // empty: MNEME_HOME, else the XDG directories
  std::string model;     // empty: the default model
  std::string embedder;  // empty: the shipped embedder
  std::string device = "auto";
  std::string gpu_layers = "auto";     // or a number
  std::string passphrase_file;         // of an encrypted home; "-": standard input; empty: asked for
  int threads = 0;                     // 0: physical cores
  std::vector<std::string> kv_roots;   // folders for KV caches, before the home's own
  std::vector<std::string> kv_levels;  // that caches are stored at beside the one asked for
  double kv_quota_gb = 0;              // of all of them; 0: the default
  double memory_gb = 0;                // ceiling of the program's own memory; 0: none
  bool json = false;
  bool quiet = false;
  bool verbose = false;
};

struct Context {
  GlobalOptions options;
  Directories directories;
  Output output;
  CancelToken& cancel;
  std::shared_ptr<storage::FileEnv> home_files{};  // of an encrypted home, once opened (app/home_files.h)
};

}  // namespace mneme::app
