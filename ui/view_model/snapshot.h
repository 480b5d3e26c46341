// What the window shows, as one immutable value. Panels read it, never change it; the controller publishes a new one
// when something happened. Large parts are shared between snapshots, so that publishing is cheap. Threads: a
// published snapshot may be read from anywhere.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ui/view_model/document_places.h"
#include "ui/view_model/document_table.h"

namespace mneme::ui {

struct SourceView {
  int n = 0;
  std::string title;
  std::string document;  // absolute path
  std::string heading;
  int page = 0;  // 0: none
  int line_begin = 0;
  int line_end = 0;
  int first_line = 0;  // of the passage; 0 where it is not made of the file's own lines
  double score = 0.0;
  std::string text;
  bool cited = false;
  bool quoted = false;
  bool is_code = false;     // source code or data: its lines are shown as they are
  std::string file;         // "house/notes.md", where the title alone does not tell it from another source's document
  size_t excerpt_from = 0;  // byte of `text` where the line of what the answer says of it begins
};

// When one kind of work ran, milliseconds from the question; intervals in order, not overlapping.
struct StageView {
  struct Interval {
    double begin_ms = 0.0;
    double end_ms = 0.0;
  };
  std::string name;  // "retrieve", "load", "decode", "recompute", "read", "generate"
  std::vector<Interval> intervals;
  double total_ms() const {
    double sum = 0.0;
    for (const Interval& i : intervals) sum += i.end_ms - i.begin_ms;
    return sum;
  }
};

// What an answer cost and reused; unset means it does not apply.
struct AnswerFacts {
  std::string mode;
  std::string model;
  std::string device;
  std::string finish;
  int chunks = 0;
  int hits = 0;
  int cut_passages = 0;
  std::optional<double> recompute_ratio;
  int64_t recomputed_tokens = 0;
  std::optional<std::string> level;
  int64_t bytes_read = 0;
  int64_t bytes_fp16 = 0;
  int prompt_tokens = 0;
  int chunk_tokens = 0;
  int answer_tokens = 0;
  int decode_steps = 0;  // that wrote them; fewer than tokens where words were taken over from the passages
  int unsupported = 0;   // sentences no passage bears out
  std::optional<double> ttft_ms;
  std::optional<double> total_ms;
  std::optional<double> tokens_per_s;
  std::string query;  // what was searched, when it was not the question itself
  std::vector<StageView> timeline;
  std::vector<std::string> notes;
};

struct MessageView {
  int64_t id = 0;  // 0: not saved yet
  bool from_user = false;
  std::string text;       // Markdown for answers
  std::string reasoning;  // what a model thought before; Markdown
  std::vector<SourceView> sources;
  std::optional<AnswerFacts> facts;
  std::shared_ptr<const std::string> details_json;  // as kept with the chat: the object of `ask --json`
  bool streaming = false;
  std::string stage;  // while streaming: "opening", "retrieving", "reading", "answering"
  std::string error;  // one sentence; empty when all is well
};

struct ChatRow {
  int64_t id = 0;
  std::string title;
  int64_t updated_ms = 0;
  int64_t n_messages = 0;
  bool pinned = false;
  bool operator==(const ChatRow&) const = default;
};

// Chats whose title or messages hold what was searched; `text` says for what.
struct ChatMatches {
  std::string text;
  std::vector<int64_t> chats;  // sorted
};

struct ConversationView {
  int64_t chat = 0;  // 0: a new one, not saved yet
  std::string title;
  std::vector<std::shared_ptr<const MessageView>> messages;
};

struct IndexingView {
  bool running = false;
  bool pausing = false;    // stopping after the documents in work
  bool paused = false;     // by the user, or for want of space; can be resumed
  bool elsewhere = false;  // another process on this home has a run under way
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

// What the table of documents shows of them, and in which order.
enum class DocumentColumn { kTitle, kFormat, kSize, kPassages, kIndexed };
struct DocumentOrder {
  std::string filter;  // part of title or path, without regard to ASCII case
  DocumentColumn column = DocumentColumn::kTitle;
  bool descending = false;
  bool operator==(const DocumentOrder&) const = default;
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
  int64_t failed = 0;
  bool watched = false;
  std::string kv_level;  // empty: as the settings say
};

struct LibraryView {
  std::vector<CollectionRow> collections;
  std::shared_ptr<const DocumentTable> documents;           // of the shown collection
  std::shared_ptr<const std::vector<uint32_t>> shown_rows;  // of `documents`, filtered and in order
  DocumentOrder order;                                      // that `shown_rows` follows
  std::shared_ptr<const std::vector<FailedRow>> failed;
  std::string shown;    // collection whose documents are listed
  bool loaded = false;  // false: not read from the catalogue yet
  int64_t kv_bytes = 0;
  int64_t kv_quota_bytes = 0;
  int64_t kv_chunks = 0;
  int64_t kv_hits = 0;
  int64_t kv_misses = 0;
  int64_t kv_evictions = 0;
  uint64_t catalogue_bytes = 0;

  // Another collection's documents are to be listed, once they are read.
  void turn_to(const std::string& collection) {
    if (shown == collection) return;
    shown = collection;
    documents.reset();
    shown_rows.reset();
    failed.reset();
  }
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
  float progress = -1.0f;        // of loading; -1: unknown
  std::string error;             // one sentence
  uint64_t available_bytes = 0;  // memory that programs can still get; 0: unknown
  // Of a model that is open:
  std::string running_on;  // "CPU, avx512, 2 threads"; which layers are on which device, where there are several
  int running_layers = 0;
  int running_context = 0;  // tokens
};

enum class ThemeChoice { kSystem, kLight, kDark };

struct SettingsView {
  ThemeChoice theme = ThemeChoice::kSystem;
  float scale = 1.0f;        // 0.75 .. 2.5, on top of the display's own
  std::string collection;    // asked; empty: all
  std::string instructions;  // the user's own, sent with every question
  int top_k = 6;
  float temperature = 0.0f;
  float top_p = 1.0f;
  int max_tokens = 512;
  std::string mode;  // empty: the best the model has been measured for; full, prefix, reuse, blend
  std::string kv_level = "medium";
  bool show_sources = true;
  bool show_sidebar = true;
  bool notify = true;    // the desktop, when long work ends while the window is not looked at
  int long_work_s = 20;  // what counts as long
  // The language model, device and context to answer with; empty model: as the program was started.
  std::string model;
  std::string device = "auto";
  int context_tokens = 0;
  bool operator==(const SettingsView&) const = default;
};

// What a notice offers to do.
enum class NoticeAction { kNone, kUndoDelete, kShowFailed, kShowModels, kResumeIndexing, kOpenFile };

struct Notice {
  uint64_t id = 0;
  bool is_error = false;
  std::string text;  // one sentence
  NoticeAction action = NoticeAction::kNone;
  int64_t chat = 0;        // of kUndoDelete
  bool long_work = false;  // worth telling the desktop
  std::string file = {};   // of kOpenFile
};

// A page of a document as a picture.
struct PageImage {
  int width = 0;
  int height = 0;
  int dpi = 0;               // that it was drawn with
  std::vector<uint8_t> rgb;  // width * height * 3
  struct Box {               // of a passage, as shares of width and height
    float x_min, y_min, x_max, y_max;
  };
  struct Word {
    Box box;
    std::string text;
  };
  std::vector<Word> words;  // in reading order
  float text_left = 0.0f;   // where its words begin and end, as shares of the width
  float text_right = 1.0f;
  std::vector<Box> passage;
  std::vector<Box> said;  // the words of it that the answer says
};

// Where the document being looked at says what is sought in it.
struct FoundInDocument {
  struct Place {
    uint64_t begin = 0;  // bytes of the text
    uint64_t end = 0;
    int page = 0;  // 0: it has none
  };
  std::string sought;
  std::vector<Place> places;  // in order
  bool more = false;          // than are listed
};

// The document being looked at, with the passage to show: its text, and for a PDF the page too.
struct DocumentTextView {
  SourceView source;
  std::string format;  // "pdf", "markdown", ...
  std::shared_ptr<const std::string> text;
  std::shared_ptr<const DocumentPlaces> places;  // of its bytes; null: not known
  uint64_t begin = 0;                            // byte span of the passage
  uint64_t end = 0;
  std::string said;   // the answer's words that cite it; marked in the passage
  std::string error;  // what is missing, one sentence
  std::shared_ptr<const PageImage> page_image;
  int page = 0;
  int pages = 0;
  std::shared_ptr<const FoundInDocument> found;            // null: nothing is sought
  std::vector<std::vector<PageImage::Box>> found_on_page;  // on the page of `page_image`: for each place its words
  bool loading = false;
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
  std::string error;  // why there are none, one sentence
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

struct Snapshot {
  bool ready = false;                                 // the workspace is open
  std::string fatal;                                  // why it cannot be opened
  std::shared_ptr<const std::vector<ChatRow>> chats;  // never null; pinned first, then newest
  std::shared_ptr<const ChatMatches> chat_matches;    // null: nothing was searched
  ConversationView conversation;
  bool answering = false;
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

  Snapshot() : chats(std::make_shared<std::vector<ChatRow>>()), activity(std::make_shared<ActivityView>()) {}
};

}  // namespace mneme::ui
