// Any bytes as the body of an .hnsw file: refused, or an index that can be searched.
#include <array>

#include "rag/vectors/vector_index.h"
#include "tests/fuzz/fuzz_input.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  mneme::fuzz::Input input(data, size);
  const int dim = 1 + input.byte() % 8;
  const auto index = mneme::rag::VectorIndex::parse(input.rest_bytes(), dim);
  mneme::fuzz::require(index.ok() || !index.status().message().empty());
  if (!index.ok()) return 0;
  const std::array<float, 8> query{1, -1, 0.5f, 0, 2, 1, 1, 1};
  const std::span<const float> used = std::span(query).first(static_cast<size_t>(dim));
  (void)(*index)->search(used, 4);
  (void)(*index)->search(used, 4, {}, true);
  return 0;
}
