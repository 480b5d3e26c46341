// Menus of the right mouse button and of the menu key, with rows far enough apart to be hit. Threads: the window's
// thread.
#pragma once

namespace mneme::ui {

// Of the last item (of the whole window: begin_window_menu), as ImGui::BeginPopupContextItem. When it is open,
// menu_item()s and end_menu() follow.
bool begin_menu(const char* id);
bool begin_window_menu(const char* id);
void end_menu();

// A row of one, as ImGui::MenuItem; `keys` are named in English. True when it was chosen.
bool menu_item(const char* name, const char* keys = nullptr, bool selected = false, bool enabled = true);

}  // namespace mneme::ui
