// An answer in the conversation: its words, what a model thought before, what can be done about it and what it cost.
#include <algorithm>

#include <imgui.h>

#include "ui/language/figures.h"
#include "ui/panels/conversation_view.h"
#include "ui/panels/message_parts.h"
#include "ui/view_model/quotation.h"
#include "ui/widgets/menu.h"
#include "ui/widgets/widgets.h"

namespace mneme::ui {
namespace {

const char* stage_text(const std::string& stage) {
  if (stage == "waiting") return tr("Waiting for the answer in another chat…");
  if (stage == "opening") return tr("Opening the model…");
  if (stage == "retrieving") return tr("Looking through your documents…");
  if (stage == "loading") return tr("Loading what was read before…");
  if (stage == "measuring") return tr("Trying out this model on this machine, once; the next answers begin sooner…");
  if (stage == "thinking") return tr("Thinking before it answers…");
  if (stage == "reading") return tr("Reading the passages…");
  return tr("Answering…");
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
  if (icon_button(Icon::kCopy, tr("Copy the answer (Ctrl+Shift+C for the last)"), c.theme, c.scale))
    copy_text(c, message.text);
  ImGui::SameLine();
  if (cites(message)) {
    if (icon_button(Icon::kQuote, tr("Copy the answer with its sources"), c.theme, c.scale))
      copy_text(c, answer_with_references(message));
    ImGui::SameLine();
  }
  const bool last = index + 1 == c.snapshot.conversation.messages.size();
  if (last) {
    if (icon_button(Icon::kRetry, tr("Answer again (Ctrl+R)"), c.theme, c.scale, !c.snapshot.conversation.answering))
      answer_again(c);
    ImGui::SameLine();
  }
  if (icon_button(Icon::kBranch, tr("Go on from here in a new chat"), c.theme, c.scale,
                  !c.snapshot.conversation.answering))
    c.post(BranchChat{index});
  ImGui::SameLine();
  if (icon_button(Icon::kPanel, tr("Show its sources"), c.theme, c.scale)) show_sources_of(c, index);
  ImGui::PopStyleVar();
}

// The question that the answer at `index` is to.
size_t question_of(const PanelContext& c, size_t index) {
  const auto& messages = c.snapshot.conversation.messages;
  while (index > 0 && !messages[index]->from_user) --index;
  return index;
}

// The commands are carried out one after the other.
void quote_instead(PanelContext& c, size_t question) {
  c.post(UseModel{"none", c.snapshot.settings.device, c.snapshot.settings.context_tokens});
  answer_again(c, question);
}

void draw_failed_answer(PanelContext& c, size_t index, const MessageView& message, float width) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  draw_icon(*ImGui::GetWindowDrawList(), Icon::kWarning, ImVec2(at.x + c.px(10), at.y + c.px(10)), c.px(18),
            c.theme.danger);
  ImGui::SetCursorScreenPos(ImVec2(at.x + c.px(28), at.y));
  ImGui::BeginGroup();
  copyable("error", as_sentence(message.error), c.fonts.regular, c.theme.text, width - c.px(28));
  ImGui::BeginDisabled(c.snapshot.conversation.answering);
  if (plain_button(tr("Try again"))) answer_again(c, question_of(c, index));
  ImGui::EndDisabled();
  same_line_if_room(tr("Models…"));
  if (plain_button(tr("Models…"))) go_to(c, Page::kModels);
  if (c.snapshot.engine.state != EngineView::State::kNone) {
    same_line_if_room(tr("Quote passages"));
    if (plain_button(tr("Quote passages"))) quote_instead(c, question_of(c, index));
  }
  ImGui::EndGroup();
}

// A model that was stopped too early, or ended at once.
void draw_empty_answer(PanelContext& c, size_t index, const MessageView& message, float width) {
  const bool stopped = message.facts && message.facts->finish == "interrupted";
  wrapped(stopped ? tr("This was stopped before anything was written.") : tr("The model wrote nothing."),
          c.fonts.regular, c.theme.muted, width);
  ImGui::BeginDisabled(c.snapshot.conversation.answering);
  if (primary_button(tr("Answer it"), c.theme)) answer_again(c, question_of(c, index));
  ImGui::EndDisabled();
}

// What goes on until the first word, and for how long where it takes its time.
void draw_waiting_answer(PanelContext& c, size_t index, const MessageView& message, float width) {
  constexpr double kLong_s = 3.0;
  double& since = box_of(c, index).waits_since;
  if (since < 0.0) since = ImGui::GetTime();
  const double waited = ImGui::GetTime() - since;
  std::string text = stage_text(message.stage);
  if (waited >= kLong_s) text += " " + seconds_text(waited);
  c.window.tells_time = true;
  wrapped(text, c.fonts.regular, c.theme.muted, width);
}

void answer_menu(PanelContext& c, size_t index, const MessageView& message) {
  if (!begin_menu("message menu")) return;
  const MessageBox& box = box_of(c, index);
  if (c.window.selection.owner == &box) {
    const std::string selected = selected_text(box.layout.layout(), c.window.selection);
    if (menu_item(tr("Copy"), "Ctrl+C", false, !selected.empty())) copy_text(c, selected);
  }
  if (menu_item(tr("Copy the answer"), "Ctrl+Shift+C")) copy_text(c, message.text);
  if (cites(message) && menu_item(tr("Copy the answer with its sources")))
    copy_text(c, answer_with_references(message));
  if (message.details_json && menu_item(tr("Copy its details (JSON)"))) copy_text(c, *message.details_json);
  if (menu_item(tr("Branch from here"), nullptr, false, !c.snapshot.conversation.answering)) c.post(BranchChat{index});
  if (menu_item(tr("Show its sources"))) show_sources_of(c, index);
  end_menu();
}

void ask_all(PanelContext& c) {
  c.change_settings([](SettingsView& s) { s.collection.clear(); });
  answer_again(c);
}

// No passage was read at all, as nothing was there to be searched, or nothing that fits: that the documents do not say
// it would be wrong, once there are some.
void draw_no_passage(PanelContext& c, size_t index, float width) {
  wrapped(c.snapshot.indexing.running
              ? tr("Nothing was found for this so far: your documents are still being read.")
              : tr("No passage was found for this when it was asked. If documents have come since, "
                   "it can be answered from them."),
          c.fonts.regular, c.theme.muted, width);
  ImGui::BeginDisabled(c.snapshot.conversation.answering);
  if (primary_button(tr("Answer it again"), c.theme)) answer_again(c, question_of(c, index));
  if (!c.snapshot.settings.collection.empty()) {
    same_line_if_room(tr("Ask all collections"));
    if (plain_button(tr("Ask all collections"))) ask_all(c);
  }
  ImGui::EndDisabled();
  ImGui::Dummy(ImVec2(0, c.px(4)));
}

// Passages were read, and none of them was quoted: what else can be tried.
void draw_not_found(PanelContext& c, float width) {
  const std::string& asked = c.snapshot.settings.collection;
  ImGui::Dummy(ImVec2(0, c.px(2)));
  if (c.snapshot.indexing.running)
    wrapped(tr("Your documents are still being read; what is not read yet was not searched."), c.fonts.regular,
            c.theme.muted, width);
  wrapped(
      tr("Other words may find it: those that stand in the documents. What none of them holds, mneme does not know."),
      c.fonts.regular, c.theme.muted, width);
  if (const CollectionRow* failed = asked_with_failed(c)) {
    wrapped(filled(tr_n("It may stand in what could not be read: {0} file of {1}.",
                        "It may stand in what could not be read: {0} files of {1}.", failed->failed),
                   number_text(failed->failed), failed->name),
            c.fonts.regular, c.theme.muted, width);
    if (plain_button(tr("See why"))) show_failed(c, *failed);
    if (!asked.empty()) same_line_if_room(tr("Ask all collections"));
  }
  if (!asked.empty() && plain_button(tr("Ask all collections"))) ask_all(c);
  ImGui::Dummy(ImVec2(0, c.px(2)));
}

// Who has passages quoted gets one as the answer, or is told that there is none.
bool found_nothing(const MessageView& answer) {
  const bool quotes = answer.facts && answer.facts->model == "none" && !answer.facts->in_documents;
  return quotes && std::none_of(answer.sources.begin(), answer.sources.end(), [](const auto& s) { return s.cited; });
}

// A small model may say that the documents do not, though they do.
bool rests_on_nothing(const MessageView& answer) {
  const bool written = answer.facts && !answer.facts->model.empty() && answer.facts->model != "none";
  return written && !answer.sources.empty() && !cites(answer);
}

void draw_resting_on_nothing(PanelContext& c, size_t index, float width) {
  wrapped(tr("This rests on none of the passages that were read. What they say about it can be quoted instead."),
          c.fonts.regular, c.theme.muted, width);
  if (plain_button(tr("Quote passages"))) quote_instead(c, question_of(c, index));
  ImGui::Dummy(ImVec2(0, c.px(2)));
}

// What quotations leave out, or were looked for otherwise, is no detail: "The documents do not say: ...".
void draw_notes(PanelContext& c, const std::vector<std::string>& notes, float width) {
  if (notes.empty()) return;
  ImGui::Dummy(ImVec2(0, c.px(2)));
  for (std::string note : notes) {
    if (!note.empty() && note.front() >= 'a' && note.front() <= 'z') note.front() -= 'a' - 'A';
    wrapped(note, c.fonts.regular, c.theme.muted, width);
  }
  ImGui::Dummy(ImVec2(0, c.px(2)));
}

void unfold(PanelContext& c, bool& open) {
  open = !open;
  stay_in_view(c.window);
}

// What a model that thinks first wrote before its answer; for who asks for it.
void draw_reasoning(PanelContext& c, MessageBox& box, const MessageView& message, float width) {
  if (message.reasoning.empty()) return;
  if (disclosure("reasoning", tr("What the model thought"), box.reasoning_open, c.theme.muted, c.theme, c.scale))
    unfold(c, box.reasoning_open);
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

}  // namespace

void draw_answer(PanelContext& c, size_t index, const MessageView& message, float width) {
  const bool waits = message.text.empty() && message.streaming && message.error.empty();
  if (!waits) box_of(c, index).waits_since = -1.0;
  if (!message.error.empty()) return draw_failed_answer(c, index, message, width);
  if (waits) return draw_waiting_answer(c, index, message, width);
  const bool last = index + 1 == c.snapshot.conversation.messages.size();
  const bool nothing_read = nothing_to_ask(c);
  if (last && nothing_read && !c.snapshot.indexing.running && found_nothing(message))
    return draw_nothing_to_ask(c, width);
  const bool nothing_to_say = message.sources.empty() && found_nothing(message) && message.facts->notes.empty();
  if (last && !message.streaming && nothing_to_say) return draw_no_passage(c, index, width);
  MessageBox& box = box_of(c, index);
  draw_reasoning(c, box, message, width);
  if (message.text.empty()) return draw_empty_answer(c, index, message, width);
  const bool quoted = message.facts && message.facts->model == "none";
  const TextForm form = quoted ? TextForm::kQuoted : TextForm::kMarkdown;
  const RichTextLayout& layout = box.layout.update(message.text, form, width, c.scale, c.fonts);
  RichTextActions actions;
  actions.citation_clicked = [&](int n) {
    for (const SourceView& source : message.sources) {
      if (source.n == n) open_source(c, static_cast<int>(index), source);
    }
  };
  actions.citation_hovered = [&](int n) {
    if (selected_answer(c) == &message) c.window.hovered_source = n;  // else it would be another answer's
    const auto source =
        std::find_if(message.sources.begin(), message.sources.end(), [n](const auto& s) { return s.n == n; });
    if (source != message.sources.end()) return source_tooltip(c, *source);
    if (!message.streaming) tooltip(tr("The model names a passage that it was not given"));
  };
  actions.link_clicked = [&](const std::string& link) { follow_link(c, link); };
  mark_found(c, index, layout);
  draw(layout, &box, c.theme, c.scale, c.window.selection, actions);
  answer_menu(c, index, message);
  if (message.streaming) return;
  if (last && nothing_read && !c.snapshot.indexing.running) draw_nothing_to_ask(c, width);
  if (last && !nothing_read && found_nothing(message)) draw_not_found(c, width);
  if (last && !nothing_read && rests_on_nothing(message) && !c.snapshot.conversation.answering)
    draw_resting_on_nothing(c, index, width);
  if (quoted) draw_notes(c, message.facts->notes, width);
  draw_answer_actions(c, index, message);
  if (message.facts && draw_insight(c, message, width, box.insight_open)) unfold(c, box.insight_open);
}

}  // namespace mneme::ui
