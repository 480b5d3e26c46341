// The table of kernels one instruction set provides; the backend calls nothing else that is hot. kernels_scalar.cpp is
// the reference the others are tested against. All pointers are row-major and borrowed; strides are in elements.
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <span>

#include "base/f16.h"
#include "base/fetch_ahead.h"
#include "engine/backend/cpu/kv_page.h"
#include "engine/backend/cpu/six_bit_factors.h"

namespace mneme::engine::cpu {

enum class FloatType { kF32, kF16, kBF16 };

// y[m][n] = sum_k x[m][k] * w[n][k] + bias[n], f32 throughout.
struct FloatProduct {
  FloatType type = FloatType::kF32;  // of w
  const void* w = nullptr;           // (n_columns, n_in)
  int64_t w_stride = 0;
  const float* x = nullptr;  // (n_rows, n_in)
  int64_t x_stride = 0;
  const float* bias = nullptr;  // (n_columns) or null
  float* y = nullptr;           // (n_rows, n_columns)
  int64_t y_stride = 0;
  int n_rows = 0;
  int n_columns = 0;
  int64_t n_in = 0;
};

// Keys or values of one attention call, and its running softmax. Queries are independent rows; a query sees the keys of
// the page whose index in the page is in [first[m], end[m]).
struct AttentionPage {
  int n_queries = 0;
  int head_dim = 0;
  int value_stride = 0;            // elements between values of consecutive keys, a multiple of 16
  const float* queries = nullptr;  // (n_queries, head_dim), already scaled
  KvPage kv;
  FetchAhead ahead;  // what will be read after this page, to be asked for meanwhile where there are few queries
  int n_keys = 0;    // keys any query sees, from the page's start
  const int* first = nullptr;
  const int* end = nullptr;
  float softcap = 0;
  // Where given, the score of key i falls by slopes[m] times |i - places[m]|, the query's own place, both (n_queries).
  const float* slopes = nullptr;
  const int* places = nullptr;
  bool coarse = false;       // numbers may be rounded to bf16 before they are multiplied
  bool equal_alone = false;  // each query's numbers are to be those it would have alone
  float* maximum = nullptr;  // (n_queries), -inf at the start
  float* sum = nullptr;      // (n_queries), 0 at the start
  float* out = nullptr;      // (n_queries, value_stride), 0 at the start; unnormalised
  float* scratch = nullptr;  // attention_scratch_floats() floats, 64-byte aligned
};

// Attention of one row's queries to tokens that lie scattered; every query sees all of them. The running softmax is
// that of AttentionPage, so that rows and pages may follow each other.
struct AttentionRows {
  int n_queries = 0;
  int head_dim = 0;
  int value_stride = 0;
  const float* queries = nullptr;  // (n_queries, head_dim), already scaled
  const KvRow* rows = nullptr;     // (n_rows + n_ahead): all f16 or all codes
  int n_rows = 0;
  // Memory is asked for kAhead rows before it is read: of the rows after these as well, the first n_ahead (up to
  // kAhead) of which are known. The caller says how many of the first rows were asked for so, by an earlier call.
  static constexpr int kAhead = 64;
  int n_ahead = 0;
  int n_fetched = 0;
  float softcap = 0;
  float* maximum = nullptr;
  float* sum = nullptr;
  float* out = nullptr;
  float* scratch = nullptr;  // attention_scratch_floats()
};

// Activations rounded to int8, 32 elements to a scale; sums serve weights whose codes have a zero point or a minimum.
inline constexpr int kRowBlock = 32;
struct QuantizedRow {
  int8_t* codes = nullptr;      // (n)
  float* scales = nullptr;      // (n / 32)
  int32_t* minus_sums[2] = {};  // minus the sum of codes, per 32 (n / 32) and per 16 (n / 16)
  float* scaled_sums[2] = {};   // scale * sum of codes, likewise
};

// How many inputs' codes lie together where scales lie between them (packed_matrix.h), and the scales' bytes.
inline constexpr int kChunkInputs = 64;
inline constexpr int kChunkScaleBytes = 64;
inline constexpr int kChunkBytes = kChunkInputs * kPanelRows + kChunkScaleBytes;

// Scales of a panel as packed_matrix.h lays them out.
struct PackedScales {
  // plain: (n_in / group, 16), or in chunks; super: (n_in / 256) of 16, 32 apart
  const f16* d = nullptr;
  const f16* dmin = nullptr;        // likewise; null: no minimums
  const int8_t* factors = nullptr;  // super: (n_in / group, 16), each times its d; null: plain
  const uint8_t* minimum_factors = nullptr;
  const SixBitFactors* six_bits = nullptr;  // super: (n_in / 256), instead of both factors
};

// Room for weights widened to bf16, of one thread: while a product multiplies one slice of its depth, the next slice is
// made, its own or the next product's first.
struct WideSlices {
  bf16* slices[2] = {};  // each kWideSliceElements, 64-byte aligned
  int current = 0;       // the slice that the next product begins with
};
inline constexpr int kWideSliceDepth = 2048;  // inputs of a slice at most
inline constexpr int kWideSliceElements = 2 * kPanelRows * kWideSliceDepth;

// Weights of two panels of 16 output rows, times some activation rows. Layout: packed_matrix.h.
struct PanelProduct {
  const uint8_t* codes[2] = {};     // per panel
  bool nibbles = false;             // codes are 4 bits wide; else bytes
  int high_bits = 0;                // with nibbles: bits above them, in `high`
  const uint8_t* high[2] = {};      // per panel
  const uint8_t* levels = nullptr;  // (16) of IQ4: the code of each nibble; null: itself
  bool in_chunks = false;           // codes in bytes, with their scales between them; for Kernels::multiply_run only
  int zero_shift = -1;              // weights are code - (1 << zero_shift); -1: code as it is
  int group = 32;                   // elements to a scale, 32 or 16
  int n_in = 0;
  bool minimum = false;           // whether there are minimums, which are subtracted
  const float* scales[2] = {};    // per panel (n_in / group, 16)
  const float* minimums[2] = {};  // the same, or null
  PackedScales packed_scales[2];  // where `scales` are null: instead of both
  int n_columns = 0;              // outputs to write, 1 to 32, or those of a run
  const float* bias = nullptr;    // (n_columns) or null

  FetchAhead ahead;  // what will be multiplied later, to be asked for meanwhile
  // Of a run (Kernels::multiply_run) instead of `ahead`; only its first panel is described, the others follow it.
  int64_t panel_bytes = 0;
  const uint8_t* end = nullptr;   // of the run's memory
  const uint8_t* then = nullptr;  // where reading goes on; null: nobody knows

  int n_rows = 0;
  const int8_t* x = nullptr;              // (n_rows, n_in)
  const float* x_scales = nullptr;        // (n_rows, n_in / 32)
  const int32_t* x_minus_sums = nullptr;  // (n_rows, n_in / group)
  const float* x_scaled_sums = nullptr;   // (n_rows, n_in / group)
  // Where given, instead of all other x: (n_rows / 16 rounded up, n_in / 32, 16, 32), tiles of 16 rows.
  const bf16* x_wide = nullptr;
  float* sums = nullptr;  // with x_wide: (n_rows rounded up to 32, 32) of scratch, 64-byte aligned
  // With x_wide: scratch that lasts from product to product, and whether the one before has made the first slice.
  WideSlices* wide = nullptr;
  bool is_begun = false;
  const PanelProduct* next = nullptr;  // with x_wide: its first slice is made meanwhile; only the weights count
  float* y = nullptr;
  int64_t y_stride = 0;
};

inline int64_t attention_scratch_floats(int n_queries, int head_dim, int value_stride) {
  return int64_t{kPageTokens} * (n_queries + head_dim + value_stride);
}

// out = f(bias + sum over j of weights[j] * rows[j]) of n channels: weights of neighbouring rows are weight_stride
// apart.
struct Convolution {
  const float* const* rows = nullptr;  // n_rows of them
  int n_rows = 0;
  const float* weights = nullptr;
  int64_t weight_stride = 0;
  const float* bias = nullptr;  // null: none
  int n = 0;
  bool silu = true;  // f; else what goes in
  float* out = nullptr;
};

// Consecutive rows of one value head of a layer that keeps a state (state_kernels.h), up to kStateRows. Queries and
// keys are key_stride floats apart, the state's rows, values and what is found stride: multiples of 16, and what lies
// behind the elements is zero, and stays so.
inline constexpr int kStateRows = 16;
struct StateRows {
  int n_rows = 0;
  int key_length = 0;
  int key_stride = 0;
  int stride = 0;
  const float* queries_keys = nullptr;  // (2 n_rows): queries, scaled, then keys
  const float* values = nullptr;        // (n_rows)
  const float* products = nullptr;      // (2 n_rows, n_rows), without gaps: queries_keys times each key; of sums the
                                        // queries' alone are read
  const float* decays = nullptr;        // of each row, in [0, 1]
  const float* strengths = nullptr;     // of each row
  float skip = 0;                       // of sums: how much of its value a row finds beside
  float* state = nullptr;               // (key_length), by key and value
  float* out = nullptr;                 // (n_rows)
  float* scratch = nullptr;             // (n_rows) of keys
};

struct Kernels {
  const char* name;

  void (*multiply_floats)(const FloatProduct& product);

  void (*rms_norm)(const float* x, const float* weight, float epsilon, int n, float* out);
  void (*layer_norm)(const float* x, const float* weight, const float* bias, float epsilon, int n, float* out);
  void (*add)(const float* x, int n, float* out);                      // out += x
  void (*add_scaled)(const float* x, float scale, int n, float* out);  // out += scale * x
  // out = activation(gate) * up; up null: activation(gate).
  void (*silu)(const float* gate, const float* up, int n, float* out);
  void (*gelu)(const float* gate, const float* up, int n, float* out);
  void (*gelu_tanh)(const float* gate, const float* up, int n, float* out);
  void (*sigmoid)(const float* gate, const float* up, int n, float* out);
  void (*softcap)(float cap, int n, float* x);  // x = cap * tanh(x / cap)
  void (*to_half)(const float* x, int n, f16* out);
  void (*to_float)(const f16* x, int n, float* out);

  // Turns n pairs of one head in place, pair i by the angle of cosines[i] and sines[i]: (head[i], head[n + i]), or
  // (head[2 i], head[2 i + 1]).
  void (*rotate_halves)(const float* cosines, const float* sines, int n, float* head);
  void (*rotate_neighbours)(const float* cosines, const float* sines, int n, float* head);

  // n is a multiple of 32.
  void (*quantize_row)(const float* x, int n, const QuantizedRow& out);
  // out[b][g][j] = d[b][j] * factors[b][g][j] for n_blocks of n_groups of 16; the d of blocks are 32 elements apart.
  void (*scale_signed)(const f16* d, const int8_t* factors, int n_blocks, int n_groups, float* out);
  void (*scale_unsigned)(const f16* d, const uint8_t* factors, int n_blocks, int n_groups, float* out);
  // Codes of n_in inputs of a panel, one byte each, from their nibbles and `high_bits` (0, 1, 2) upper bits.
  void (*unpack_codes)(const uint8_t* nibbles, const uint8_t* high, int high_bits, const uint8_t* levels, int n_in,
                       uint8_t* out);
  // Takes nibble panels as they are up to max_nibble_rows rows; above, unpack them first.
  int max_nibble_rows;
  // Up to so many rows products take packed_scales; no more than max_nibble_rows.
  int max_packed_scale_rows;
  // From so many rows on, products take x_wide and codes in bytes. widen_row puts one row of n elements, a multiple of
  // 32, in its place there.
  int min_wide_rows;
  void (*widen_row)(const float* x, int row, int n, bf16* out);  // null: never
  void (*multiply_panels)(const PanelProduct& product);
  // Products of up to max_run_rows rows take packed_scales and runs of panels, one after the other, instead of two
  // together, where memory is best read from its beginning to its end and there is multiply_run (else null).
  bool panels_in_order;
  int max_run_rows;
  void (*multiply_run)(const PanelProduct& product);

  // One page of streaming softmax: see AttentionPage. Where rows are many, so many queries are best given at once.
  int queries_per_block;
  void (*attend_page)(const AttentionPage& page);
  // The same over scattered tokens.
  void (*attend_rows)(const AttentionRows& rows);
  // Their scores alone, the soft cap not applied: scores (n_queries, stride), written to a multiple of 16 rows.
  void (*score_rows)(const AttentionRows& rows, int64_t stride, float* scores);

  // Layers that keep a state. Rows of a chunk find what they find alone, but for rounding.
  void (*run_delta)(const StateRows& rows);       // gated delta nets
  void (*run_state_sums)(const StateRows& rows);  // Mamba-2
  void (*convolve)(const Convolution& convolution);
};

const Kernels& scalar_kernels();
// Call these only where the processor has what they are named for.
const Kernels& avx2_kernels();
const Kernels& avxvnni_kernels();
const Kernels& avx512_kernels();
const Kernels& avx512bf16_kernels();
const Kernels& amx_kernels();

// What the processor can run (engine/simd/instruction_set.h), the reference first, the best last.
std::span<const Kernels* const> available_kernels();

// Those of the chosen instruction set.
const Kernels& best_kernels();

}  // namespace mneme::engine::cpu
