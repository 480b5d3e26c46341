// Right: the passages behind the selected answer, or the document one of them stands in.
#include <algorithm>
#include <iterator>

#include "base/utf8.h"
#include "rag/answering/citations/cited_words.h"
#include "ui/panels/panel.h"
#include "ui/view_model/quotation.h"
#include "ui/widgets/focus_order.h"
#include "ui/widgets/keys.h"
#include "ui/widgets/menu.h"
#include "ui/widgets/widgets.h"

namespace mneme::ui {
namespace {

// What the answer says of the source, as it stands in it.
std::string quotations_of(const PanelContext& c, const SourceView& source) {
  const MessageView* answer = selected_answer(c);
  return answer == nullptr ? "" : quotations(source, rag::words_citing(answer->text, source.n));
}

void card_menu(PanelContext& c, const SourceView& source) {
  if (!begin_menu("card menu")) return;
  if (menu_item(tr("Open the document"))) c.hooks.open_path(source.document);
  const std::string quoted = quotations_of(c, source);
  if (menu_item(tr("Copy the quotation with its source"), nullptr, false, !quoted.empty())) copy_text(c, quoted);
  if (menu_item(tr("Copy the passage"))) copy_text(c, source.text);
  if (menu_item(tr("Copy its path"))) copy_text(c, source.document);
  end_menu();
}

void draw_card(PanelContext& c, const SourceView& source) {
  const bool selected = source.n == c.window.selected_source;
  ImGui::PushID(source.n);
  if (selected && c.window.scroll_to_source) {
    ImGui::SetScrollHereY(0.1f);
    c.window.scroll_to_source = false;
  }
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.ChannelsSplit(2);
  list.ChannelsSetCurrent(1);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  ImGui::SetCursorScreenPos(ImVec2(at.x + c.px(12), at.y + c.px(10)));
  ImGui::BeginGroup();
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(c.px(8), c.px(4)));
  const float inner = width - c.px(24);
  label("[" + std::to_string(source.n) + "]  " + source.title, c.fonts.bold, c.theme.text, inner);
  if (const std::string place = place_of(source); !place.empty()) label(place, c.fonts.small, c.theme.muted, inner);
  draw_excerpt(c, source, inner);
  if (source.cited && source.quoted) label(tr("Quoted in the answer"), c.fonts.small, c.theme.success, inner);
  if (source.cited && !source.quoted) label(tr("Cited, in other words"), c.fonts.small, c.theme.muted, inner);
  ImGui::PopStyleVar();
  ImGui::EndGroup();
  const ImVec2 end(at.x + width, ImGui::GetItemRectMax().y + c.px(10));
  ImGui::SetCursorScreenPos(at);
  if (pressable("card", ImVec2(width, end.y - at.y))) open_source(c, c.window.selected_message, source);
  const bool hot = ImGui::IsItemHovered() || source.n == c.window.hovered_source;
  focus_ring(c.theme, c.scale);
  add_focus_stop(FocusOrder::Kind::kRow, selected);
  card_menu(c, source);
  list.ChannelsSetCurrent(0);
  list.AddRectFilled(at, end, hot ? c.theme.hover : c.theme.raised, c.px(10));
  list.AddRect(at, end, selected || source.cited ? c.theme.accent : c.theme.border, c.px(10), 0,
               selected ? c.px(2) : 1.0f);
  list.ChannelsMerge();
  ImGui::PopID();
}

// Of several answers only one has its sources here, and it may be out of sight.
void draw_question_asked(PanelContext& c, const MessageView& answer) {
  const auto& messages = c.snapshot.conversation.messages;
  if (messages.size() <= 2) return;
  const auto at = std::find_if(messages.begin(), messages.end(), [&](const auto& m) { return m.get() == &answer; });
  const auto question = std::find_if(std::make_reverse_iterator(at), messages.rend(),
                                     [](const auto& message) { return message->from_user; });
  if (question == messages.rend()) return;
  constexpr size_t kMost = 400;  // more has no room
  const std::string& text = (*question)->text;
  label(filled(tr("of the answer to “{0}”"), text.substr(0, utf8::floor_boundary(text, std::min(kMost, text.size())))),
        c.fonts.small, c.theme.muted);
}

void draw_cards(PanelContext& c) {
  const MessageView* answer = selected_answer(c);
  label(tr("Sources"), c.fonts.heading, c.theme.text, ImGui::GetContentRegionAvail().x - c.px(40));
  beside_heading(c, c.px(44));
  if (icon_button(Icon::kClose, tr("Hide the sources (Ctrl+J)"), c.theme, c.scale))
    c.change_settings([](SettingsView& s) { s.show_sources = false; });
  if (answer == nullptr || answer->sources.empty()) {
    wrapped(tr("The passages an answer rests on appear here."), c.fonts.small, c.theme.muted);
    return;
  }
  draw_question_asked(c, *answer);
  // Cited ones first, each group in the order of the prompt.
  std::vector<const SourceView*> ordered;
  ordered.reserve(answer->sources.size());
  for (const SourceView& source : answer->sources) ordered.push_back(&source);
  std::stable_sort(ordered.begin(), ordered.end(), [](const auto* a, const auto* b) { return a->cited && !b->cited; });
  bool cited = true;
  if (!ordered.front()->cited && !answer->streaming)
    label(tr("Read, but the answer rests on none of them"), c.fonts.small, c.theme.muted);
  for (const SourceView* source : ordered) {
    if (cited && !source->cited && source != ordered.front()) label(tr("Also read"), c.fonts.small, c.theme.muted);
    cited = source->cited;
    draw_card(c, *source);
  }
}

}  // namespace

void draw_sources(PanelContext& c) {
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(c.px(16), c.px(16)));
  ImGui::BeginChild("sources", ImVec2(0, 0), false, ImGuiWindowFlags_AlwaysUseWindowPadding);
  lay_ground(c, c.theme.surface);
  if (shows_document(c) && c.snapshot.document->text) {
    draw_document(c);
  } else {
    take_scroll(c.window.scroll_document);
    draw_cards(c);
  }
  ImGui::EndChild();
  ImGui::PopStyleVar();
  c.window.hovered_source = 0;
}

}  // namespace mneme::ui
