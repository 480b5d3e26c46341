// The window's icons. Each is a row of a table: strokes on a grid of 16 x 16, drawn at any size without a font or a
// picture. Threads: the window's thread.
#pragma once

#include <cstddef>

#include <imgui.h>

namespace mneme::ui {

enum class Icon {
  kPlus,
  kMinus,
  kSend,
  kStop,
  kFolder,
  kChat,
  kChip,
  kSliders,
  kSearch,
  kClose,
  kMore,
  kPin,
  kPanel,
  kCopy,
  kRetry,
  kEdit,
  kBranch,
  kChart,
  kPause,
  kPlay,
  kTrash,
  kBook,
  kPrevious,
  kNext,
  kWarning,
  kEye,
  kQuote
};
inline constexpr size_t kIconCount = static_cast<size_t>(Icon::kQuote) + 1;

// Draws an icon centred in a square of `size` pixels; nothing of it reaches beyond that square by more than half a
// stroke.
void draw_icon(ImDrawList& list, Icon icon, ImVec2 centre, float size, ImU32 colour);

}  // namespace mneme::ui
