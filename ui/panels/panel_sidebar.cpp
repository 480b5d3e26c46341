// Left: chats, the collections that can be asked, and the ways to the other pages.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <imgui.h>

#include "ui/language/figures.h"
#include "ui/panels/collection_menu.h"
#include "ui/text/imgui_fonts.h"
#include "ui/view_model/chat_periods.h"
#include "ui/widgets/menu.h"
#include "ui/widgets/widgets.h"

namespace mneme::ui {
namespace {

constexpr float kRowHeight = 34.0f;  // of list_row()
constexpr float kRowSpacing = 4.0f;
constexpr size_t kMostCollections = 5;  // in sight, and half of one more, which says that the rest scrolls
constexpr float kAboveAsk = 6.0f;       // what they are for
constexpr float kAbovePages = 2.0f;
constexpr float kProgressBar = 6.0f;          // the height of progress_bar()
constexpr int kPages = 4;                     // that rows lead to
constexpr float kHeightForCollections = 560;  // lower windows leave them to the question's own choice
constexpr float kFewestChats = 3;             // in sight; in windows too low for them all of the sidebar scrolls

void chat_menu(PanelContext& c, const ChatRow& chat) {
  if (!begin_menu("chat menu")) return;
  if (menu_item(tr("Rename"), "F2")) begin_rename(c, chat.id, chat.title);
  if (is_answered_elsewhere(c.snapshot, chat.id) && menu_item(tr("Stop its answer"))) c.post(StopAnswer{chat.id});
  if (menu_item(chat.pinned ? tr("Unpin") : tr("Pin"), nullptr, false, chat.id > 0))
    c.post(PinChat{chat.id, !chat.pinned});
  if (menu_item(tr("Export as Markdown"))) c.post(ExportChat{chat.id, export_path(chat.title, ".md")});
  if (menu_item(tr("Export as JSON"))) c.post(ExportChat{chat.id, export_path(chat.title, ".json")});
  ImGui::Separator();
  if (menu_item(tr("Delete"))) c.post(DeleteChat{chat.id});
  end_menu();
}

void rename_field(PanelContext& c, const ChatRow& chat) {
  const TextEditor::Outcome outcome =
      c.window.rename_field.draw("##rename", c.window.rename_text, 0.0f, tr("Name of the chat"), c.theme, c.scale);
  const bool is_name = c.window.rename_text.find_first_not_of(" \t") != std::string::npos;
  if (outcome.submitted && is_name) c.post(RenameChat{chat.id, c.window.rename_text});
  if (outcome.submitted || outcome.left) c.window.renaming_chat = 0;
}

// What goes on in a chat that is not shown, and what has become of it.
const char* news_of(const PanelContext& c, const ChatRow& chat) {
  if (is_answered_elsewhere(c.snapshot, chat.id)) return tr("answering…");
  if (chat.unkept) return tr("not kept");
  return c.window.unseen_answers.contains(chat.id) ? tr_c("chat", "new") : "";
}

void chat_row(PanelContext& c, const ChatRow& chat) {
  ImGui::PushID(static_cast<int>(chat.id));
  if (c.window.renaming_chat == chat.id) {
    rename_field(c, chat);
  } else {
    const bool selected = c.window.page == Page::kChat && chat.id == c.snapshot.conversation.chat;
    if (list_row("chat", chat.pinned ? Icon::kPin : Icon::kChat, chat.title, selected, c.theme, c.scale,
                 news_of(c, chat)))
      open_chat(c, chat.id);
    if (chat.unkept && ImGui::IsItemHovered())
      tooltip(tr("Not all of it could be kept so far; it is tried again as long as this window is open."));
    chat_menu(c, chat);
  }
  ImGui::PopID();
}

// Titles are filtered at once; what is said in chats is searched by the controller and joins when it is there.
void follow_chats(PanelContext& c) {
  const std::string& filter = c.window.chat_filter;
  if (filter != c.window.searched_chats) {
    c.window.searched_chats = filter;
    c.post(SearchChats{filter});
  }
  c.window.chat_list.update(c.snapshot.chats, c.snapshot.chat_matches, filter, last_midnight_ms());
}

// The chat that has come to be shown, or is to be renamed, may be far down the list.
void scroll_to_sought(PanelContext& c, const std::vector<ListedChat>& lines) {
  for (size_t i = 0; c.window.sought_chat != 0 && i < lines.size(); ++i) {
    if (lines[i].chat == nullptr || lines[i].chat->id != c.window.sought_chat) continue;
    c.window.sought_chat = 0;
    const float y = static_cast<float>(i) * c.px(kRowHeight + kRowSpacing);
    const float top = ImGui::GetScrollY();
    if (y >= top && y + c.px(kRowHeight) <= top + ImGui::GetWindowHeight()) continue;
    ImGui::SetScrollY(y - ImGui::GetWindowHeight() * 0.4f);
    c.window.wants_frame = true;  // it is seen in the next
  }
}

void period_row(const PanelContext& c, const std::string& period) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 text(at.x, at.y + c.px(kRowHeight - 6) - font_size(c.fonts.small));
  ImGui::GetWindowDrawList()->AddText(c.fonts.small, font_size(c.fonts.small), text, c.theme.muted,
                                      drawable(period, c.fonts.small).c_str());
  ImGui::Dummy(ImVec2(1, c.px(kRowHeight)));
}

void draw_chats(PanelContext& c, float height) {
  ImGui::BeginChild("chats", ImVec2(0, height));
  const std::vector<ListedChat>& lines = c.window.chat_list.lines();
  scroll_to_sought(c, lines);
  if (c.snapshot.chats->empty()) {
    wrapped(tr("Your questions and their answers will be kept here."), c.fonts.small, c.theme.muted);
  } else if (lines.empty()) {
    wrapped(tr("No chat says that."), c.fonts.small, c.theme.muted);
  }
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(lines.size()));
  while (clipper.Step()) {
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const ListedChat& line = lines[static_cast<size_t>(i)];
      line.chat == nullptr ? period_row(c, line.period) : chat_row(c, *line.chat);
    }
  }
  ImGui::EndChild();
}

// The line that says what they are for.
float above_collections(const PanelContext& c) {
  return c.px(kAboveAsk + 2 * kRowSpacing) + font_size(c.fonts.small);
}

float collections_height(const PanelContext& c) {
  const size_t n = c.snapshot.library.collections.size();
  if (n == 0 || ImGui::GetIO().DisplaySize.y < c.px(kHeightForCollections)) return 0.0f;
  const bool all = n + 1 <= kMostCollections;
  const float rows = all ? static_cast<float>(n + 1) : static_cast<float>(kMostCollections) + 0.5f;
  return above_collections(c) + rows * c.px(kRowHeight + kRowSpacing);
}

// Scrolls to the collection that has come to be asked; `rows` stand below “All collections”.
void scroll_to_asked(PanelContext& c, const std::vector<CollectionRow>& rows) {
  const std::string& asked = c.snapshot.settings.collection;
  if (rows.empty() || c.window.seen_asked == asked) return;
  c.window.seen_asked = asked;
  const auto found =
      std::find_if(rows.begin(), rows.end(), [&](const CollectionRow& row) { return row.name == asked; });
  const auto index = asked.empty() || found == rows.end() ? 0 : found - rows.begin() + 1;
  scroll_row_into_sight(c, static_cast<float>(index) * c.px(kRowHeight + kRowSpacing), c.px(kRowHeight));
}

// A row of what questions are asked about; `row`: null for all of it.
void ask_row(PanelContext& c, const CollectionRow* row) {
  const std::string& asked = c.snapshot.settings.collection;
  const std::string name = row == nullptr ? "" : row->name;
  const bool marked = c.window.page == Page::kChat && asked == name;  // one row is marked at a time, but for the chat
  ImGui::PushID(row == nullptr ? "all" : row->name.c_str());
  const bool chosen =
      row == nullptr ? list_row("##all", Icon::kBook, tr("All collections"), marked, c.theme, c.scale)
                     : list_row("##ask", Icon::kFolder, name, marked, c.theme, c.scale, number_text(row->documents));
  if (chosen) {
    c.change_settings([&](SettingsView& s) { s.collection = name; });
    go_to(c, Page::kChat);
  }
  if (row != nullptr) collection_menu(c, *row);
  ImGui::PopID();
}

// What questions are asked about: one collection, or all.
void draw_collections(PanelContext& c, float height) {
  if (height <= 0.0f) return;
  ImGui::Dummy(ImVec2(0, c.px(kAboveAsk)));  // a chat that is cut off above does not touch it
  label(tr("Ask about"), c.fonts.small, c.theme.muted);
  ImGui::BeginChild("collections", ImVec2(0, height - above_collections(c)));
  const std::vector<CollectionRow>& rows = c.snapshot.library.collections;
  scroll_to_asked(c, rows);
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(rows.size()) + 1, c.px(kRowHeight + kRowSpacing));
  while (clipper.Step()) {
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i)
      ask_row(c, i == 0 ? nullptr : &rows[static_cast<size_t>(i) - 1]);
  }
  ImGui::EndChild();
}

void page_row(PanelContext& c, Icon icon, const char* name, Page page, const char* keys) {
  if (list_row(english_of(name), icon, name, c.window.page == page, c.theme, c.scale)) go_to(c, page);
  if (ImGui::IsItemHovered()) tooltip(keys_text(keys));
}

bool works_in_background(const PanelContext& c) {
  const IndexingView& indexing = c.snapshot.indexing;
  return indexing.running || indexing.paused || indexing.elsewhere;
}

// What is going on in the background, always in sight.
void draw_background_work(PanelContext& c) {
  const IndexingView& indexing = c.snapshot.indexing;
  if (!works_in_background(c)) return;
  const float fraction = indexing.total == 0 || indexing.counting
                             ? -1.0f
                             : static_cast<float>(indexing.done) / static_cast<float>(indexing.total);
  const bool looks = indexing.running && indexing.counting && indexing.chunks == 0;
  const char* const state = indexing.paused                         ? tr("Indexing is paused")
                            : indexing.pausing && indexing.counting ? tr("Pausing… {0}")
                            : indexing.pausing                      ? tr("Pausing… {0} of {1}")
                            : indexing.waits                        ? tr("Waiting for another program")
                            : looks                                 ? tr("Looking for files…")
                            : indexing.running && indexing.counting ? tr("Indexing {0}")
                            : indexing.running                      ? tr("Indexing {0} of {1}")
                                                                    : tr("Another mneme is indexing");
  std::string text = filled(state, number_text(static_cast<int64_t>(indexing.done)),
                            number_text(static_cast<int64_t>(indexing.total)));
  const bool counts = indexing.running && !indexing.paused && !indexing.waits && !looks;
  if (counts && indexing.eta_s >= 0.5) text = listed(text, filled(tr("{0} left"), seconds_text(indexing.eta_s)));
  label(text, c.fonts.small, c.theme.muted);
  progress_bar(fraction, c.theme, c.scale);
}

// All that stands below the chats: what comes and goes there takes their room, and the rows at the bottom stay where
// they are.
float height_below_chats(const PanelContext& c, float collections) {
  const float pages = static_cast<float>(kPages) * (kRowHeight + kRowSpacing);
  float height = c.px(kRowSpacing + kAbovePages + pages);
  if (collections > 0.0f) height += collections + c.px(kRowSpacing);
  if (works_in_background(c)) height += font_size(c.fonts.small) + c.px(kProgressBar + 2 * kRowSpacing);
  return std::ceil(height) + 1.0f;
}

}  // namespace

void draw_sidebar(PanelContext& c, float width) {
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(c.px(12), c.px(16)));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(c.px(8), c.px(kRowSpacing)));
  ImGui::BeginChild("sidebar", ImVec2(width, 0), false, ImGuiWindowFlags_AlwaysUseWindowPadding);
  lay_ground(c, c.theme.surface);
  label("mneme", c.fonts.heading, c.theme.text, c.px(120));
  beside_heading(c, c.px(44));
  if (icon_button(Icon::kPlus, tr("New chat (Ctrl+N)"), c.theme, c.scale)) start_new_chat(c);
  const TextEditor::Outcome search =
      draw_filter(c, c.window.chat_filter_field, "##filter", c.window.chat_filter, 0.0f, tr("Search chats (Ctrl+F)"));
  follow_chats(c);
  if (const ChatRow* first = c.window.chat_list.first(); search.submitted && first != nullptr) open_chat(c, first->id);
  ImGui::Dummy(ImVec2(0, c.px(4)));
  const float collections = collections_height(c);
  const float least = kFewestChats * c.px(kRowHeight + kRowSpacing);
  const float room = ImGui::GetWindowHeight() - ImGui::GetStyle().WindowPadding.y - ImGui::GetCursorPosY() -
                     height_below_chats(c, collections);
  draw_chats(c, std::max(least, room));
  draw_collections(c, collections);
  draw_background_work(c);
  ImGui::Dummy(ImVec2(0, c.px(kAbovePages)));
  page_row(c, Icon::kFolder, tr("Library"), Page::kLibrary, "Ctrl+2");
  page_row(c, Icon::kChip, tr("Models"), Page::kModels, "Ctrl+3");
  page_row(c, Icon::kChart, tr("Insight"), Page::kInsight, "Ctrl+4");
  page_row(c, Icon::kSliders, tr("Settings"), Page::kSettings, "Ctrl+5");
  ImGui::EndChild();
  ImGui::PopStyleVar(2);
}

}  // namespace mneme::ui
