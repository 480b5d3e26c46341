// Kernels::attend_page on the tile unit of Intel server processors. Call only where the processor has it. Threads: pure
// function.
#pragma once

#include "engine/backend/cpu/kernels.h"

namespace mneme::engine::cpu {

void attend_page_amx(const AttentionPage& page);

}  // namespace mneme::engine::cpu
