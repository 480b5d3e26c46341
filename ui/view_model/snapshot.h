// What the window shows, as one immutable value. Panels read it, never change it; the controller publishes a new one
// when something happened. Large parts are shared between snapshots, so that publishing is cheap. Threads: a
// published snapshot may be read from anywhere.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ui/view_model/answer_view.h"
#include "ui/view_model/document_view.h"
#include "ui/view_model/library_view.h"
#include "ui/view_model/settings_view.h"

namespace mneme::ui {

struct ChatRow {
  int64_t id = 0;
  std::string title;
  int64_t updated_ms = 0;
  int64_t n_messages = 0;
  bool pinned = false;
  bool unkept = false;  // not all of it is in the catalogue
  bool operator==(const ChatRow&) const = default;
};

// Chats whose title or messages hold what was searched; `text` says for what.
struct ChatMatches {
  std::string text;
  std::vector<int64_t> chats;  // sorted
};

struct ConversationView {
  int64_t chat = 0;  // 0: a new one, not saved yet; below 0: one that could not be kept so far
  std::string title;
  std::vector<std::shared_ptr<const MessageView>> messages;
  bool answering = false;       // one of the messages is an answer being made
  int64_t unkept_since_ms = 0;  // not all of it could be kept; 0: it is, or nothing was to be

  bool unkept() const { return unkept_since_ms != 0; }
};

struct IndexingView {
  bool running = false;
  bool pausing = false;    // stopping after the documents in work
  bool paused = false;     // by the user, or for want of space; can be resumed
  bool elsewhere = false;  // another process on this home has a run under way
  bool waits = false;      // for another program that writes to the library: compacting it takes minutes
  std::string collection;
  std::vector<std::string> paths;
  uint64_t done = 0;
  uint64_t total = 0;
  bool counting = false;
  uint64_t chunks = 0;
  uint64_t failed = 0;
  int waiting = 0;  // further folders behind this one
  std::string current_file;
  double bytes_per_s = 0.0;
  double eta_s = -1.0;  // -1: unknown
  double seconds = 0.0;
};

struct ModelRow {
  std::string name;
  std::string path;
  std::string kind;  // "language", "embedder"
  uint64_t size_bytes = 0;
  bool in_use = false;
  bool chosen = false;   // an embedder: finds passages from the next start on, where it does not yet
  bool shipped = false;  // came with the program
  std::string error;     // why the file cannot be used; empty: it can
  // Of a file that could be looked into:
  std::string architecture;
  std::string types;  // "q8_0, f32"
  uint64_t parameters = 0;
  int context_length = 0;  // trained
  int n_layers = 0;
  int64_t kv_bytes_per_token = 0;
  uint64_t weights_bytes = 0;
  uint64_t scratch_bytes = 0;
};

// A model that another program has put on this machine.
struct FoundModelRow {
  std::string name = {};
  std::string path = {};
  std::string program = {};
  std::string kind = {};  // as of ModelRow
  uint64_t size_bytes = 0;
  std::string error = {};  // why it cannot be used; empty: it can
};

// The language model in use, or on its way.
struct EngineView {
  enum class State { kNone, kClosed, kLoading, kOpen, kFailed } state = State::kNone;
  std::string model;   // "none": quotes passages
  std::string device;  // as asked: "auto", "cpu", "cuda"
  int context_tokens = 0;
  float progress = -1.0f;  // of loading; -1: unknown
  float tried = -1.0f;     // the share of trying it out that is done (model_trial.h); -1: it is not being tried out
  double trial_seconds_left = -1.0;  // -1: unknown
  std::string error;                 // one sentence
  uint64_t available_bytes = 0;      // memory that programs can still get; 0: unknown
  // Of a model that is open:
  std::string running_on;  // "CPU, avx512, 2 threads"; which layers are on which device, where there are several
  int running_layers = 0;
  int running_context = 0;  // tokens
};

// What a notice offers to do.
enum class NoticeAction {
  kNone,
  kUndoDelete,
  kReadAgain,
  kShowFailed,
  kShowModels,
  kResumeIndexing,
  kOpenFile,
  kOpenChat
};

struct Notice {
  uint64_t id = 0;
  bool is_error = false;
  std::string text;  // one sentence
  NoticeAction action = NoticeAction::kNone;
  int64_t chat = 0;             // of kUndoDelete, kOpenChat
  bool long_work = false;       // worth telling the desktop
  std::string file = {};        // of kOpenFile, kReadAgain
  std::string collection = {};  // of kReadAgain
  bool says_the_same(const Notice& other) const {
    return text == other.text && is_error == other.is_error && action == other.action && chat == other.chat &&
           file == other.file && collection == other.collection;
  }
};

// What stands in a folder that the built-in browser shows.
struct FolderView {
  struct Entry {
    std::string name;
    bool is_folder = false;
    bool operator==(const Entry&) const = default;
  };
  std::string folder;  // as asked for
  bool with_models = false;
  std::vector<Entry> entries;
  std::string error;        // why there are none, one sentence
  std::string within = {};  // where `folder` is not there: the folder above it, whose entries begin like its name
  bool is_file = false;     // `folder` is one, to be taken itself
  bool operator==(const FolderView&) const = default;
};

// A look at the machine, a second apart.
struct ActivitySample {
  double seconds = 0.0;  // since the window opened
  uint64_t resident_bytes = 0;
  uint64_t kv_bytes = 0;
  double tokens_per_s = 0.0;  // of the answer being written; 0: none
};

struct RecentAnswer {
  std::string question;
  AnswerFacts facts;
};

struct ActivityView {
  std::vector<ActivitySample> samples;  // oldest first
  std::vector<RecentAnswer> answers;    // newest first
};

// An encrypted home that waits for its passphrase.
struct LockView {
  bool opening = false;  // with the passphrase that was given
  std::string error;     // why the last one did not open it, one sentence
};

struct Snapshot {
  bool ready = false;                                 // the workspace is open
  std::string fatal;                                  // why it cannot be opened
  std::optional<LockView> locked;                     // nothing: it is not, or no more
  std::shared_ptr<const std::vector<ChatRow>> chats;  // never null; pinned first, then newest
  std::shared_ptr<const ChatMatches> chat_matches;    // null: nothing was searched
  ConversationView conversation;
  // Others, in which answers are being made or wait for their turn, or that could not be kept.
  std::vector<ConversationView> elsewhere;
  LibraryView library;
  IndexingView indexing;
  std::vector<ModelRow> models;
  std::shared_ptr<const std::vector<FoundModelRow>> found_models;  // null: nobody has looked
  EngineView engine;
  SettingsView settings;
  std::vector<Notice> notices;
  std::optional<DocumentTextView> document;
  std::shared_ptr<const FolderView> folder;      // null: none was asked for
  std::shared_ptr<const ActivityView> activity;  // never null
  std::string samples_folder;                    // offered at first start; empty when there is none

  bool answers() const {
    return conversation.answering ||
           std::any_of(elsewhere.begin(), elsewhere.end(), [](const ConversationView& c) { return c.answering; });
  }

  Snapshot() : chats(std::make_shared<std::vector<ChatRow>>()), activity(std::make_shared<ActivityView>()) {}
};

}  // namespace mneme::ui
