#include "app/commands/trial_beside.h"

#include "base/background.h"
#include "base/guarded.h"
#include "rag/answering/writing/mode_choice.h"

namespace mneme::app {

void TrialBeside::begin() {
  if (begun_ || !workspace_.model_is_open() || rag::are_caches_prepared(workspace_, kv_level_)) return;
  begun_ = true;
  // Without caches the model answers as it did, and its answers say so.
  work_ = in_background([this] {
    return guarded("trying out a model", [this] { return rag::prepare_caches(workspace_, kv_level_, cancel_); });
  });
}

}  // namespace mneme::app
