// The one table of what differs between model families. A new family is a row here (and, where it needs an operation
// nobody needed before, a field); the forward pass never asks for an architecture by name.
// Threads: constant data.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "engine/model/model_config.h"

namespace mneme::engine {

enum class Presence { kAbsent, kOptional, kRequired };

struct Architecture {
  std::string_view name;  // general.architecture in GGUF
  RopeLayout rope_layout = RopeLayout::kSplitHalf;
  bool uses_rope = true;
  NormKind norm = NormKind::kRms;
  bool norm_bias = true;  // of layer norms; RMS norms have none
  Activation activation = Activation::kSilu;
  bool gated_ffn = true;
  bool causal = true;
  bool scale_embedding = false;  // embeddings times sqrt(dim)
  bool own_scales = false;       // the metadata may scale embeddings, what blocks add, and logits
  bool needs_scales = false;     // it must scale all three
  bool logit_factor = false;     // the metadata may have a factor of logits
  bool rope_switch = false;      // the metadata may say that no layer rotates
  int unrotated_step = 0;        // of every so many layers the last uses no rotation; 0: all do
  bool query_growth = false;     // the metadata may scale queries by their positions
  float distance_bias = 0;       // ALiBi's largest exponent instead of rotations (ModelConfig); 0: none
  bool parallel_blocks = false;  // attention and feed-forward have one input, and one norm before both

  // Tensors a layer may have beside the common ones.
  Presence qkv_bias = Presence::kAbsent;
  Presence qk_norm = Presence::kAbsent;
  bool whole_qk_norm = false;                  // over all heads of a row together
  bool rotated_qk_norm = false;                // after rotation
  Presence fused_qkv = Presence::kAbsent;      // attn_qkv instead of attn_q, attn_k, attn_v
  Presence fused_gate_up = Presence::kAbsent;  // ffn_up holds gate, then up; optional: where there is no ffn_gate
  Presence linear_bias = Presence::kAbsent;    // attn_output, ffn_up, ffn_down
  bool input_norms = true;                     // norms before each block
  bool bare_norm_names = false;                // whose names may lack their ending
  bool bare_first_attention = false;           // but before the first layer's attention
  std::string_view ffn_norm = "ffn_norm";      // the name of the second of them
  bool sinks = false;                          // a logit a head in every softmax
  bool expert_bias = false;                    // router and experts have biases
  bool post_norms = false;                     // gemma: norms on each block's output, before the residual
  bool encoder_norms = false;                  // bert: norms after the residual, none before a block
  bool yes_no_ranker = false;                  // models of that name answer "yes" or "no" (rank_head.h)
  bool may_rank = true;                        // with a head for pairs
  bool ranks_by_mean = false;                  // whose input is the mean of all rows (rank_head.h)
  Presence experts = Presence::kAbsent;        // optional: the metadata's expert count decides
  bool some_experts = false;                   // in layers that the metadata names by a step; they have no gates
  bool normalised_experts = true;              // the weights of those that a token uses add up to one
  bool shared_expert = false;                  // the metadata may have one that every token uses
  bool weighed_shared_expert = false;          // and the token says how much
  bool counted_shared_experts = false;         // it may have several, of the others' width or another
  // The metadata says how experts are chosen and weighed (ExpertRouting), and how many layers before have none.
  bool routing_keys = false;
  bool sigmoid_gates = false;                // unless it says otherwise
  Presence choice_bias = Presence::kAbsent;  // added to routing weights to choose by, but not to weigh by
  bool draft_layers = false;                 // there may be layers behind the last that draft tokens; they are not run

  // Beside the layers.
  bool learned_positions = false;
  Presence token_types = Presence::kAbsent;
  bool embedding_norm = false;
  std::string_view output_norm = "output_norm";  // the name of the norm behind the last layer

  // Sliding windows: of every `window_pattern` layers all but the last use the window; 1: all layers do; 0: none.
  int window_pattern = 0;
  bool first_sees_all = false;          // all but the first instead
  bool unscaled_window_rope = false;    // window layers rotate without the model's rope scaling
  bool unrotated_full_layers = false;   // where there are windows, the other layers do not rotate
  double default_window_rope_base = 0;  // rope base of window layers when they have their own; 0: the model's
  float default_attention_softcap = 0;
  float default_logit_softcap = 0;
  // Layers with a state: the metadata has their sizes, and which layers attend instead (state_reader.h).
  StateKind states = StateKind::kNone;
  bool states_without_kv = false;    // which layers keep one is said by counts of KV heads: those that have none
  bool states_beside = false;        // all layers attend and keep a state, both of the same norm of their input
  bool layers_of_one_block = false;  // a layer keeps a state, attends or feeds forward, behind one norm
  Presence state_norm = Presence::kRequired;  // of what Mamba-2 finds
  bool neighbours_share = false;  // StateConfig's; strengths and decays of delta nets then lie in one matrix, ssm_ba
  bool gated_attention = false;   // attn_q holds a head's query, then its gates
  // Layer count of the one size whose attention scale is 1 / sqrt(dim / n_heads) instead of 1 / sqrt(head_dim).
  int odd_scale_layers = 0;

  // What may differ from layer to layer (layer_reader.h).
  bool layer_shapes = false;     // KV heads and feed-forward widths, in lists; window layers have their own head length
  bool shared_kv = false;        // the last layers may read the keys and values of earlier ones
  bool layer_scales = false;     // a number may multiply what a layer leaves
  bool layer_inputs = false;     // a token may have a vector for every layer
  bool keys_as_values = false;   // layers without attn_v take for values what attn_k makes
  bool value_norm = false;       // values pass a norm without weights
  bool unscaled_scores = false;  // attention's scale is 1 unless the metadata says otherwise
  bool unwritten_tokens = false;  // the metadata may list tokens that are not to be written
  bool experts_beside = false;    // experts stand beside the dense part, each with norms of its own
  // Multi-head latent attention (ModelConfig::latent).
  bool latent = false;
  bool biased_sigmoid_gates = false;  // sigmoid_gates where there is a choice_bias
};

std::span<const Architecture> architectures();
const Architecture* find_architecture(std::string_view name);  // null when unknown
std::string supported_architectures();                         // comma-separated, for messages

}  // namespace mneme::engine
