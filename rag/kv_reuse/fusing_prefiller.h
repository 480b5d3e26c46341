// Answering from stored chunk KV: `reuse` takes it as it is, `blend` repairs a share of the rows (engine/fusion).
// Chunks that are not stored are computed with the prompt, and stored behind the answer under their own key (never a
// blended one). Ownership: borrows library and background for its life. Threads: one prefill at a time.
#pragma once

#include "rag/answering/prefill.h"
#include "rag/kv_reuse/kv_background.h"
#include "rag/kv_reuse/kv_library.h"

namespace mneme::rag {

class FusingPrefiller final : public Prefiller {
 public:
  FusingPrefiller(KvLibrary& library, KvBackground& background, bool repairs)
      : library_(library), background_(background), repairs_(repairs) {}

  Result<PrefillReport> prefill(engine::LanguageModel& model, engine::Sequence& sequence, const Prompt& prompt,
                                const AskOptions& options, const CancelToken& cancel) override;

 private:
  KvLibrary& library_;
  KvBackground& background_;
  const bool repairs_;
};

}  // namespace mneme::rag
