// Readers of what programs of Apple keep. Internal to rag/readers. Threads: pure functions.
#pragma once

#include <string_view>

#include "base/status.h"
#include "rag/readers/read_context.h"

namespace mneme::readers {

// Documents of Pages, Numbers and Keynote.
// looks_like_iwork: of a zip archive, whatever it is called.
bool looks_like_iwork(std::string_view beginning);
Status read_iwork(ReadContext& context, Input input);

// Pages that Safari saved (webarchive).
Status read_webarchive(ReadContext& context, Input input);

}  // namespace mneme::readers
