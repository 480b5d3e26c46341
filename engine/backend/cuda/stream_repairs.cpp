#include "engine/backend/cuda/stream_repairs.h"

namespace mneme::engine::cuda {
namespace {

size_t count_of(ByteSpan exceptions) {
  return exceptions.size() / kTransformExceptionBytes;
}

// How many of the exceptions are ahead of a symbol. Where they do not ascend: some number up to all of them, which does
// not fall from one symbol to a later one, so that no two streams take the same exception.
size_t n_ahead(ByteSpan exceptions, size_t symbol) {
  size_t begin = 0;
  size_t end = count_of(exceptions);
  while (begin < end) {
    const size_t middle = begin + (end - begin) / 2;
    if (transform_exception_at(exceptions, middle).index < symbol) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return begin;
}

}  // namespace

bool write_stream_repairs(const TransformPlan& plan, const StreamExceptions& own, size_t first, uint32_t* begin,
                          ComponentRepair* repairs) {
  const TransformStream& stream = own.stream;
  const auto n_tokens = static_cast<size_t>(stream.n_tokens);
  const size_t n_symbols = n_tokens * static_cast<size_t>(plan.row);
  // It ends where the next stream begins, so that between them they see every exception.
  size_t i = own.is_first ? 0 : n_ahead(own.all, stream.first_symbol);
  const size_t end = own.is_last ? count_of(own.all) : n_ahead(own.all, stream.first_symbol + n_symbols);
  const size_t n_groups = plan.groups.size();
  size_t n_begun = 0;       // groups
  size_t next_allowed = 0;  // symbol of the stream
  for (; i < end; ++i) {
    const TransformException exception = transform_exception_at(own.all, i);
    const size_t local = exception.index - stream.first_symbol;  // beyond the stream where it is ahead of it
    if (local < next_allowed || local >= n_symbols) return false;
    next_allowed = local + 1;
    // Symbols stand component by component and so group by group.
    const auto place = static_cast<int>(static_cast<uint32_t>(local) / static_cast<uint32_t>(n_tokens));
    while (n_begun == 0 || (n_begun < n_groups && place >= plan.groups[n_begun].first))
      begin[n_begun++] = static_cast<uint32_t>(first + i);
    const auto token = static_cast<int>(static_cast<uint32_t>(local) % static_cast<uint32_t>(n_tokens));
    repairs[i] = {token, static_cast<int16_t>(place - plan.groups[n_begun - 1].first), exception.value};
  }
  while (n_begun <= n_groups) begin[n_begun++] = static_cast<uint32_t>(first + i);
  return true;
}

}  // namespace mneme::engine::cuda
