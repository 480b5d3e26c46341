// The engine's vocabulary of small types. Dimension glossary, used everywhere:
//   n_layers, n_heads (query heads), n_kv_heads, head_dim, dim (model width), ffn_dim, vocab_size, n_rows (token rows
//   of one step), n_tokens (tokens of a sequence), position (index of a token in its sequence).
#pragma once

#include <cstdint>

namespace mneme::engine {

using TokenId = int32_t;   // index into the vocabulary; -1 is "none"
using TokenPos = int32_t;  // position in a sequence, from 0

inline constexpr TokenId kNoToken = -1;

// Interactive steps go before background ones (engine/engine_queue.h).
enum class Priority { kInteractive, kBackground };

}  // namespace mneme::engine
