#include "rag/readers/process/child_output.h"

#include <string_view>

#include "rag/readers/process/child_process.h"

namespace mneme::readers {

Result<std::string> output_of(ReadContext& context, const std::vector<std::string>& argv, int file,
                              size_t largest_bytes) {
  std::string output;
  const ChildLimits limits{context.time_left(), context.limits().memory_bytes, context.limits().cancel};
  const auto child = run_child(argv, file, limits, [&](std::string_view piece) -> Status {
    if (output.size() + piece.size() > largest_bytes) return resource_error("its page is too large.");
    output += piece;
    return {};
  });
  if (!child.ok()) return child.status();
  if (child->timed_out) return resource_error("it ran out of time.");
  if (child->exit_code != 0) return io_error(argv[0] + " failed: " + printable(child->errors) + ".");
  return output;
}

}  // namespace mneme::readers
