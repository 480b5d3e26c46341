// The palette (Ctrl+K): everything the window can do, by name.
#include <algorithm>
#include <sstream>

#include <imgui.h>

#include "ui/language/figures.h"
#include "ui/panels/collection_menu.h"
#include "ui/panels/message_parts.h"
#include "ui/panels/overlay.h"
#include "ui/panels/quoting.h"
#include "ui/view_model/quotation.h"
#include "ui/view_model/text_search.h"
#include "ui/widgets/keys.h"
#include "ui/widgets/widgets.h"

namespace mneme::ui {
namespace {

constexpr size_t kMostRows = 60;

struct Action {
  Icon icon;
  std::string name;
  std::string keys;  // in English
  std::function<void()> run;
};

// What is named by all words that were typed, of thousands that are offered.
class Actions {
 public:
  explicit Actions(const std::string& typed) {
    std::istringstream words(typed);
    for (std::string word; words >> word;) words_.push_back(sought_text(word));
  }

  template <typename Run>
  void add(Icon icon, std::string name, std::string keys, const Run& run) {
    const std::string sought = words_.empty() ? std::string() : sought_text(name);
    const auto is_in_name = [&](const std::string& word) { return sought.find(word) != std::string::npos; };
    if (!std::all_of(words_.begin(), words_.end(), is_in_name)) return;
    actions_.push_back({icon, std::move(name), std::move(keys), run});
  }
  size_t size() const { return actions_.size(); }
  std::vector<Action> take() { return std::move(actions_); }

 private:
  std::vector<std::string> words_;
  std::vector<Action> actions_;
};

void add_pages(PanelContext& c, Actions& actions) {
  actions.add(Icon::kChat, tr("Go to the conversation"), "Ctrl+1", [&c] { go_to_question(c); });
  actions.add(Icon::kFolder, tr("Go to Library"), "Ctrl+2", [&c] { go_to(c, Page::kLibrary); });
  actions.add(Icon::kChip, tr("Go to Models"), "Ctrl+3", [&c] { go_to(c, Page::kModels); });
  actions.add(Icon::kChart, tr("Go to Insight"), "Ctrl+4", [&c] { go_to(c, Page::kInsight); });
  actions.add(Icon::kSliders, tr("Go to Settings"), "Ctrl+5", [&c] { go_to(c, Page::kSettings); });
}

void add_chat_actions(PanelContext& c, Actions& actions) {
  const ConversationView& conversation = c.snapshot.conversation;
  if (c.snapshot.conversation.answering)
    actions.add(Icon::kStop, tr("Stop the answer"), "Esc", [&c] { c.post(StopAnswer{}); });
  for (const ConversationView& other : c.snapshot.elsewhere) {
    if (!other.answering) continue;
    actions.add(Icon::kStop, filled(tr("Stop the answer in “{0}”"), other.title), "",
                [&c, chat = other.chat] { c.post(StopAnswer{chat}); });
  }
  if (const MessageView* answer = selected_answer(c); answer != nullptr && !c.snapshot.conversation.answering) {
    actions.add(Icon::kCopy, tr("Copy the answer"), "Ctrl+Shift+C", [&c, text = answer->text] { copy_text(c, text); });
    actions.add(Icon::kQuote, tr("Copy the answer with its sources"), "", [&c] {
      if (const MessageView* a = selected_answer(c)) copy_text(c, answer_with_references(*a));
    });
    actions.add(Icon::kRetry, tr("Answer again"), "Ctrl+R", [&c] {
      go_to(c, Page::kChat);
      answer_again(c);
    });
    actions.add(Icon::kBranch, tr("Branch the chat after its last answer"), "",
                [&c] { c.post(BranchChat{c.snapshot.conversation.messages.size() - 1}); });
    for (const SourceView& source : answer->sources) {
      actions.add(Icon::kBook,
                  source.file.empty()
                      ? filled(tr("Open source {0}: {1}"), std::to_string(source.n), source.title)
                      : filled(tr("Open source {0}: {1} ({2})"), std::to_string(source.n), source.title, source.file),
                  source.n < 10 ? "Alt+" + std::to_string(source.n) : "",
                  [&c, source] { open_source(c, c.window.selected_message, source); });
    }
  }
  if (conversation.chat == 0) return;
  const int64_t chat = conversation.chat;
  actions.add(Icon::kEdit, tr("Rename this chat"), "F2",
              [&c, chat] { begin_rename(c, chat, c.snapshot.conversation.title); });
  const auto& chats = *c.snapshot.chats;
  const bool pinned =
      std::any_of(chats.begin(), chats.end(), [&](const ChatRow& r) { return r.id == chat && r.pinned; });
  actions.add(Icon::kPin, pinned ? tr("Unpin this chat") : tr("Pin this chat"), "",
              [&c, chat, pinned] { c.post(PinChat{chat, !pinned}); });
  actions.add(Icon::kCopy, tr("Export this chat as Markdown"), "",
              [&c, chat, title = conversation.title] { c.post(ExportChat{chat, export_path(title, ".md")}); });
  actions.add(Icon::kCopy, tr("Export this chat as JSON"), "",
              [&c, chat, title = conversation.title] { c.post(ExportChat{chat, export_path(title, ".json")}); });
  actions.add(Icon::kTrash, tr("Delete this chat"), "", [&c, chat] { c.post(DeleteChat{chat}); });
}

// Of a row of the snapshot, which outlives the frame.
void add_collection_actions(PanelContext& c, Actions& actions, const CollectionRow& row) {
  actions.add(Icon::kFolder, filled(tr("Ask about {0}"), row.name), "",
              [&c, &row] { c.change_settings([&](SettingsView& s) { s.collection = row.name; }); });
  if (!row.roots.empty())
    actions.add(Icon::kRetry, filled(tr("Look for changes in {0}"), row.name), "",
                [&c, &row] { c.post(Reindex{row.name}); });
  if (!row.roots.empty())
    actions.add(Icon::kEye, filled(row.watched ? tr("Stop watching {0}") : tr("Watch for changes in {0}"), row.name),
                "", [&c, &row] { c.post(WatchCollection{row.name, !row.watched}); });
  actions.add(Icon::kTrash, filled(tr("Remove the collection {0}…"), row.name), "",
              [&c, &row] { begin_removing(c, row); });
  if (row.failed > 0)
    actions.add(Icon::kWarning, filled(tr("Show files of {0} that could not be read"), row.name), "",
                [&c, &row] { show_failed(c, row); });
  if (row.failed > 0)
    actions.add(Icon::kRetry, filled(tr("Try the failed files of {0} again"), row.name), "",
                [&c, &row] { c.post(RetryFailed{row.name, false}); });
}

// What is asked, who answers, and what is read.
void add_library_actions(PanelContext& c, Actions& actions) {
  const IndexingView& indexing = c.snapshot.indexing;
  if ((indexing.running || indexing.elsewhere) && !indexing.paused)
    actions.add(Icon::kPause, tr("Pause indexing"), "", [&c] { c.post(PauseIndexing{}); });
  if (indexing.paused) actions.add(Icon::kPlay, tr("Resume indexing"), "", [&c] { c.post(ResumeIndexing{}); });
  if (indexing.running || (indexing.paused && !indexing.elsewhere))
    actions.add(Icon::kStop, tr("Stop indexing"), "", [&c] { c.post(GiveUpIndexing{}); });
  const size_t most = actions.size() + kMostRows;  // the rest is found by its name
  for (const CollectionRow& row : c.snapshot.library.collections) {
    if (actions.size() < most) add_collection_actions(c, actions, row);
  }
  if (!c.snapshot.settings.collection.empty())
    actions.add(Icon::kFolder, tr("Ask about all collections"), "",
                [&c] { c.change_settings([](SettingsView& s) { s.collection.clear(); }); });
}

void add_model_actions(PanelContext& c, Actions& actions) {
  const auto use = [&c](const std::string& name) {
    return [&c, name] { c.post(UseModel{name, c.snapshot.settings.device, c.snapshot.settings.context_tokens}); };
  };
  for (const ModelRow& row : c.snapshot.models) {
    if (row.kind == "language" && row.error.empty() && !row.in_use)
      actions.add(Icon::kChip, filled(tr("Answer with {0}"), file_name(row.name)), "", use(row.name));
  }
  if (c.snapshot.engine.state != EngineView::State::kNone)
    actions.add(Icon::kChip, tr(kQuotePassages), "", use("none"));
  if (c.snapshot.engine.state == EngineView::State::kClosed)
    actions.add(Icon::kChip, tr("Load the model"), "", [&c] { c.post(LoadModel{}); });
  if (c.snapshot.engine.state == EngineView::State::kOpen)
    actions.add(Icon::kChip, tr("Unload the model"), "", [&c] { c.post(UnloadModel{}); });
  actions.add(Icon::kPlus, tr("Add a model file…"), "", [&c] { c.hooks.choose_model(); });
}

void add_looks(PanelContext& c, Actions& actions) {
  const auto change = [&c](auto set) { return [&c, set] { c.change_settings(set); }; };
  actions.add(Icon::kPanel, tr("Show or hide the sources"), "Ctrl+J",
              change([](SettingsView& s) { s.show_sources = !s.show_sources; }));
  actions.add(Icon::kPanel, tr("Show or hide the sidebar"), "Ctrl+B", [&c] { toggle_sidebar(c); });
  actions.add(Icon::kSliders, tr("Light theme"), "", change([](SettingsView& s) { s.theme = ThemeChoice::kLight; }));
  actions.add(Icon::kSliders, tr("Dark theme"), "", change([](SettingsView& s) { s.theme = ThemeChoice::kDark; }));
  actions.add(Icon::kSliders, tr("Theme of the system"), "",
              change([](SettingsView& s) { s.theme = ThemeChoice::kSystem; }));
}

// Those that begin as was typed come first, chats do not.
std::vector<Action> first_actions(std::vector<Action> actions, const std::string& typed) {
  const std::string sought = sought_text(typed);
  const std::string chat = filled(tr("Chat: {0}"), "");
  std::stable_partition(actions.begin(), actions.end(), [&](const Action& a) {
    return !a.name.starts_with(chat) && sought_text(a.name).starts_with(sought);
  });
  if (actions.size() > kMostRows) actions.resize(kMostRows);
  return actions;
}

std::vector<Action> palette_actions(PanelContext& c) {
  Actions actions(c.window.palette_text);
  actions.add(Icon::kPlus, tr("New chat"), "Ctrl+N", [&c] { start_new_chat(c); });
  actions.add(Icon::kFolder, tr("Add a folder…"), "", [&c] { c.hooks.choose_folder(); });
  add_pages(c, actions);
  add_chat_actions(c, actions);
  const bool in_document = shows_document(c);
  if (in_document)
    actions.add(Icon::kQuote, tr("Copy the quotation with its source"), "Ctrl+Shift+C",
                [&c] { copy_quotation(c, *c.snapshot.document); });
  const char* search = in_document                       ? tr("Find in this document")
                       : c.window.page == Page::kLibrary ? tr("Filter documents")
                                                         : tr("Search chats");
  actions.add(Icon::kSearch, search, "Ctrl+F", [&c] { begin_search(c); });
  add_library_actions(c, actions);
  add_model_actions(c, actions);
  add_looks(c, actions);
  for (const Notice& notice : c.snapshot.notices) {
    if (const char* name = notice_action_name(notice.action); name != nullptr)
      actions.add(Icon::kRetry, filled(tr("{0}: {1}"), name, notice.text), "",
                  [&c, notice] { act_on_notice(c, notice); });
  }
  for (const ChatRow& chat : *c.snapshot.chats) {
    if (actions.size() >= kMostRows) break;  // they come last
    actions.add(Icon::kChat, filled(tr("Chat: {0}"), chat.title), "", [&c, id = chat.id] { open_chat(c, id); });
  }
  return first_actions(actions.take(), c.window.palette_text);
}

// Moves the choice by the arrows; true when it moved.
bool move_choice(int& index, size_t n) {
  const int before = index;
  if (key_pressed(ImGuiKey_DownArrow)) ++index;
  if (key_pressed(ImGuiKey_UpArrow)) --index;
  const int wanted = index;
  index = std::clamp(index, 0, std::max(0, static_cast<int>(n) - 1));
  return wanted != before;
}

void run_action(PanelContext& c, const Action& action) {
  c.window.focus_question = c.window.page == Page::kChat;  // unless the action gives the keyboard to something else
  action.run();
  c.window.palette_open = false;
}

}  // namespace

void draw_palette(PanelContext& c) {
  if (!c.window.palette_open) return;
  begin_overlay(c, "palette", ImVec2(c.px(600), c.px(440)));
  const bool beside = ImGui::IsMouseClicked(ImGuiMouseButton_Left) &&
                      !ImGui::IsWindowHovered(ImGuiHoveredFlags_RootAndChildWindows) && !ImGui::IsWindowAppearing();
  const std::string before = c.window.palette_text;
  const bool enter =
      c.window.palette_field
          .draw("##command", c.window.palette_text, 0.0f, tr("What would you like to do?"), c.theme, c.scale)
          .submitted;
  int& index = c.window.palette_index;
  if (c.window.palette_text != before) index = 0;
  const std::vector<Action> actions = palette_actions(c);
  const bool moved = move_choice(index, actions.size());
  ImGui::BeginChild("actions");
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(c.px(8), c.px(2)));
  for (size_t i = 0; i < actions.size(); ++i) {
    const bool selected = static_cast<int>(i) == index;
    const bool clicked = list_row(("##" + std::to_string(i)).c_str(), actions[i].icon, actions[i].name, selected,
                                  c.theme, c.scale, keys_text(actions[i].keys));
    if (selected && moved) ImGui::SetScrollHereY(0.5f);
    if (clicked || (enter && selected)) run_action(c, actions[i]);
  }
  if (actions.empty()) label(tr("Nothing is called that."), c.fonts.regular, c.theme.muted);
  ImGui::PopStyleVar();
  ImGui::EndChild();
  end_overlay();
  if (beside) c.window.palette_open = false;
}

}  // namespace mneme::ui
