#include "app/command_list.h"

#include <string_view>

#include "app/commands/commands.h"
#include "app/context.h"

namespace mneme::app {
namespace {

constexpr int kMaxThreads = 1024;
constexpr double kMaxQuotaGb = 1e6;
constexpr double kMaxMemoryGb = 1e6;

// Whether there is such a GPU shows when it is opened.
bool is_device(std::string_view text) {
  if (text == "auto" || text == "cpu" || text == "cuda") return true;
  constexpr std::string_view kNumbered = "cuda:";
  constexpr size_t kMostDigits = 4;
  if (!text.starts_with(kNumbered)) return false;
  const std::string_view number = text.substr(kNumbered.size());
  return !number.empty() && number.size() <= kMostDigits &&
         number.find_first_not_of("0123456789") == std::string_view::npos;
}

// A model has a few hundred at most; more than it has are all of them.
bool is_layer_count(std::string_view text) {
  constexpr size_t kMostDigits = 6;
  return text == "auto" || (!text.empty() && text.size() <= kMostDigits &&
                            text.find_first_not_of("0123456789") == std::string_view::npos);
}

}  // namespace

void add_global_options(Command root, GlobalOptions& options) {
  root.option("--home DIR", options.home, "Keep data, configuration and caches under DIR (else MNEME_HOME, else XDG)");
  root.option("--model M", options.model, "A GGUF file or a registered model; none answers by quoting passages");
  root.option("--embedder E", options.embedder, "A GGUF embedding model or a registered one");
  root.matching("--device auto|cpu|cuda|cuda:N", options.device, is_device, "auto, cpu, cuda or cuda:N",
                "Where the engine runs");
  root.matching("--gpu-layers auto|N", options.gpu_layers, is_layer_count, "auto or a number of layers",
                "Layers of the language model that run on the GPU, the last ones; auto: as many as fit");
  root.option(
      "--passphrase-file FILE", options.passphrase_file,
      "The passphrase of an encrypted home is this file's first line (-: of standard input); else it is asked for");
  root.integer("--threads N", options.threads, 0, kMaxThreads, "CPU threads; 0 uses every physical core");
  root.list("--kv-roots DIR,DIR", options.kv_roots,
            "Folders for KV caches, the preferred first; the home's own is last");
  root.list("--kv-levels L,L", options.kv_levels,
            "Levels at which KV caches are stored beside the one asked for: what --first-token-goal chooses from");
  root.number("--kv-quota GB", options.kv_quota_gb, 0, kMaxQuotaGb,
              "Gigabytes that KV caches may take; 0: 20, or a tenth of the free space where that is less");
  root.number("--memory GB", options.memory_gb, 0, kMaxMemoryGb,
              "Gigabytes of memory that the program may take for itself; 0: as the system gives");
  root.flag("--json", options.json, "Results as JSON on standard output");
  root.flag("--quiet", options.quiet, "Say less on standard error");
  root.flag("--verbose", options.verbose, "Say more on standard error");
  root.exclusive({"--quiet", "--verbose"});
}

void add_all_commands(Command root) {
  add_index(root);
  add_ask(root);
  add_chat(root);
  add_search(root);
  add_generate(root);
  add_tokenize(root);
  add_perplexity(root);
  add_eval(root);
  add_bench(root);
  add_model(root);
  add_collection(root);
  add_document(root);
  add_forget(root);
  add_status(root);
  add_verify(root);
  add_gc(root);
  add_encryption(root);
  add_reference(root);
  add_gui(root);
  add_serve(root);
}

}  // namespace mneme::app
