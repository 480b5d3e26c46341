// An opened model on a device, and the sequences that run on it: what `rag` and the commands use of the engine.
// Ownership: sequences hold their model by reference and must not outlive it.
// Threads: a LanguageModel may be shared; it runs one step at a time (calls are serialised inside).
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "base/hash.h"
#include "base/status.h"
#include "engine/backend/backend.h"
#include "engine/devices/open_backend.h"
#include "engine/model/model_config.h"
#include "engine/pq/clustering_model.h"
#include "engine/pq/retrieval_options.h"
#include "engine/tokenizer/chat_template.h"
#include "engine/tokenizer/tokenizer.h"
#include "engine/types.h"

namespace mneme::engine {

class LanguageModel;
class EngineQueue;
class ForwardPass;
class Sampler;

// One sequence of tokens with its KV. Threads: one at a time per sequence.
class Sequence {
 public:
  virtual ~Sequence() = default;

  // Interactive at first. Background sequences (indexing) give way to interactive ones between layers.
  virtual void set_priority(Priority priority) = 0;

  virtual int n_tokens() const = 0;
  virtual std::span<const TokenId> tokens() const = 0;

  // Runs the ids at the next positions; afterwards logits() are those of the last id. Long inputs run in batches;
  // cancel is looked at between layers and leaves the sequence as it was. kResource when the ids do not fit in
  // max_tokens.
  virtual Status append(std::span<const TokenId> ids, const CancelToken& cancel = never_cancelled()) = 0;

  // Like append, and gives the logits of every id: (ids.size(), vocab_size).
  virtual Status append_with_logits(std::span<const TokenId> ids, std::vector<float>& all_logits,
                                    const CancelToken& cancel = never_cancelled()) = 0;

  // Appends one id and samples the next: the token that sampler.sample(logits()) gives. Where the device picks out the
  // likeliest tokens by itself, logits() is empty afterwards.
  virtual Status append_and_sample(TokenId id, Sampler& sampler, TokenId& next, const CancelToken& cancel);

  virtual std::span<const float> logits() const = 0;  // (vocab_size) of the last token

  // Forgets tokens from n_tokens on.
  virtual void truncate(int n_tokens) = 0;
  // Says that the text will be cut back to what it is now. Costs nothing where all layers attend. Layers that keep a
  // state keep a copy (KvCache::keep_state): without one, the next append reads the tokens again that are left, from
  // the last such place on.
  virtual void keep_place() {}
  // To how many tokens, n_tokens at most, the text can be cut back without that any is read again.
  virtual int kept_place(int n_tokens) const { return n_tokens; }

  virtual KvCache& kv() = 0;

  // How ids appended one at a time attend from now on: to everything, or to sinks, window and what a policy retrieves
  // (longer appends see everything). Starts the counts of the report anew. Errors: see KvCache::set_retrieval.
  virtual Status set_retrieval(const RetrievalOptions& options) = 0;
  virtual RetrievalReport retrieval_report() const = 0;
  // Whether an id appended alone, as the last of n_tokens, attends to everything, as it does in longer appends.
  virtual bool attends_to_all(int n_tokens) const = 0;

  // Takes over tokens whose KV the caller has put into kv() at positions [n_tokens(), n_tokens() + ids.size()), as
  // fusion does, with the logits of the last one.
  virtual void adopt(std::span<const TokenId> ids, std::span<const float> logits) = 0;
};

struct ModelOptions {
  DeviceOptions device;
  int context_tokens = 0;  // 0: what the model was trained for
  // Of sequences; those that keep unrotated keys (whose KV is stored for later) hold f16 always.
  KvType kv_type = KvType::kF16;
};

class LanguageModel {
 public:
  virtual ~LanguageModel() = default;

  // Opens a GGUF file. kNotFound, kCorruption, kUnsupported (architecture or tensor type named, supported ones listed),
  // kResource (would not fit in memory, with what would).
  static Result<std::unique_ptr<LanguageModel>> open(const std::string& path, const ModelOptions& options);
  // Random weights of a named shape ("bench-336m") made in memory at the named tensor type: for measuring speed. Large
  // shapes take seconds to minutes; kCancelled.
  static Result<std::unique_ptr<LanguageModel>> make_random(const std::string& shape, gguf::TensorType type,
                                                            const ModelOptions& options, uint64_t seed,
                                                            const CancelToken& cancel = never_cancelled());

  virtual const ModelConfig& config() const = 0;
  virtual const Tokenizer& tokenizer() const = 0;          // random models: ids print as numbers
  virtual const ChatTemplate* chat_template() const = 0;   // null: the model has none, use it raw
  virtual const Status& chat_template_status() const = 0;  // why it is null
  virtual Backend& backend() = 0;
  virtual const std::string& path() const = 0;
  virtual const std::vector<std::string>& files() const = 0;  // that were mapped: path(), or all parts of the model
  virtual int64_t weight_bytes() const = 0;
  // Identity of weights, quantisation, RoPE settings and tokenizer: part of every KV cache key.
  virtual Hash128 identity() const = 0;

  // Whose turn it is: append() enters by itself; who uses forward_pass() enters first and stays until its step is done.
  virtual EngineQueue& queue() = 0;

  // The layer-wise pass, for fusion; append() does not touch it. Room for at least max_rows rows a step; made or grown
  // on demand, which ends earlier pointers.
  virtual Result<ForwardPass*> forward_pass(int max_rows) = 0;
  // One of the caller's own, made and given back with a turn: whoever gives way in the middle of a step needs it.
  virtual Result<std::unique_ptr<ForwardPass>> new_forward_pass(int max_rows) = 0;

  // Times of clustering and prefill on this machine, learnt while running; keep them between runs with to_text().
  virtual ClusteringModel& clustering_model() = 0;

  virtual Result<std::unique_ptr<Sequence>> new_sequence(int max_tokens, bool keep_unrotated_keys = false) = 0;
};

// What people should know of how a model is talked to: that its own chat template cannot be run, and what is done
// instead. Empty where it is run, or where there is none.
std::string chat_template_note(const LanguageModel& model);

}  // namespace mneme::engine
