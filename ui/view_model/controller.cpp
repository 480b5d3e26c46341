#include "ui/view_model/controller.h"

#include <utility>

#include "storage/catalogue/catalogue.h"
#include "ui/view_model/activity.h"
#include "ui/view_model/answer_actions.h"
#include "ui/view_model/chat_actions.h"
#include "ui/view_model/collection_watches.h"
#include "ui/view_model/document_actions.h"
#include "ui/view_model/indexing_actions.h"
#include "ui/view_model/library_actions.h"
#include "ui/view_model/model_actions.h"
#include "ui/view_model/publisher.h"
#include "ui/view_model/settings_json.h"
#include "ui/view_model/task_queue.h"

namespace mneme::ui {
namespace {

constexpr const char* kSettingsKey = "window.settings";
constexpr const char* kWatchKey = "window.watch.";

template <typename... Handlers>
struct Overloaded : Handlers... {
  using Handlers::operator()...;
};

}  // namespace

struct Controller::State {
  State(Options o, std::function<void()> wake) : options(std::move(o)), publisher(std::move(wake)) {
    options.workspace.interrupt = &closing;
  }

  CancelToken closing;  // raised when the window closes: what is computed behind the answers is left for later
  Options options;      // not changed once open() runs
  Publisher publisher;
  std::unique_ptr<rag::Workspace> workspace;  // set once by open(), before ready
  std::unique_ptr<ChatActions> chats;
  std::unique_ptr<AnswerActions> answers;
  std::unique_ptr<LibraryActions> library;
  std::unique_ptr<IndexingActions> indexing;
  std::unique_ptr<DocumentActions> documents;
  std::unique_ptr<ModelActions> models;
  ActivitySampler activity{publisher};
  // Last, so that their threads end before what they work on; watches before the queues they post to.
  TaskQueue catalogue_queue;
  TaskQueue index_queue{Priority::kBackground};
  TaskQueue answer_queue;
  TaskQueue view_queue;  // documents to look at, which may run children
  std::unique_ptr<CollectionWatches> watches;

  void open();
  void load_rest();
  void dispatch(const Command& command);
  void on_catalogue(std::function<Status()> action);
  void on_answering(std::function<Status()> action);
  void on_indexing(std::function<Status()> request);
  void watch(const std::string& collection, bool on);
  void save_settings(SettingsView settings);
};

// What the first picture needs: settings and chats. The rest follows, so that many documents delay nothing.
void Controller::State::open() {
  Result<std::unique_ptr<rag::Workspace>> opened = rag::Workspace::open(options.workspace);
  if (!opened.ok()) {
    publisher.update([&](Snapshot& s) { s.fatal = opened.status().message(); });
    return;
  }
  workspace = std::move(opened).value();
  chats = std::make_unique<ChatActions>(*workspace, publisher);
  answers = std::make_unique<AnswerActions>(*workspace, publisher, *chats);
  library = std::make_unique<LibraryActions>(*workspace, publisher);
  documents = std::make_unique<DocumentActions>(*workspace, publisher);
  models = std::make_unique<ModelActions>(*workspace, publisher, [this] { answers->forget_model(); });
  indexing = std::make_unique<IndexingActions>(*workspace, publisher,
                                               [this] { on_catalogue([this] { return library->refresh_if_due(); }); });
  watches = std::make_unique<CollectionWatches>(
      [this](const std::string& name) { index_queue.post([this, name] { indexing->follow_changes(name); }); });
  SettingsView settings;
  if (const auto saved = workspace->catalogue().setting(kSettingsKey); saved.ok() && saved->has_value())
    settings = settings_from_json(**saved);
  // What the command line names goes before what was chosen last time.
  if (options.workspace.model.empty() && !settings.model.empty()) {
    const Status chosen = workspace->choose_model({settings.model, settings.device, settings.context_tokens});
    if (!chosen.ok()) {
      publisher.report(chosen);
      settings.model.clear();
    }
  }
  publisher.update([&](Snapshot& s) { s.settings = settings; });
  publisher.report(chats->refresh());
  publisher.update([&](Snapshot& s) {
    s.samples_folder = options.samples_folder;
    s.engine.model = workspace->model_name();
    s.ready = true;
  });
  catalogue_queue.post([this] { load_rest(); });
}

void Controller::State::load_rest() {
  publisher.report(models->refresh());
  publisher.report(library->refresh());
  if (const auto watched = workspace->catalogue().settings(kWatchKey); watched.ok()) {
    for (const auto& [key, value] : *watched) watch(key.substr(std::string(kWatchKey).size()), true);
  }
  const Result<bool> goes_on = indexing->load_unfinished();
  publisher.report(goes_on.status());
  if (goes_on.ok() && *goes_on) index_queue.post([this] { indexing->run_all(); });
}

void Controller::State::on_catalogue(std::function<Status()> action) {
  catalogue_queue.post([this, action = std::move(action)] { publisher.report(action()); });
}

void Controller::State::on_answering(std::function<Status()> action) {
  answer_queue.post([this, action = std::move(action)] { publisher.report(action()); });
}

// Requests are kept in the catalogue first, then worked on.
void Controller::State::on_indexing(std::function<Status()> request) {
  on_catalogue([this, request = std::move(request)] {
    MNEME_RETURN_IF_ERROR(request());
    index_queue.post([this] { indexing->run_all(); });
    return Status();
  });
}

// On the catalogue thread.
void Controller::State::watch(const std::string& collection, bool on) {
  std::vector<std::string> folders;
  for (const CollectionRow& row : publisher.current()->library.collections) {
    if (on && row.name == collection) folders = row.roots;
  }
  const bool watched = !folders.empty();
  watches->set(collection, std::move(folders));
  publisher.update([&](Snapshot& s) {
    for (CollectionRow& row : s.library.collections) {
      if (row.name == collection) row.watched = watched;
    }
  });
}

void Controller::State::save_settings(SettingsView settings) {
  publisher.update([&](Snapshot& s) { s.settings = settings; });
  on_catalogue([this, settings = std::move(settings)] {
    return workspace->catalogue().put_setting(kSettingsKey, settings_to_json(settings));
  });
}

void Controller::State::dispatch(const Command& command) {
  std::visit(Overloaded{
                 [&](const AskQuestion& c) {
                   answer_queue.post([this, c] {
                     answers->ask(c.text);
                     models->show_state();
                   });
                 },
                 [&](const StopAnswer&) { answers->stop(); },
                 [&](const RegenerateAnswer&) { answer_queue.post([this] { answers->regenerate(); }); },
                 [&](const EditQuestion& c) { answer_queue.post([this, c] { answers->edit(c.message, c.text); }); },
                 [&](const NewChat&) {
                   answers->stop();
                   answer_queue.post([this] { chats->start_new(); });
                 },
                 [&](const OpenChat& c) {
                   answers->stop();
                   on_answering([this, c] { return chats->open(c.chat); });
                 },
                 [&](const BranchChat& c) { on_answering([this, c] { return chats->branch(c.message); }); },
                 [&](const RenameChat& c) { on_catalogue([this, c] { return chats->rename(c.chat, c.title); }); },
                 [&](const PinChat& c) { on_catalogue([this, c] { return chats->pin(c.chat, c.pinned); }); },
                 [&](const DeleteChat& c) { on_catalogue([this, c] { return chats->remove(c.chat); }); },
                 [&](const UndoDeleteChat& c) { on_catalogue([this, c] { return chats->undo_remove(c.chat); }); },
                 [&](const SearchChats& c) { on_catalogue([this, c] { return chats->search(c.text); }); },
                 [&](const ExportChat& c) { on_catalogue([this, c] { return chats->export_to(c.chat, c.path); }); },
                 [&](const AddFolder& c) {
                   const std::string collection = c.collection.empty() ? "default" : c.collection;
                   on_indexing([=, this] { return indexing->request({collection, {c.path}, false, true}); });
                 },
                 [&](const PauseIndexing&) { on_catalogue([this] { return indexing->pause(); }); },
                 [&](const ResumeIndexing&) { on_indexing([this] { return indexing->resume(); }); },
                 [&](const Reindex& c) { on_indexing([this, c] { return indexing->request_roots(c.collection); }); },
                 [&](const RetryFailed& c) {
                   on_indexing([this, c] { return indexing->request_failed(c.collection, c.recognise); });
                 },
                 [&](const ReadAgain& c) {
                   on_indexing([this, c]() -> Status {
                     MNEME_ASSIGN_OR_RETURN(std::string file, library->forget_file_of(c.path));
                     const std::string collection = publisher.current()->library.shown;
                     return indexing->request({collection, {std::move(file)}, c.recognise, false});
                   });
                 },
                 [&](const LookAround&) { on_catalogue([this] { return indexing->look_around(); }); },
                 [&](const WatchCollection& c) {
                   on_catalogue([this, c] {
                     watch(c.collection, c.on);
                     const std::string key = kWatchKey + c.collection;
                     return c.on ? workspace->catalogue().put_setting(key, "true")
                                 : workspace->catalogue().remove_setting(key);
                   });
                 },
                 [&](const RemoveDocument& c) { on_catalogue([this, c] { return library->remove_document(c.path); }); },
                 [&](const DeleteCollection& c) {
                   on_catalogue([this, c] {
                     watch(c.name, false);
                     MNEME_RETURN_IF_ERROR(workspace->catalogue().remove_setting(kWatchKey + c.name));
                     return library->delete_collection(c.name);
                   });
                 },
                 [&](const ShowCollection& c) { on_catalogue([this, c] { return library->show(c.name); }); },
                 [&](const OrderDocuments& c) { on_catalogue([this, c] { return library->order(c.order); }); },
                 [&](const SetQuota& c) { on_catalogue([this, c] { return library->set_quota(c.bytes); }); },
                 [&](const SetCollectionLevel& c) {
                   on_catalogue([this, c] { return library->set_level(c.collection, c.level); });
                 },
                 [&](const ShowDocument& c) { view_queue.post([this, c] { documents->show(c.source); }); },
                 [&](const ShowPage& c) { view_queue.post([this, c] { documents->show_page(c.page); }); },
                 [&](const CloseDocument&) { publisher.update([](Snapshot& s) { s.document.reset(); }); },
                 [&](const UseModel& c) {
                   answers->stop();
                   SettingsView settings = publisher.current()->settings;
                   settings.model = c.model;
                   settings.device = c.device;
                   settings.context_tokens = c.context_tokens;
                   save_settings(std::move(settings));
                   on_answering([this, c] {
                     MNEME_RETURN_IF_ERROR(models->use({c.model, c.device, c.context_tokens}));
                     return models->load();
                   });
                 },
                 [&](const LoadModel&) { on_answering([this] { return models->load(); }); },
                 [&](const UnloadModel&) {
                   answers->stop();
                   answer_queue.post([this] { models->unload(); });
                 },
                 [&](const AddModel& c) { on_catalogue([this, c] { return models->add(c.path); }); },
                 [&](const RemoveModel& c) { on_catalogue([this, c] { return models->remove(c.name); }); },
                 [&](const ChangeSettings& c) { save_settings(c.settings); },
                 [&](const SampleActivity&) { catalogue_queue.post([this] { activity.sample(); }); },
                 [&](const DismissNotice& c) {
                   publisher.update(
                       [&](Snapshot& s) { std::erase_if(s.notices, [&](const Notice& n) { return n.id == c.id; }); });
                   on_catalogue([this, c] { return chats->forget_deleted(c.id); });
                 },
             },
             command);
}

Controller::Controller(Options options, std::function<void()> wake)
    : state_(std::make_unique<State>(std::move(options), std::move(wake))) {
  state_->catalogue_queue.post([state = state_.get()] { state->open(); });
}

// Notices go to nobody from here on; what could not be deleted stays, which loses nothing.
Controller::~Controller() {
  state_->closing.cancel();
  if (!snapshot()->ready) return;
  state_->answers->stop();
  state_->indexing->stop();
  static_cast<void>(state_->chats->forget_all_deleted());
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
