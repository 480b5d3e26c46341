// What belongs to a Dear ImGui context and every widget may need; its UserData points here.
#pragma once

namespace mneme::ui {

class FocusOrder;
class FontAtlas;
class TooltipRest;
struct Composing;

struct ContextData {
  FontAtlas* fonts = nullptr;
  FocusOrder* focus_order = nullptr;
  Composing* composing = nullptr;
  TooltipRest* tooltip_rest = nullptr;
};

}  // namespace mneme::ui
