// What a limited program says of bytes it is given, as one text. Internal to rag/readers. Threads: as ReadContext.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/status.h"
#include "rag/readers/read_context.h"

namespace mneme::readers {

// Runs it with the file as its input, within the time and memory that the context has left. Errors: kCancelled;
// kResource where it ran out of time or says more than `largest_bytes`; kIo when it fails.
Result<std::string> output_of(ReadContext& context, const std::vector<std::string>& argv, int file,
                              size_t largest_bytes);

}  // namespace mneme::readers
