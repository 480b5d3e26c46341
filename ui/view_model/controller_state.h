// Inside of Controller: what it owns, its threads, and one function per command. Not for other folders.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/cancel.h"
#include "ui/view_model/activity.h"
#include "ui/view_model/answer_actions.h"
#include "ui/view_model/chat_actions.h"
#include "ui/view_model/collection_watches.h"
#include "ui/view_model/controller.h"
#include "ui/view_model/document_actions.h"
#include "ui/view_model/indexing_actions.h"
#include "ui/view_model/library_actions.h"
#include "ui/view_model/model_actions.h"
#include "ui/view_model/model_trial.h"
#include "ui/view_model/publisher.h"
#include "ui/view_model/task_queue.h"

namespace mneme::ui {

struct Controller::State {
  State(Options o, std::function<void()> wake) : options(std::move(o)), publisher(std::move(wake)) {
    options.workspace.interrupt = &closing;
  }

  CancelToken closing;  // raised when the window closes: what is computed behind the answers is left for later
  std::shared_ptr<storage::FileEnv> files;  // of an encrypted home
  Options options;                          // not changed once open() runs
  Publisher publisher;
  std::unique_ptr<rag::Workspace> workspace;  // set once by open(), before ready
  std::unique_ptr<ChatActions> chats;
  std::unique_ptr<AnswerActions> answers;
  std::unique_ptr<LibraryActions> library;
  std::unique_ptr<IndexingActions> indexing;
  std::unique_ptr<DocumentActions> documents;
  std::unique_ptr<ModelTrial> trial;
  std::unique_ptr<ModelActions> models;
  ActivitySampler activity{publisher};
  int meter_looks = 0;           // still to come; of the catalogue thread
  int64_t followed_version = 0;  // of the catalogue, whose chats, models and documents are shown; likewise
  // Last, so that their threads end before what they work on; watches before the queues they post to.
  TaskQueue catalogue_queue{"catalogue"};
  TaskQueue index_queue{"indexing", Priority::kBackground};
  TaskQueue answer_queue{"answering", Priority::kBehindWindow};
  TaskQueue chat_queue{"chats"};                             // conversations that come and go; asks the one before
  TaskQueue view_queue{"viewing"};                           // documents to look at, which may run children
  TaskQueue load_queue{"loading", Priority::kBehindWindow};  // models; tells the answering thread what has come of it
  std::unique_ptr<CollectionWatches> watches;

  void begin();  // opens, or waits for the passphrase
  void open();
  void load_rest();

  // A task for one of the threads; what goes wrong becomes a notice.
  void on_catalogue(std::function<Status()> action);
  void on_answering(std::function<Status()> action);
  void on_chats(std::function<Status()> action);
  // Requests are kept in the catalogue first, then worked on.
  void on_indexing(std::function<Status()> request);

  void watch(const std::string& collection, bool on);  // on the catalogue thread
  // What an answer leaves in the KV store is written behind it: the meter is looked at for a while after one.
  void after_answer();   // on the answering thread
  void look_at_meter();  // on the catalogue thread
  void follow_others();  // likewise
  void run_indexing();   // on the indexing thread; what it is given meanwhile comes between two requests
  void load_model();
  void save_settings(SettingsView settings);
  void speak(const SettingsView& settings);  // in the language they name

  // The visitor of commands (controller_commands.cpp): each puts its work on the thread it belongs to, and returns.
  void on(const Unlock& c);
  void on(const AskQuestion& c);
  void on(const StopAnswer& c);
  void on(const RegenerateAnswer& c);
  void on(const EditQuestion& c);
  void on(const NewChat& c);
  void on(const OpenChat& c);
  void on(const BranchChat& c);
  void on(const RenameChat& c);
  void on(const PinChat& c);
  void on(const DeleteChat& c);
  void on(const UndoDeleteChat& c);
  void on(const SearchChats& c);
  void on(const ExportChat& c);
  void on(const AddFolder& c);
  void on(const PauseIndexing& c);
  void on(const ResumeIndexing& c);
  void on(const GiveUpIndexing& c);
  void on(const Reindex& c);
  void on(const RetryFailed& c);
  void on(const ReadAgain& c);
  void on(const LookAround& c);
  void on(const WatchCollection& c);
  void on(const RemoveDocument& c);
  void on(const DeleteCollection& c);
  void on(const ShowCollection& c);
  void on(const OrderDocuments& c);
  void on(const SetQuota& c);
  void on(const SetCollectionLevel& c);
  void on(const ShowDocument& c);
  void on(const ShowPage& c);
  void on(const FindInDocument& c);
  void on(const CloseDocument& c);
  void on(const ListFolder& c);
  void on(const UseModel& c);
  void on(const UseEmbedder& c);
  void on(const LoadModel& c);
  void on(const UnloadModel& c);
  void on(const FindModels& c);
  void on(const AddModel& c);
  void on(const RemoveModel& c);
  void on(const ChangeSettings& c);
  void on(const SampleActivity& c);
  void on(const TellOfFonts& c);
  void on(const DismissNotice& c);
  void on(const Rest& c);
};

}  // namespace mneme::ui
