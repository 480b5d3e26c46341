// What the window shows, as one immutable value. Panels read it, never change it; the controller publishes a new one
// when something happened. Large parts are shared between snapshots, so that publishing per token is cheap. Threads: a
// published snapshot may be read from anywhere.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mneme::ui {

struct SourceView {
  int n = 0;
  std::string title;
  std::string document;  // absolute path
  std::string heading;
  int page = 0;  // 0: none
  int line_begin = 0;
  int line_end = 0;
  double score = 0.0;
  std::string text;
  bool cited = false;
  bool quoted = false;
};

// One stage of an answer's timeline, milliseconds from the question.
struct StageView {
  std::string name;
  double begin_ms = 0.0;
  double end_ms = 0.0;
};

// What an answer cost and reused; unset means it does not apply.
struct AnswerFacts {
  std::string mode;
  std::string model;
  std::string device;
  std::string finish;
  int chunks = 0;
  int hits = 0;
  std::optional<double> recompute_ratio;
  std::optional<std::string> level;
  int64_t bytes_read = 0;
  int64_t bytes_fp16 = 0;
  int prompt_tokens = 0;
  int chunk_tokens = 0;
  int answer_tokens = 0;
  std::optional<double> ttft_ms;
  std::optional<double> total_ms;
  std::optional<double> tokens_per_s;
  std::vector<StageView> timeline;
  std::vector<std::string> notes;
};

struct MessageView {
  int64_t id = 0;  // 0: not saved yet
  bool from_user = false;
  std::string text;  // Markdown for answers
  std::vector<SourceView> sources;
  std::optional<AnswerFacts> facts;
  bool streaming = false;
  std::string stage;  // while streaming: "retrieving", "reading", "answering"
  std::string error;  // one sentence; empty when all is well
};

struct ChatRow {
  int64_t id = 0;
  std::string title;
  int64_t updated_ms = 0;
  int64_t n_messages = 0;
  bool pinned = false;
};

struct ConversationView {
  int64_t chat = 0;  // 0: a new one, not saved yet
  std::string title;
  std::vector<std::shared_ptr<const MessageView>> messages;
};

struct IndexingView {
  bool running = false;
  bool pausing = false;  // stopping after the documents in work
  std::string collection;
  std::vector<std::string> paths;
  uint64_t done = 0;
  uint64_t total = 0;
  bool counting = false;
  uint64_t chunks = 0;
  std::string current_file;
  double bytes_per_s = 0.0;
  double eta_s = -1.0;  // -1: unknown
  double seconds = 0.0;
};

struct DocumentRow {
  int64_t id = 0;
  std::string path;
  std::string title;
  std::string format;
  uint64_t size_bytes = 0;
  int64_t n_chunks = 0;
  int64_t indexed_ms = 0;
};

struct FailedRow {
  std::string path;
  std::string error;
};

struct CollectionRow {
  std::string name;
  int64_t documents = 0;
  int64_t chunks = 0;
  int64_t tokens = 0;
  uint64_t text_bytes = 0;
  std::vector<std::string> roots;
};

struct LibraryView {
  std::vector<CollectionRow> collections;
  std::shared_ptr<const std::vector<DocumentRow>> documents;  // of the shown collection
  std::shared_ptr<const std::vector<FailedRow>> failed;
  std::string shown;  // collection whose documents are listed
  int64_t kv_bytes = 0;
  int64_t kv_quota_bytes = 0;
  uint64_t catalogue_bytes = 0;
};

struct ModelRow {
  std::string name;
  std::string path;
  std::string kind;
  uint64_t size_bytes = 0;
  bool in_use = false;
};

enum class ThemeChoice { kSystem, kLight, kDark };

struct SettingsView {
  ThemeChoice theme = ThemeChoice::kSystem;
  float scale = 1.0f;        // 0.75 .. 2.5, on top of the display's own
  std::string collection;    // asked; empty: all
  std::string model;         // name or file; "none": quotes passages
  std::string instructions;  // the user's own, sent with every question
  int top_k = 6;
  float temperature = 0.0f;
  int max_tokens = 512;
  bool show_sources = true;
};

struct Notice {
  uint64_t id = 0;
  bool is_error = false;
  std::string text;  // one sentence
};

// The whole text of a document being looked at, with the passage to show.
struct DocumentTextView {
  std::string path;
  std::string title;
  std::shared_ptr<const std::string> text;
  uint64_t begin = 0;  // byte span to highlight
  uint64_t end = 0;
  std::string error;
};

struct Snapshot {
  bool ready = false;          // the workspace is open
  std::string fatal;           // why it cannot be opened
  std::vector<ChatRow> chats;  // pinned first, then newest
  ConversationView conversation;
  bool answering = false;
  LibraryView library;
  IndexingView indexing;
  std::vector<ModelRow> models;
  SettingsView settings;
  std::vector<Notice> notices;
  std::optional<DocumentTextView> document;
  std::string samples_folder;  // offered at first start; empty when there is none
};

}  // namespace mneme::ui
