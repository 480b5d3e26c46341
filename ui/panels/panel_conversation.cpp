// Middle: the conversation. Messages are laid out once and drawn only where visible.
#include <algorithm>

#include <imgui.h>
#include <imgui_stdlib.h>

#include "ui/panels/panel.h"
#include "ui/widgets/widgets.h"

namespace mneme::ui {
namespace {

constexpr float kColumnWidth = 760.0f;  // longest comfortable line

const RichTextLayout& layout_of(PanelContext& c, const MessageView& message, const void* key, float width) {
  CachedLayout& cached = c.window.layouts[key];
  cached.last_frame = c.window.frame;
  const bool fresh = cached.text_bytes == message.text.size() && cached.width == width && cached.scale == c.scale &&
                     cached.font == c.fonts.regular;
  if (!fresh) {
    std::vector<MarkdownBlock> blocks;
    if (message.from_user) {
      MarkdownBlock plain;
      plain.inlines.emplace_back().text = printable(message.text);
      blocks.push_back(std::move(plain));
    } else {
      blocks = parse_markdown(message.text);
    }
    cached = {message.text.size(), width, c.scale, c.fonts.regular, lay_out(blocks, width, c.scale, c.fonts),
              c.window.frame};
  }
  return cached.layout;
}

// A message is known by its place: streaming makes a new object per token, its layout is looked up by the same key.
const void* key_of(const PanelContext& c, size_t index) {
  return reinterpret_cast<const void*>(static_cast<uintptr_t>(c.snapshot.conversation.chat) * 100003u + index * 16u +
                                       1u);
}

void draw_user_message(PanelContext& c, size_t index, const MessageView& message, float width) {
  if (c.window.editing_message == static_cast<int>(index)) {
    ImGui::InputTextMultiline("##edit", &c.window.edit_text, ImVec2(width, c.px(96)));
    if (primary_button("Ask again", c.theme) && !c.window.edit_text.empty()) {
      c.post(EditQuestion{index, c.window.edit_text});
      c.window.editing_message = -1;
    }
    ImGui::SameLine();
    if (ImGui::Button("Cancel")) c.window.editing_message = -1;
    return;
  }
  const float padding = c.px(14);
  const RichTextLayout& layout = layout_of(c, message, key_of(c, index), width - c.px(40) - 2 * padding);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 end(at.x + width, at.y + layout.height + 2 * padding);
  ImGui::GetWindowDrawList()->AddRectFilled(at, end, c.theme.surface, c.px(12));
  ImGui::SetCursorScreenPos(ImVec2(at.x + padding, at.y + padding));
  draw(layout, key_of(c, index), c.theme, c.scale, c.window.selection, {});
  if (ImGui::IsMouseHoveringRect(at, end) && !c.snapshot.answering) {
    ImGui::SetCursorScreenPos(ImVec2(end.x - c.px(40), at.y + c.px(6)));
    if (icon_button(Icon::kEdit, "Edit and ask again", c.theme, c.scale)) {
      c.window.editing_message = static_cast<int>(index);
      c.window.edit_text = message.text;
    }
  }
  ImGui::SetCursorScreenPos(ImVec2(at.x, end.y));
}

const char* stage_text(const std::string& stage) {
  if (stage == "retrieving") return "Looking through your documents…";
  if (stage == "loading") return "Loading what was read before…";
  if (stage == "reading") return "Reading the passages…";
  return "Answering…";
}

void draw_answer_actions(PanelContext& c, size_t index, const MessageView& message) {
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(c.px(2), 0));
  if (icon_button(Icon::kCopy, "Copy the answer", c.theme, c.scale)) ImGui::SetClipboardText(message.text.c_str());
  ImGui::SameLine();
  const bool last = index + 1 == c.snapshot.conversation.messages.size();
  if (last) {
    if (icon_button(Icon::kRetry, "Answer again", c.theme, c.scale, !c.snapshot.answering)) c.post(RegenerateAnswer{});
    ImGui::SameLine();
  }
  if (icon_button(Icon::kPanel, "Show its sources", c.theme, c.scale)) {
    c.window.selected_message = static_cast<int>(index);
    SettingsView settings = c.snapshot.settings;
    settings.show_sources = true;
    c.post(ChangeSettings{settings});
  }
  ImGui::PopStyleVar();
}

void draw_answer(PanelContext& c, size_t index, const MessageView& message, float width) {
  if (!message.error.empty()) {
    wrapped(message.error, c.fonts.regular, c.theme.danger);
    if (ImGui::Button("Try again")) c.post(RegenerateAnswer{});
    return;
  }
  if (message.text.empty() && message.streaming) {
    label(stage_text(message.stage), c.fonts.regular, c.theme.muted);
    return;
  }
  const RichTextLayout& layout = layout_of(c, message, key_of(c, index), width);
  RichTextActions actions;
  actions.citation_clicked = [&](int n) {
    c.window.selected_message = static_cast<int>(index);
    c.window.selected_source = n;
    c.window.scroll_to_source = true;
    for (const SourceView& source : message.sources) {
      if (source.n == n) c.post(ShowDocument{source});
    }
  };
  actions.citation_hovered = [&](int n) {
    c.window.hovered_source = n;
    for (const SourceView& source : message.sources) {
      if (source.n == n) ImGui::SetTooltip("%s", printable(source.title).c_str());
    }
  };
  actions.link_clicked = [&](const std::string& link) { ImGui::SetClipboardText(link.c_str()); };
  draw(layout, key_of(c, index), c.theme, c.scale, c.window.selection, actions);
  if (message.streaming) return;
  draw_answer_actions(c, index, message);
  if (message.facts) draw_insight(c, *message.facts, key_of(c, index));
}

// Nothing asked yet: what can be done next.
void draw_empty_state(PanelContext& c, float left, float width) {
  ImGui::SetCursorPos(ImVec2(left, std::max(c.px(40), ImGui::GetWindowHeight() * 0.28f)));
  ImGui::BeginGroup();
  const bool has_documents = !c.snapshot.library.collections.empty();
  if (has_documents) {
    int64_t documents = 0;
    for (const CollectionRow& row : c.snapshot.library.collections) documents += row.documents;
    label("What would you like to know?", c.fonts.title, c.theme.text);
    wrapped("Ask about your " + human_count(documents) + " documents. Every answer names its sources.", c.fonts.regular,
            c.theme.muted, width);
  } else {
    label("Ask your documents", c.fonts.title, c.theme.text);
    wrapped(
        "Add a folder; mneme reads it on this machine, and nothing leaves it. Then ask, and every answer shows where "
        "it "
        "comes from.",
        c.fonts.regular, c.theme.muted, width);
    ImGui::Dummy(ImVec2(0, c.px(8)));
    if (primary_button("Add a folder…", c.theme)) c.choose_folder();
    if (!c.snapshot.samples_folder.empty()) {
      ImGui::SameLine();
      if (ImGui::Button("Try the sample documents")) c.post(AddFolder{c.snapshot.samples_folder, "samples"});
    }
  }
  ImGui::EndGroup();
}

void draw_messages(PanelContext& c, float left, float width) {
  const auto& messages = c.snapshot.conversation.messages;
  ImGui::Dummy(ImVec2(0, c.px(16)));
  for (size_t i = 0; i < messages.size(); ++i) {
    ImGui::SetCursorPosX(left);
    ImGui::PushID(static_cast<int>(i));
    ImGui::BeginGroup();
    if (messages[i]->from_user) {
      draw_user_message(c, i, *messages[i], width);
    } else {
      draw_answer(c, i, *messages[i], width);
    }
    ImGui::EndGroup();
    ImGui::PopID();
    ImGui::Dummy(ImVec2(0, c.px(20)));
  }
  // Follow what is written unless the reader has scrolled away.
  if (ImGui::GetIO().MouseWheel > 0.0f && ImGui::IsWindowHovered()) c.window.stick_to_bottom = false;
  if (ImGui::GetScrollY() >= ImGui::GetScrollMaxY() - c.px(4)) c.window.stick_to_bottom = true;
  if (c.window.stick_to_bottom && c.snapshot.answering) ImGui::SetScrollHereY(1.0f);
}

}  // namespace

void draw_conversation(PanelContext& c) {
  const float lines =
      static_cast<float>(std::clamp<long>(std::count(c.window.input.begin(), c.window.input.end(), '\n') + 1, 1, 8));
  const float input_height = c.px(72) + lines * c.fonts.regular->FontSize * 1.2f;
  ImGui::BeginChild("messages", ImVec2(0, -input_height));
  const float available = ImGui::GetContentRegionAvail().x;
  const float width = std::min(c.px(kColumnWidth), available - c.px(48));
  const float left = (available - width) * 0.5f;
  if (c.snapshot.conversation.messages.empty()) {
    draw_empty_state(c, left, width);
  } else {
    draw_messages(c, left, width);
  }
  ImGui::EndChild();
  ImGui::SetCursorPosX(left);
  ImGui::BeginChild("input area", ImVec2(width, 0));
  draw_input(c);
  ImGui::EndChild();
}

}  // namespace mneme::ui
