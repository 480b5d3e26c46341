// Middle: the conversation. Only what is in sight is laid out and drawn; the heights of the rest are guessed first and
// measured while there is time in a frame, so that a long chat opens at once.
#include <algorithm>
#include <chrono>
#include <utility>

#include <imgui.h>
#include <imgui_internal.h>

#include "base/human_text.h"
#include "ui/panels/conversation_view.h"
#include "ui/panels/panel.h"
#include "ui/text/imgui_fonts.h"
#include "ui/view_model/quotation.h"
#include "ui/widgets/menu.h"
#include "ui/widgets/widgets.h"

namespace mneme::ui {
namespace {

using Clock = std::chrono::steady_clock;

constexpr float kColumnWidth = 760.0f;                // longest comfortable line
constexpr std::chrono::milliseconds kMeasureTime{2};  // from the begin of a frame, what is in sight included
constexpr size_t kLongestQuestion = 200 * 1000;

MessageBox& box_of(PanelContext& c, size_t index) {
  MessageBox& box = c.window.messages[{c.snapshot.conversation.chat, index}];
  box.last_frame = c.window.frame;
  return box;
}

void draw_editing(PanelContext& c, size_t index, float width) {
  TextEditor& editor = c.window.edited;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 size(width, editor.height(width, c.fonts.regular, c.scale, 10));
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(at, ImVec2(at.x + size.x, at.y + size.y), c.theme.raised, c.px(12));
  list.AddRect(at, ImVec2(at.x + size.x, at.y + size.y), c.theme.accent, c.px(12));
  const TextEditor::Outcome outcome = editor.draw("##edit", size, "", kLongestQuestion, c.theme, c.scale);
  const bool ask = primary_button("Ask again", c.theme) || outcome.submitted;
  if (ask && !editor.text().empty()) {
    c.post(EditQuestion{index, editor.text()});
    c.window.editing_message = -1;
    follow_question(c.window);
    c.window.focus_question = true;
  }
  ImGui::SameLine();
  if (plain_button("Cancel") || outcome.cancelled) c.window.editing_message = -1;
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  label("What follows is replaced; a branch keeps it.", c.fonts.small, c.theme.muted);
}

void user_menu(PanelContext& c, size_t index, const MessageView& message) {
  if (!begin_menu("message menu")) return;
  if (ImGui::MenuItem("Copy")) copy_text(c, message.text);
  if (ImGui::MenuItem("Edit and ask again", nullptr, false, !c.snapshot.answering)) edit_question(c, index);
  end_menu();
}

// What is drawn reaches to here, though nothing stands there: newer versions of Dear ImGui want an item for that.
void reach_to(const ImVec2& at) {
  ImGuiWindow& window = *ImGui::GetCurrentWindow();
  window.DC.CursorPos = at;
  window.DC.CursorMaxPos.x = std::max(window.DC.CursorMaxPos.x, at.x);
  window.DC.CursorMaxPos.y = std::max(window.DC.CursorMaxPos.y, at.y);
}

void draw_question(PanelContext& c, size_t index, const MessageView& message, float width) {
  if (c.window.editing_message == static_cast<int>(index)) return draw_editing(c, index, width);
  MessageBox& box = box_of(c, index);
  const float padding = c.px(14);
  const RichTextLayout& layout =
      box.layout.update(message.text, TextForm::kPlain, width - c.px(40) - 2 * padding, c.scale, c.fonts);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 end(at.x + width, at.y + layout.height + 2 * padding);
  ImGui::GetWindowDrawList()->AddRectFilled(at, end, c.theme.surface, c.px(12));
  ImGui::SetCursorScreenPos(ImVec2(at.x + padding, at.y + padding));
  mark_found(c, index, layout);
  draw(layout, &box, c.theme, c.scale, c.window.selection, {});
  user_menu(c, index, message);
  ImGui::SetCursorScreenPos(ImVec2(end.x - c.px(40), at.y + c.px(7)));
  if (icon_button(Icon::kEdit, "Edit and ask again (Ctrl+E for the last)", c.theme, c.scale, !c.snapshot.answering))
    edit_question(c, index);
  reach_to(ImVec2(at.x, end.y));
  // A question whose answer was never saved: the window was closed or the machine stopped meanwhile.
  if (index + 1 == c.snapshot.conversation.messages.size() && !c.snapshot.answering) {
    ImGui::Dummy(ImVec2(0, c.px(6)));
    label("This question has no answer yet.", c.fonts.regular, c.theme.muted);
    if (primary_button("Answer it", c.theme)) answer_again(c);
  }
}

const char* stage_text(const std::string& stage) {
  if (stage == "opening") return "Opening the model…";
  if (stage == "retrieving") return "Looking through your documents…";
  if (stage == "loading") return "Loading what was read before…";
  if (stage == "measuring") return "Trying out this model on this machine, once; the next answers begin sooner…";
  if (stage == "thinking") return "Thinking before it answers…";
  if (stage == "reading") return "Reading the passages…";
  return "Answering…";
}

void show_sources_of(PanelContext& c, size_t index) {
  c.window.selected_message = static_cast<int>(index);
  c.change_settings([](SettingsView& s) { s.show_sources = true; });
}

bool cites(const MessageView& answer) {
  return std::any_of(answer.sources.begin(), answer.sources.end(), [](const SourceView& s) { return s.cited; });
}

void draw_answer_actions(PanelContext& c, size_t index, const MessageView& message) {
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(c.px(2), 0));
  if (icon_button(Icon::kCopy, "Copy the answer (Ctrl+Shift+C for the last)", c.theme, c.scale))
    copy_text(c, message.text);
  ImGui::SameLine();
  if (cites(message)) {
    if (icon_button(Icon::kQuote, "Copy the answer with its sources", c.theme, c.scale))
      copy_text(c, answer_with_references(message));
    ImGui::SameLine();
  }
  const bool last = index + 1 == c.snapshot.conversation.messages.size();
  if (last) {
    if (icon_button(Icon::kRetry, "Answer again (Ctrl+R)", c.theme, c.scale, !c.snapshot.answering)) answer_again(c);
    ImGui::SameLine();
  }
  if (icon_button(Icon::kBranch, "Go on from here in a new chat", c.theme, c.scale, !c.snapshot.answering))
    c.post(BranchChat{index});
  ImGui::SameLine();
  if (icon_button(Icon::kPanel, "Show its sources", c.theme, c.scale)) show_sources_of(c, index);
  ImGui::PopStyleVar();
}

void draw_failed_answer(PanelContext& c, const MessageView& message, float width) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  draw_icon(*ImGui::GetWindowDrawList(), Icon::kWarning, ImVec2(at.x + c.px(10), at.y + c.px(10)), c.px(18),
            c.theme.danger);
  ImGui::SetCursorScreenPos(ImVec2(at.x + c.px(28), at.y));
  ImGui::BeginGroup();
  copyable("error", as_sentence(message.error), c.fonts.regular, c.theme.text, width - c.px(28));
  if (plain_button("Try again")) answer_again(c);
  ImGui::SameLine();
  if (plain_button("Models…")) go_to(c, Page::kModels);
  ImGui::EndGroup();
}

void answer_menu(PanelContext& c, size_t index, const MessageView& message) {
  if (!begin_menu("message menu")) return;
  const MessageBox& box = box_of(c, index);
  if (c.window.selection.owner == &box) {
    const std::string selected = selected_text(box.layout.layout(), c.window.selection);
    if (ImGui::MenuItem("Copy", "Ctrl+C", false, !selected.empty())) copy_text(c, selected);
  }
  if (ImGui::MenuItem("Copy the answer", "Ctrl+Shift+C")) copy_text(c, message.text);
  if (cites(message) && ImGui::MenuItem("Copy the answer with its sources"))
    copy_text(c, answer_with_references(message));
  if (message.details_json && ImGui::MenuItem("Copy its details (JSON)")) copy_text(c, *message.details_json);
  if (ImGui::MenuItem("Branch from here", nullptr, false, !c.snapshot.answering)) c.post(BranchChat{index});
  if (ImGui::MenuItem("Show its sources")) show_sources_of(c, index);
  end_menu();
}

int64_t documents_of(const Snapshot& snapshot) {
  int64_t documents = 0;
  for (const CollectionRow& row : snapshot.library.collections) documents += row.documents;
  return documents;
}

// What there is to do while nothing is indexed.
void offer_documents(PanelContext& c) {
  if (primary_button("Add a folder…", c.theme)) c.hooks.choose_folder();
  if (c.snapshot.samples_folder.empty()) return;
  ImGui::SameLine();
  if (plain_button("Try the sample documents")) c.post(AddFolder{c.snapshot.samples_folder, "samples"});
}

// Whether the sample documents are among those that are asked.
bool samples_are_asked(const PanelContext& c) {
  const std::string& asked = c.snapshot.settings.collection;
  const auto& rows = c.snapshot.library.collections;
  return !c.snapshot.samples_folder.empty() && std::any_of(rows.begin(), rows.end(), [&](const CollectionRow& row) {
    const bool holds = std::find(row.roots.begin(), row.roots.end(), c.snapshot.samples_folder) != row.roots.end();
    return holds && row.documents > 0 && (asked.empty() || asked == row.name);
  });
}

// Who tries the samples does not know yet what is in them.
void offer_questions(PanelContext& c) {
  ImGui::Dummy(ImVec2(0, c.px(8)));
  label("The sample documents can tell, for example:", c.fonts.small, c.theme.muted);
  for (const char* question : {"How do I descale the kettle?", "How many rooms does Hotel Meridian have?",
                               "What is the deposit of the workshop?"}) {
    if (plain_button(question)) c.post(AskQuestion{question});
  }
}

// Who asks before there is a document is told so: that “the documents do not say” is true, but no help.
void draw_nothing_to_ask(PanelContext& c, float width) {
  const auto& rows = c.snapshot.library.collections;
  const auto failed = std::find_if(rows.begin(), rows.end(), [](const CollectionRow& row) { return row.failed > 0; });
  ImGui::Dummy(ImVec2(0, c.px(8)));
  wrapped(failed != rows.end() ? "None of the files in your folders could be read yet."
          : !rows.empty()      ? "Your folders hold nothing that mneme reads. Add another one, then ask again."
                               : "Nothing is indexed yet. Add a folder, then ask again.",
          c.fonts.regular, c.theme.muted, width);
  if (failed == rows.end()) {
    offer_documents(c);
  } else if (primary_button("See why", c.theme)) {
    c.post(ShowCollection{failed->name});
    c.window.failed_open = true;
    go_to(c, Page::kLibrary);
  }
  ImGui::Dummy(ImVec2(0, c.px(4)));
}

// Passages were read, and none of them was quoted: what else can be tried.
void draw_not_found(PanelContext& c, float width) {
  const std::string& asked = c.snapshot.settings.collection;
  ImGui::Dummy(ImVec2(0, c.px(2)));
  wrapped("Other words may find it: those that stand in the documents. What none of them holds, mneme does not know.",
          c.fonts.regular, c.theme.muted, width);
  if (!asked.empty() && plain_button("Ask all collections")) {
    c.change_settings([](SettingsView& s) { s.collection.clear(); });
    answer_again(c);
  }
  ImGui::Dummy(ImVec2(0, c.px(2)));
}

// Who has passages quoted gets one as the answer, or is told that there is none.
bool found_nothing(const MessageView& answer) {
  const bool quotes = answer.facts && answer.facts->model == "none";
  return quotes && std::none_of(answer.sources.begin(), answer.sources.end(), [](const auto& s) { return s.cited; });
}

// What a model that thinks first wrote before its answer; for who asks for it.
void draw_reasoning(PanelContext& c, MessageBox& box, const MessageView& message, float width) {
  if (message.reasoning.empty()) return;
  if (disclosure("reasoning", "What the model thought", box.reasoning_open, c.theme.muted, c.theme, c.scale))
    box.reasoning_open = !box.reasoning_open;
  if (!box.reasoning_open) return;
  const float indent = c.px(14);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const RichTextLayout& layout =
      box.reasoning.update(message.reasoning, TextForm::kMarkdown, width - indent, c.scale, c.fonts);
  ImGui::GetWindowDrawList()->AddRectFilled(at, ImVec2(at.x + c.px(3), at.y + layout.height), c.theme.border, c.px(2));
  ImGui::Indent(indent);
  draw(layout, &box.reasoning, c.theme, c.scale, c.window.selection, {});
  ImGui::Unindent(indent);
  ImGui::Dummy(ImVec2(0, c.px(6)));
}

void draw_answer(PanelContext& c, size_t index, const MessageView& message, float width) {
  if (!message.error.empty()) return draw_failed_answer(c, message, width);
  if (message.text.empty() && message.streaming) {
    wrapped(stage_text(message.stage), c.fonts.regular, c.theme.muted, width);
    return;
  }
  MessageBox& box = box_of(c, index);
  draw_reasoning(c, box, message, width);
  const RichTextLayout& layout = box.layout.update(message.text, TextForm::kMarkdown, width, c.scale, c.fonts);
  RichTextActions actions;
  actions.citation_clicked = [&](int n) {
    for (const SourceView& source : message.sources) {
      if (source.n == n) open_source(c, static_cast<int>(index), source);
    }
  };
  actions.citation_hovered = [&](int n) {
    c.window.hovered_source = n;
    for (const SourceView& source : message.sources) {
      if (source.n == n) source_tooltip(c, source);
    }
  };
  actions.link_clicked = [&](const std::string& link) { follow_link(c, link); };
  mark_found(c, index, layout);
  draw(layout, &box, c.theme, c.scale, c.window.selection, actions);
  answer_menu(c, index, message);
  if (message.streaming) return;
  const bool last = index + 1 == c.snapshot.conversation.messages.size();
  const bool nothing_read = c.snapshot.library.loaded && documents_of(c.snapshot) == 0;
  if (last && nothing_read && !c.snapshot.indexing.running) draw_nothing_to_ask(c, width);
  if (last && !nothing_read && found_nothing(message)) draw_not_found(c, width);
  draw_answer_actions(c, index, message);
  if (message.facts) draw_insight(c, *message.facts, width, box.insight_open);
}

// Nothing asked yet: what can be done next.
void draw_empty_state(PanelContext& c, float left, float width) {
  ImGui::SetCursorPos(ImVec2(left, std::max(c.px(24), ImGui::GetWindowHeight() * 0.28f)));
  ImGui::BeginGroup();
  const int64_t documents = documents_of(c.snapshot);
  if (!c.snapshot.library.loaded) {
    label("What would you like to know?", c.fonts.title, c.theme.text);
  } else if (documents > 0) {
    label("What would you like to know?", c.fonts.title, c.theme.text);
    wrapped("Ask about your " + human_number_of(documents, "document") + ". Every answer names its sources.",
            c.fonts.regular, c.theme.muted, width);
    if (samples_are_asked(c)) offer_questions(c);
  } else {
    label("Ask your documents", c.fonts.title, c.theme.text);
    wrapped(
        "Add a folder; mneme reads it on this machine, and nothing leaves it. Then ask, and every answer shows where "
        "it comes from.",
        c.fonts.regular, c.theme.muted, std::min(width, c.px(560)));
    ImGui::Dummy(ImVec2(0, c.px(8)));
    offer_documents(c);
  }
  ImGui::EndGroup();
}

// Before a message was drawn: near enough for the scroll bar.
float guessed_height(const PanelContext& c, const MessageView& message, float width) {
  const float characters_per_line = std::max(10.0f, width / (font_size(c.fonts.regular) * 0.5f));
  const float lines = 1.0f + static_cast<float>(message.text.size()) / characters_per_line;
  return lines * font_size(c.fonts.regular) * 1.45f + c.px(message.from_user ? 28 : 90);
}

void draw_message(PanelContext& c, size_t index, float left, float width) {
  const MessageView& message = *c.snapshot.conversation.messages[index];
  ImGui::SetCursorPosX(left);
  ImGui::PushID(static_cast<int>(index));
  ImGui::BeginGroup();
  if (message.from_user) {
    draw_question(c, index, message, width);
  } else {
    draw_answer(c, index, message, width);
  }
  ImGui::EndGroup();
  ImGui::PopID();
  ImGui::Dummy(ImVec2(0, c.px(20)));
}

// Brings the question into sight whose editing has just begun: without its editor what is typed would go elsewhere.
void scroll_to_editing(PanelContext& c, float y, float height) {
  const float above = y - ImGui::GetScrollY();
  if (above >= 0.0f && above + height <= ImGui::GetWindowHeight()) return;
  c.window.follow = Follow::kNothing;
  c.window.scroll_conversation = above - c.px(40);
}

// Messages out of sight keep their place; those never seen are drawn once, unseen, while there is time.
void draw_messages(PanelContext& c, float left, float width) {
  const auto& messages = c.snapshot.conversation.messages;
  if (std::exchange(c.window.messages_width, width) != width) {
    for (auto& entry : c.window.messages) entry.second.measured = false;  // lines break elsewhere now
  }
  look_for_found(c);
  ImGui::Dummy(ImVec2(0, c.px(16)));
  const float top = ImGui::GetScrollY() - c.px(200);
  const float bottom = ImGui::GetScrollY() + ImGui::GetWindowHeight() + c.px(200);
  const Clock::time_point begin = Clock::now();
  float moved = 0.0f;  // what measuring above the view moved it by
  int measured = 0;    // out of sight, in this frame
  LastQuestion last;
  for (size_t i = 0; i < messages.size(); ++i) {
    MessageBox& box = box_of(c, i);
    if (!box.measured && box.height == 0.0f) box.height = guessed_height(c, *messages[i], width);
    const float y = ImGui::GetCursorPosY();
    if (messages[i]->from_user) last = {y, y + box.height};
    if (c.window.found_in_chat.message == static_cast<int>(i)) c.window.found_in_chat.y = y;
    const bool edited = c.window.editing_message == static_cast<int>(i);
    if (edited && std::exchange(c.window.scroll_to_editing, false)) scroll_to_editing(c, y, box.height);
    const bool visible = edited || (y < bottom && y + box.height > top);
    // At least one in every frame: where what is in sight takes all the time, the rest would never be done.
    const bool measure = !box.measured && (measured == 0 || Clock::now() - begin < kMeasureTime);
    if (!visible && !measure) {
      if (!box.measured) c.window.wants_frame = true;
      ImGui::Dummy(ImVec2(width, std::max(0.0f, box.height - ImGui::GetStyle().ItemSpacing.y)));
      continue;
    }
    measured += visible ? 0 : 1;
    const float old_height = box.height;
    draw_message(c, i, left, width);
    box.height = ImGui::GetCursorPosY() - y;
    box.measured = true;
    if (y + old_height < ImGui::GetScrollY()) moved += box.height - old_height;
  }
  leave_room_below(c, last);
  follow_conversation_view(c, last, moved);
}

void draw_title(PanelContext& c, float left, float width) {
  if (c.snapshot.conversation.title.empty()) return;
  ImGui::SetCursorPos(ImVec2(left, c.px(10)));
  label(c.snapshot.conversation.title, c.fonts.small, c.theme.muted, width - c.px(40));
}

}  // namespace

void draw_conversation(PanelContext& c) {
  const float available = ImGui::GetContentRegionAvail().x;
  const float margin = std::min(c.px(48), available * 0.1f);
  const float width = std::min(c.px(kColumnWidth), available - margin);
  const float left = (available - width) * 0.5f;
  draw_title(c, left, width);
  ImGui::SetCursorPosY(c.px(30));
  ImGui::BeginChild("messages", ImVec2(0, -input_height(c, width)));
  if (c.snapshot.conversation.messages.empty()) {
    draw_empty_state(c, left, width);
  } else {
    draw_messages(c, left, width);
  }
  ImGui::EndChild();
  ImGui::SetCursorPosX(left);
  ImGui::BeginChild("input area", ImVec2(width, 0), false,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  draw_input(c);
  ImGui::EndChild();
}

}  // namespace mneme::ui
