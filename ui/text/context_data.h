// What belongs to a Dear ImGui context and every widget may need; its UserData points here.
#pragma once

namespace mneme::ui {

class FocusOrder;
class FontAtlas;

struct ContextData {
  FontAtlas* fonts = nullptr;
  FocusOrder* focus_order = nullptr;
};

}  // namespace mneme::ui
