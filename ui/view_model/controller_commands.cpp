// What each command does, and on which thread.
#include <utility>
#include <vector>

#include "storage/catalogue/catalogue.h"
#include "ui/language/tr.h"
#include "ui/view_model/collection_of_folder.h"
#include "ui/view_model/controller_state.h"
#include "ui/view_model/folder_listing.h"
#include "ui/view_model/found_models.h"
#include "ui/view_model/freed_memory.h"
#include "ui/view_model/settings_keys.h"

namespace mneme::ui {

namespace {

constexpr int kMeterLooks = 15;  // a second or two apart, while a page shows the meter

}  // namespace

// ---- Answers

void Controller::State::after_answer() {
  models->show_running();
  if (!workspace->model_is_open()) return;  // quoting computes nothing that could be kept
  workspace->save_kv_counters();
  load_queue.post([this] { trial->run(); });  // of a model that the question has opened
  catalogue_queue.post([this] {
    meter_looks = kMeterLooks;
    look_at_meter();
  });
}

// A meter that cannot be read stays as it was.
void Controller::State::look_at_meter() {
  if (meter_looks == 0) return;
  --meter_looks;
  static_cast<void>(library->refresh_meters());
}

void Controller::State::on(const AskQuestion& c) {
  chat_queue.post([this, c] { answers->ask(c.text); });
}

void Controller::State::on(const StopAnswer& c) {
  answers->stop(c.chat);
}

void Controller::State::on(const RegenerateAnswer& c) {
  chat_queue.post([this, c] { answers->regenerate(c.question); });
}

void Controller::State::on(const EditQuestion& c) {
  chat_queue.post([this, c] { answers->edit(c.message, c.text); });
}

// ---- Chats

void Controller::State::on(const NewChat&) {
  chat_queue.post([this] { chats->start_new(); });
}

void Controller::State::on(const OpenChat& c) {
  on_chats([this, c] { return chats->open(c.chat); });
}

void Controller::State::on(const BranchChat& c) {
  on_chats([this, c] { return chats->branch(c.message); });
}

void Controller::State::on(const RenameChat& c) {
  on_catalogue([this, c] { return chats->rename(c.chat, c.title); });
}

void Controller::State::on(const PinChat& c) {
  on_catalogue([this, c] { return chats->pin(c.chat, c.pinned); });
}

void Controller::State::on(const DeleteChat& c) {
  answers->cut_off_of(c.chat);
  on_chats([this, c] { return chats->remove(c.chat); });
}

void Controller::State::on(const UndoDeleteChat& c) {
  on_chats([this, c] { return chats->undo_remove(c.chat); });
}

void Controller::State::on(const SearchChats& c) {
  on_catalogue([this, c] { return chats->search(c.text); });
}

void Controller::State::on(const ExportChat& c) {
  on_catalogue([this, c] { return chats->export_to(c.chat, c.path); });
}

// ---- Indexing

void Controller::State::on(const AddFolder& c) {
  on_indexing([this, c] {
    const std::string collection =
        c.collection.empty() ? collection_of_folder(c.path, publisher.current()->library.collections) : c.collection;
    return indexing->request({collection, {c.path}, false, true});
  });
}

void Controller::State::on(const PauseIndexing&) {
  on_catalogue([this] { return indexing->pause(); });
}

void Controller::State::on(const ResumeIndexing&) {
  on_indexing([this] { return indexing->resume(); });
}

void Controller::State::on(const GiveUpIndexing&) {
  on_catalogue([this] { return indexing->give_up(); });
}

void Controller::State::run_indexing() {
  if (indexing->run_next()) index_queue.post([this] { run_indexing(); });
}

void Controller::State::on(const Reindex& c) {
  on_indexing([this, c] { return indexing->request_roots(c.collection); });
}

void Controller::State::on(const RetryFailed& c) {
  on_indexing([this, c] { return indexing->request_failed(c.collection, c.recognise); });
}

void Controller::State::on(const ReadAgain& c) {
  on_indexing([this, c]() -> Status {
    const std::string collection = c.collection.empty() ? publisher.current()->library.shown : c.collection;
    MNEME_ASSIGN_OR_RETURN(std::string file, library->forget_file_of(c.path, collection));
    return indexing->request({collection, {std::move(file)}, c.recognise, false});
  });
}

void Controller::State::on(const LookAround&) {
  on_catalogue([this] {
    look_at_meter();
    chats->keeper().keep_what_was_not();
    follow_others();
    return indexing->look_around();
  });
}

// What other processes have changed on this home. A catalogue too busy to tell is asked again in a moment.
void Controller::State::follow_others() {
  const Result<int64_t> version = workspace->catalogue().data_version();
  if (!version.ok() || *version == followed_version) return;
  const bool chats_shown = chats->refresh().ok();
  const bool models_shown = models->refresh_if_changed().ok();
  // While a folder is read here, the library follows by itself.
  const bool library_shown = !publisher.current()->indexing.running && library->refresh_if_changed();
  if (chats_shown && models_shown && library_shown) followed_version = *version;
}

// ---- Library

void Controller::State::on(const WatchCollection& c) {
  on_catalogue([this, c] {
    watch(c.collection, c.on);
    const std::string key = kWatchKey + c.collection;
    return c.on ? workspace->catalogue().put_setting(key, "true") : workspace->catalogue().remove_setting(key);
  });
}

void Controller::State::on(const RemoveDocument& c) {
  on_catalogue([this, c] { return library->remove_document(c.path); });
}

void Controller::State::on(const DeleteCollection& c) {
  on_catalogue([this, c] {
    watch(c.name, false);
    MNEME_RETURN_IF_ERROR(workspace->catalogue().remove_setting(kWatchKey + c.name));
    MNEME_ASSIGN_OR_RETURN(const bool in_work, indexing->drop(c.name));
    if (!in_work) return library->delete_collection(c.name);
    index_queue.post([this, c] { on_catalogue([this, c] { return library->delete_collection(c.name); }); });
    return Status();
  });
}

void Controller::State::on(const ShowCollection& c) {
  on_catalogue([this, c] { return library->show(c.name); });
}

void Controller::State::on(const OrderDocuments& c) {
  on_catalogue([this, c] { return library->order(c.order); });
}

void Controller::State::on(const SetQuota& c) {
  on_catalogue([this, c] { return library->set_quota(c.bytes); });
}

void Controller::State::on(const SetCollectionLevel& c) {
  on_catalogue([this, c] { return library->set_level(c.collection, c.level); });
}

// ---- The document being looked at

void Controller::State::on(const ShowDocument& c) {
  view_queue.post([this, c] { documents->show(c.source, c.said); });
}

void Controller::State::on(const ShowPage& c) {
  view_queue.post([this, c] { documents->show_page(c.page, c.dpi); });
}

void Controller::State::on(const FindInDocument& c) {
  view_queue.post([this, c] { documents->find(c.text); });
}

void Controller::State::on(const CloseDocument&) {
  publisher.update([](Snapshot& s) { s.document.reset(); });
}

void Controller::State::on(const ListFolder& c) {
  view_queue.post([this, c] {
    FolderView view = list_folder(c.folder, c.with_models);
    if (const auto shown = publisher.current()->folder; shown && *shown == view) return;  // read again, as it was
    publisher.update([&](Snapshot& s) { s.folder = std::make_shared<const FolderView>(std::move(view)); });
  });
}

// ---- Models

// On a thread of its own, so that chats can be opened and questions asked meanwhile.
void Controller::State::load_model() {
  load_queue.post([this] {
    if (!models->load()) return;
    answer_queue.post([this] { models->show_running(); });
    trial->run();
  });
}

void Controller::State::on(const UseModel& c) {
  answers->cut_off();
  models->stop_loading();
  trial->give_up();
  SettingsView settings = publisher.current()->settings;
  settings.model = c.model;
  settings.device = c.device;
  settings.context_tokens = c.context_tokens;
  save_settings(std::move(settings));
  on_answering([this, c] {
    MNEME_RETURN_IF_ERROR(models->use({c.model, c.device, c.context_tokens}));
    load_model();
    return Status();
  });
}

void Controller::State::on(const UseEmbedder& c) {
  on_catalogue([this, c] { return models->use_embedder(c.name); });
}

void Controller::State::on(const LoadModel&) {
  load_model();
}

void Controller::State::on(const UnloadModel&) {
  answers->cut_off();
  models->stop_loading();
  trial->give_up();
  answer_queue.post([this] { models->unload(); });
}

// Looks through folders that may be slow.
void Controller::State::on(const FindModels&) {
  view_queue.post([this] {
    auto found = std::make_shared<const std::vector<FoundModelRow>>(find_models(rag::process_environment()));
    publisher.update([&](Snapshot& s) { s.found_models = std::move(found); });
  });
}

void Controller::State::on(const AddModel& c) {
  on_catalogue([this, c] { return models->add(c.path, c.name); });
}

void Controller::State::on(const RemoveModel& c) {
  on_catalogue([this, c] { return models->remove(c.name); });
}

// ---- The rest

void Controller::State::on(const ChangeSettings& c) {
  save_settings(c.settings);
}

void Controller::State::on(const SampleActivity&) {
  catalogue_queue.post([this] {
    look_at_meter();
    activity.sample();
  });
}

void Controller::State::on(const TellOfFonts& c) {
  std::string names;
  for (const std::string& package : c.packages)
    names = names.empty() ? package : filled(tr("{0} and {1}"), names, package);
  publisher.notice(
      filled(tr("Some letters cannot be drawn, as no font here has them. Install {0}, then open the window again."),
             names),
      true);
}

void Controller::State::on(const DismissNotice& c) {
  publisher.update([&](Snapshot& s) { std::erase_if(s.notices, [&](const Notice& n) { return n.id == c.id; }); });
  on_catalogue([this, c] { return chats->forget_deleted(c.id); });
}

void Controller::State::on(const Rest&) {
  catalogue_queue.post([this] {
    publisher.free_returned();
    give_back_freed_memory();
  });
}

}  // namespace mneme::ui
