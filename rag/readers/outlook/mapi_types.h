// Types of values that items of Outlook hold, in messages (msg) and stores (pst) alike [MS-OXCDATA, 2.11.1]. Internal
// to rag/readers.
#pragma once

#include <cstdint>

namespace mneme::readers::mapi {

inline constexpr uint16_t kShortNumber = 0x0002;
inline constexpr uint16_t kNumber = 0x0003;
inline constexpr uint16_t kFraction = 0x0005;
inline constexpr uint16_t kYesOrNo = 0x000b;
inline constexpr uint16_t kObject = 0x000d;
inline constexpr uint16_t kBytesOfText = 0x001e;
inline constexpr uint16_t kText = 0x001f;
inline constexpr uint16_t kTime = 0x0040;
inline constexpr uint16_t kBytes = 0x0102;

}  // namespace mneme::readers::mapi
