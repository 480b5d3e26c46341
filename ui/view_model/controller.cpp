#include "ui/view_model/controller.h"

#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

#include "storage/catalogue/catalogue.h"
#include "ui/view_model/chat_actions.h"
#include "ui/view_model/library_actions.h"
#include "ui/view_model/publisher.h"
#include "ui/view_model/task_queue.h"

namespace mneme::ui {
namespace {

constexpr const char* kSettingsKey = "window.settings";

template <typename... Handlers>
struct Overloaded : Handlers... {
  using Handlers::operator()...;
};

std::string settings_json(const SettingsView& s) {
  const nlohmann::json json = {{"theme", static_cast<int>(s.theme)},
                               {"scale", s.scale},
                               {"collection", s.collection},
                               {"instructions", s.instructions},
                               {"top_k", s.top_k},
                               {"temperature", s.temperature},
                               {"max_tokens", s.max_tokens},
                               {"show_sources", s.show_sources}};
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

SettingsView read_settings(const std::string& text) {
  SettingsView s;
  const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object()) return s;
  try {
    s.theme = static_cast<ThemeChoice>(std::clamp(json.value("theme", 0), 0, 2));
    s.scale = std::clamp(json.value("scale", 1.0f), 0.75f, 2.5f);
    s.collection = json.value("collection", "");
    s.instructions = json.value("instructions", "");
    s.top_k = std::clamp(json.value("top_k", 6), 1, 64);
    s.temperature = std::clamp(json.value("temperature", 0.0f), 0.0f, 2.0f);
    s.max_tokens = std::clamp(json.value("max_tokens", 512), 16, 8192);
    s.show_sources = json.value("show_sources", true);
  } catch (const nlohmann::json::exception&) {
    return SettingsView{};  // of another version: the defaults
  }
  return s;
}

}  // namespace

struct Controller::State {
  State(Options o, std::function<void()> wake) : options(std::move(o)), publisher(std::move(wake)) {}

  Options options;
  Publisher publisher;
  std::unique_ptr<rag::Workspace> workspace;  // set once by open(), before ready
  std::unique_ptr<ChatActions> chats;
  std::unique_ptr<LibraryActions> library;
  // Last, so that their threads end before what they work on.
  TaskQueue catalogue_queue;
  TaskQueue index_queue;
  TaskQueue answer_queue;

  void open();
  void dispatch(const Command& command);
  void on_catalogue(std::function<Status()> action);
  void save_settings(const SettingsView& settings);
};

void Controller::State::open() {
  Result<std::unique_ptr<rag::Workspace>> opened = rag::Workspace::open(options.workspace);
  if (!opened.ok()) {
    publisher.update([&](Snapshot& s) { s.fatal = opened.status().message(); });
    return;
  }
  workspace = std::move(opened).value();
  chats = std::make_unique<ChatActions>(*workspace, publisher);
  library = std::make_unique<LibraryActions>(*workspace, publisher);
  if (const auto saved = workspace->catalogue().setting(kSettingsKey); saved.ok() && saved->has_value()) {
    publisher.update([&](Snapshot& s) { s.settings = read_settings(**saved); });
  }
  for (const Status& status : {chats->refresh_chats(), library->refresh(), library->refresh_models()}) {
    if (!status.ok()) publisher.notice(status.message(), true);
  }
  publisher.update([&](Snapshot& s) {
    s.samples_folder = options.samples_folder;
    s.ready = true;
  });
}

void Controller::State::on_catalogue(std::function<Status()> action) {
  catalogue_queue.post([this, action = std::move(action)] {
    if (const Status status = action(); !status.ok()) publisher.notice(status.message(), true);
  });
}

void Controller::State::save_settings(const SettingsView& settings) {
  publisher.update([&](Snapshot& s) { s.settings = settings; });
  on_catalogue([this, settings] { return workspace->catalogue().put_setting(kSettingsKey, settings_json(settings)); });
}

void Controller::State::dispatch(const Command& command) {
  const auto answer = [this](std::function<void()> task) { answer_queue.post(std::move(task)); };
  std::visit(
      Overloaded{
          [&](const AskQuestion& c) { answer([this, c] { chats->ask(c.text); }); },
          [&](const StopAnswer&) { chats->stop(); },
          [&](const RegenerateAnswer&) { answer([this] { chats->regenerate(); }); },
          [&](const EditQuestion& c) { answer([this, c] { chats->edit(c.message, c.text); }); },
          [&](const NewChat&) {
            chats->stop();
            answer([this] { chats->start_new(); });
          },
          [&](const OpenChat& c) {
            chats->stop();
            // On the answering thread, so that an answer being written is saved to its own chat first.
            answer([this, c] {
              if (const Status s = chats->open(c.chat); !s.ok()) publisher.notice(s.message(), true);
            });
          },
          [&](const RenameChat& c) { on_catalogue([this, c] { return chats->rename(c.chat, c.title); }); },
          [&](const PinChat& c) { on_catalogue([this, c] { return chats->pin(c.chat, c.pinned); }); },
          [&](const DeleteChat& c) { on_catalogue([this, c] { return chats->remove(c.chat); }); },
          [&](const ExportChat& c) { on_catalogue([this, c] { return chats->export_to(c.chat, c.path); }); },
          [&](const AddFolder& c) { index_queue.post([this, c] { library->index({c.path}, c.collection); }); },
          [&](const PauseIndexing&) { library->pause(); },
          [&](const Reindex& c) { index_queue.post([this, c] { library->reindex(c.collection); }); },
          [&](const RemoveDocument& c) { on_catalogue([this, c] { return library->remove_document(c.path); }); },
          [&](const DeleteCollection& c) { on_catalogue([this, c] { return library->delete_collection(c.name); }); },
          [&](const ShowCollection& c) { on_catalogue([this, c] { return library->show(c.name); }); },
          [&](const ShowDocument& c) { catalogue_queue.post([this, c] { library->show_document(c.source); }); },
          [&](const CloseDocument&) { publisher.update([](Snapshot& s) { s.document.reset(); }); },
          [&](const ChangeSettings& c) { save_settings(c.settings); },
          [&](const DismissNotice& c) {
            publisher.update(
                [&](Snapshot& s) { std::erase_if(s.notices, [&](const Notice& n) { return n.id == c.id; }); });
          },
      },
      command);
}

Controller::Controller(Options options, std::function<void()> wake)
    : state_(std::make_unique<State>(std::move(options), std::move(wake))) {
  state_->catalogue_queue.post([state = state_.get()] { state->open(); });
}

Controller::~Controller() {
  if (!snapshot()->ready) return;
  state_->chats->stop();
  state_->library->pause();
}

std::shared_ptr<const Snapshot> Controller::snapshot() const {
  return state_->publisher.current();
}

void Controller::post(Command command) {
  // Before the workspace is open there is nothing to act on; panels show that it is being opened.
  if (!snapshot()->ready) return;
  state_->dispatch(command);
}

}  // namespace mneme::ui
