// Rich Text as Outlook packs it (MS-OXRTFCP). Internal to rag/readers. Threads: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace mneme::readers {

// Of damaged or cut bytes what can be unpacked; "" where they are nothing of the kind. At most nine times as many bytes
// as came.
std::string unpacked_rtf(std::string_view packed);

}  // namespace mneme::readers
