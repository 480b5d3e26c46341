#include "app/scratch_context.h"

namespace mneme::app {

Context scratch_context(const Context& context, const std::string& home) {
  Context scratch{context.options, {.data = home, .config = home}, Output(false, Verbosity::kQuiet), context.cancel};
  scratch.options.kv_roots.clear();
  scratch.options.kv_quota_gb = GlobalOptions().kv_quota_gb;
  return scratch;
}

}  // namespace mneme::app
