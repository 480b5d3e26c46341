// Kernels::attend_page by products of bf16 on 512-bit registers. Call only where the processor has AVX-512 BF16.
// Threads: pure function.
#pragma once

#include "engine/backend/cpu/kernels.h"

namespace mneme::engine::cpu {

void attend_page_avx512bf16(const AttentionPage& page);

}  // namespace mneme::engine::cpu
