// The largest codes that keys may be given, for whoever takes them from a user. Threads: constants.
#pragma once

namespace mneme::engine {

inline constexpr int kMaxKeyParts = 8;     // that a key is cut into
inline constexpr int kMaxKeyCodeBits = 8;  // of the code of one part

}  // namespace mneme::engine
