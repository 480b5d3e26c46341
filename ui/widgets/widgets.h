// Small parts that panels share: buttons, labels, wording, rows of lists, choices. Threads: the window's thread.
#pragma once

#include <span>
#include <string>

#include <imgui.h>

#include "ui/text/fonts.h"
#include "ui/widgets/buttons.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/theme.h"
#include "ui/widgets/wording.h"

namespace mneme::ui {

// A choice among several, as ImGui::BeginCombo: when it is open, ImGui::Selectable()s and ImGui::EndCombo() follow.
// What stands behind "##" of `id` is not shown.
// How wide one must be for the widest of these to have room in the current font; at least `least`.
float choice_width(std::span<const std::string> shown, float least, float scale);
bool begin_choice(const char* id, const std::string& shown, float width, const Theme& theme, float scale);

// As ImGui::TableSetupColumn, with a name in the window's language.
void table_column(const char* name, ImGuiTableColumnFlags flags, float width_or_weight = 0.0f);

// A row of one, as ImGui::Selectable with a name in the window's language. True when clicked.
bool choice_row(const char* name, bool selected);

// A row of a list that fills the width: icon, text cut to fit, selected or not, and `aside` muted at its right. True
// when clicked.
bool list_row(const char* id, Icon icon, const std::string& text, bool selected, const Theme& theme, float scale,
              const std::string& aside = {});

// A thin progress bar; fraction < 0 is "unknown".
void progress_bar(float fraction, const Theme& theme, float scale);

}  // namespace mneme::ui
