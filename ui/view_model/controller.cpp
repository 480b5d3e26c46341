#include "ui/view_model/controller.h"

#include <chrono>
#include <utility>

#include "storage/catalogue/catalogue.h"
#include "storage/env/file_env.h"
#include "ui/language/tr.h"
#include "ui/view_model/controller_state.h"
#include "ui/view_model/settings_json.h"
#include "ui/view_model/settings_keys.h"

namespace mneme::ui {

void Controller::State::begin() {
  if (options.unlock == nullptr) return open();
  publisher.update([](Snapshot& s) { s.locked.emplace(); });
}

void Controller::State::on(const Unlock& c) {
  publisher.update([](Snapshot& s) { s.locked = LockView{.opening = true, .error = {}}; });
  catalogue_queue.post([this, passphrase = c.passphrase] {
    Result<std::shared_ptr<storage::FileEnv>> opened = options.unlock(passphrase->bytes());
    if (!opened.ok()) {
      publisher.update([&](Snapshot& s) { s.locked = LockView{.opening = false, .error = opened.status().message()}; });
      return;
    }
    files = std::move(opened).value();
    options.workspace.env = files.get();
    publisher.update([](Snapshot& s) { s.locked.reset(); });
    open();
  });
}

// What the first picture needs: settings and chats. The rest follows, so that many documents delay nothing.
void Controller::State::open() {
  Result<std::unique_ptr<rag::Workspace>> opened = rag::Workspace::open(options.workspace);
  if (!opened.ok()) {
    publisher.update([&](Snapshot& s) { s.fatal = opened.status().message(); });
    return;
  }
  workspace = std::move(opened).value();
  chats = std::make_unique<ChatActions>(*workspace, publisher);
  answers = std::make_unique<AnswerActions>(*workspace, publisher, *chats, [this](std::function<void()> answer) {
    answer_queue.post([this, answer = std::move(answer)] {
      answer();
      after_answer();
    });
  });
  library = std::make_unique<LibraryActions>(*workspace, publisher);
  documents = std::make_unique<DocumentActions>(*workspace, publisher);
  trial = std::make_unique<ModelTrial>(*workspace, publisher);
  models = std::make_unique<ModelActions>(*workspace, publisher, *trial, [this] { answers->forget_model(); });
  indexing = std::make_unique<IndexingActions>(*workspace, publisher,
                                               [this] { on_catalogue([this] { return library->refresh_if_due(); }); });
  watches = std::make_unique<CollectionWatches>(
      rag::OwnPlaces(workspace->options()), [this](const std::string& name, const rag::FolderChanges& changes) {
        index_queue.post([this, name, changes] { indexing->follow_changes(name, changes); });
      });
  SettingsView settings;
  if (const auto saved = workspace->catalogue().setting(kSettingsKey); saved.ok() && saved->has_value())
    settings = settings_from_json(**saved);
  // What the command line names goes before what was chosen last time.
  if (!options.language.empty()) settings.language = options.language;
  speak(settings);
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
  if (options.tidings) {
    for (std::string& text : options.tidings(workspace->catalogue())) publisher.notice(std::move(text), false);
  }
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
  if (goes_on.ok() && *goes_on) index_queue.post([this] { run_indexing(); });
  load_queue.post([this] { chats->prepare_search(); });
}

void Controller::State::on_catalogue(std::function<Status()> action) {
  catalogue_queue.post([this, action = std::move(action)] { publisher.report(action()); });
}

void Controller::State::on_answering(std::function<Status()> action) {
  answer_queue.post([this, action = std::move(action)] { publisher.report(action()); });
}

void Controller::State::on_chats(std::function<Status()> action) {
  chat_queue.post([this, action = std::move(action)] { publisher.report(action()); });
}

void Controller::State::on_indexing(std::function<Status()> request) {
  on_catalogue([this, request = std::move(request)] {
    MNEME_RETURN_IF_ERROR(request());
    index_queue.post([this] { run_indexing(); });
    return Status();
  });
}

void Controller::State::watch(const std::string& collection, bool on) {
  std::vector<std::string> folders;
  for (const CollectionRow& row : publisher.current()->library.collections) {
    if (on && row.name == collection) folders = row.roots;
  }
  const bool watched = !folders.empty();
  watches->set(collection, folders);
  publisher.update([&](Snapshot& s) {
    for (CollectionRow& row : s.library.collections) {
      if (row.name == collection) row.watched = watched;
    }
  });
}

void Controller::State::speak(const SettingsView& settings) {
  use_language(settings.language.empty() ? options.system_language : settings.language);
}

void Controller::State::save_settings(SettingsView settings) {
  speak(settings);
  publisher.update([&](Snapshot& s) { s.settings = settings; });
  on_catalogue([this, settings = std::move(settings)] {
    return workspace->catalogue().put_setting(kSettingsKey, settings_to_json(settings));
  });
}

Controller::Controller(Options options, std::function<void()> wake)
    : state_(std::make_unique<State>(std::move(options), std::move(wake))) {
  if (!state_->options.notice.empty()) state_->publisher.notice(state_->options.notice, true);
  state_->catalogue_queue.post([state = state_.get()] { state->begin(); });
}

// Notices go to nobody from here on; what could not be deleted stays, which loses nothing. What was asked, named or set
// just before is kept, where nothing keeps the catalogue for long.
Controller::~Controller() {
  constexpr std::chrono::seconds kPatience{2};
  state_->closing.cancel();
  if (!snapshot()->ready) return;
  state_->models->stop_loading();
  state_->indexing->stop();
  state_->catalogue_queue.finish(kPatience);
  state_->chat_queue.finish(kPatience);
  state_->answers->cut_off_silently();
  static_cast<void>(state_->chats->forget_all_deleted());
  state_->chats->keeper().keep_what_was_not();
}

std::shared_ptr<const Snapshot> Controller::snapshot() const {
  return state_->publisher.current();
}

bool Controller::has_newer(const Snapshot* shown) const {
  return state_->publisher.has_newer(shown);
}

void Controller::take_back(std::shared_ptr<const Snapshot> snapshot) {
  state_->publisher.take_back(std::move(snapshot));
}

void Controller::post(Command command) {
  // Before the workspace is open there is nothing to act on; panels show that it is being opened.
  const std::shared_ptr<const Snapshot> shown = snapshot();
  const bool unlocks = std::holds_alternative<Unlock>(command) && shown->locked && !shown->locked->opening;
  if (!shown->ready && !unlocks) return;
  std::visit([this](const auto& one) { state_->on(one); }, command);
}

}  // namespace mneme::ui
