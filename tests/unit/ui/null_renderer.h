// What a renderer says of the atlas once it has it, where tests have none.
#pragma once

#include <imgui.h>

namespace mneme::ui {

// After the fonts were built: from 1.92 on Dear ImGui insists that what is drawn with the atlas names a texture.
inline void name_atlas_texture() {
#if IMGUI_VERSION_NUM >= 19200
  ImGui::GetIO().Fonts->TexData->SetTexID(1);
#endif
}

}  // namespace mneme::ui
