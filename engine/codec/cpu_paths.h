// Which instruction sets the codecs' inner loops may use here. All paths give the same bits. Threads: pure functions.
#pragma once

#include <string_view>
#include <vector>

namespace mneme::engine {

// "scalar", then "avx2", "avx512" where the processor has them; and that of the chosen instruction set
// (engine/simd/instruction_set.h).
std::vector<std::string_view> codec_paths();
std::string_view best_codec_path();

}  // namespace mneme::engine
