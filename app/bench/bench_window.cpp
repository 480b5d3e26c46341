// bench window: how soon the window is there and how long its frames take, with many documents and chats present.
#include <algorithm>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "app/bench/bench.h"
#include "app/output/progress.h"
#include "app/scratch_context.h"
#include "app/session.h"
#include "app/temporary_folder.h"
#include "rag/workspace.h"
#include "storage/catalogue/catalogue.h"
#include "storage/env/file_env.h"

#ifdef MNEME_HAVE_UI
#include "ui/ui.h"
#include "ui/view_model/settings_keys.h"
#endif

namespace mneme::app {

#ifdef MNEME_HAVE_UI

namespace {

using nlohmann::json;

constexpr int kDefaultDocuments = 100'000;
constexpr int kChats = 1000;
constexpr int kLongChatMessages = 200;
// Enough that answers, and the letters that are typed afterwards, meet indexing all the time.
constexpr int kFoldersToIndex = 6;
constexpr int kFilesOfFolder = 8'000;
constexpr const char* kLongChat = "A long chat to scroll through";
constexpr const char* kCollection = "many documents";

std::string sentence(int n) {
  return "Sentence " + std::to_string(n) + " says what the measuring document holds about item " +
         std::to_string(n * 7 % 1009) + ". ";
}

Status add_documents(Context& context, storage::Catalogue& catalogue, int count) {
  MNEME_ASSIGN_OR_RETURN(const storage::CollectionId collection, catalogue.ensure_collection(kCollection));
  MNEME_ASSIGN_OR_RETURN(const std::vector<storage::CollectionStats> stats, catalogue.stats());
  int present = 0;
  for (const storage::CollectionStats& stat : stats) {
    if (stat.collection.id == collection) present = static_cast<int>(stat.documents);
  }
  Progress bar(context.output, "documents");
  for (int i = present; i < count; ++i) {
    if (context.cancel.cancelled()) return cancelled();
    storage::NewDocument document;
    document.record.collection = collection;
    document.record.path = "/bench/folder-" + std::to_string(i % 97) + "/document-" + std::to_string(i) + ".md";
    document.record.title = "Document " + std::to_string(i * 7919 % count);
    document.record.format = i % 3 == 0 ? "markdown" : "plain";
    document.record.file.size_bytes = static_cast<uint64_t>(1000 + i % 5000);
    storage::NewChunk chunk;
    chunk.text = sentence(i);
    chunk.byte_end = chunk.text.size();
    chunk.n_tokens = 16;
    document.chunks.push_back(std::move(chunk));
    MNEME_RETURN_IF_ERROR(catalogue.put_document(document).status());
    if (i % 500 == 0) bar.update(static_cast<uint64_t>(i), static_cast<uint64_t>(count), "documents");
  }
  return {};
}

Status add_message(storage::Catalogue& catalogue, storage::ChatId chat, bool from_user, const std::string& text) {
  storage::MessageRecord message;
  message.chat = chat;
  message.role = from_user ? "user" : "assistant";
  message.text = text;
  message.details_json = "{}";
  return catalogue.append_message(message).status();
}

Status add_chats(storage::Catalogue& catalogue) {
  MNEME_ASSIGN_OR_RETURN(const std::vector<storage::ChatRecord> present, catalogue.list_chats());
  for (int i = static_cast<int>(present.size()); i < kChats; ++i) {
    const std::string question = "What is said about item " + std::to_string(i) + "?";
    MNEME_ASSIGN_OR_RETURN(const storage::ChatId chat, catalogue.create_chat(question));
    MNEME_RETURN_IF_ERROR(add_message(catalogue, chat, true, question));
  }
  for (const storage::ChatRecord& chat : present) {
    if (chat.title == kLongChat) return {};
  }
  MNEME_ASSIGN_OR_RETURN(const storage::ChatId chat, catalogue.create_chat(kLongChat));
  for (int i = 0; i < kLongChatMessages; ++i) {
    std::string text = "Question " + std::to_string(i) + "?";
    if (i % 2 == 1) {
      text = "## Answer " + std::to_string(i) + "\n\n";
      for (int k = 0; k < 40; ++k) text += sentence(i * 40 + k) + (k % 8 == 7 ? "[1]\n\n" : "");
      text +=
          "- one **bold** point\n- another with `code`\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```\nint code = 1;\n```\n";
    }
    MNEME_RETURN_IF_ERROR(add_message(catalogue, chat, i % 2 == 0, text));
  }
  return {};
}

Status write_files(const std::string& folder, int first) {
  storage::FileEnv& env = storage::FileEnv::posix();
  MNEME_RETURN_IF_ERROR(env.make_directories(folder));
  for (int i = first; i < first + kFilesOfFolder; ++i) {
    std::string text = "# File " + std::to_string(i) + "\n\n";
    for (int k = 0; k < 60; ++k) text += sentence(i * 60 + k);
    MNEME_ASSIGN_OR_RETURN(const auto file, env.create(folder + "/" + std::to_string(i) + ".md"));
    MNEME_RETURN_IF_ERROR(file->append(as_bytes(text)));
    MNEME_RETURN_IF_ERROR(file->close());
  }
  return {};
}

// What the measurement has begun to index is no part of the home: another one starts from the same state.
Status forget_indexed(Context& context) {
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<rag::Workspace> workspace, open_workspace(context));
  storage::Catalogue& catalogue = workspace->catalogue();
  MNEME_RETURN_IF_ERROR(catalogue.remove_setting(ui::kUnfinishedIndexingKey));
  const Result<storage::CollectionRecord> indexed = catalogue.find_collection(ui::kMeasuredCollection);
  return indexed.ok() ? catalogue.delete_collection(indexed->id) : Status();
}

json times_json(const ui::FrameTimes& times) {
  return {{"p50_ms", times.p50_ms}, {"p99_ms", times.p99_ms}, {"max_ms", times.max_ms}};
}

json memory_json(const std::vector<ui::MemoryPart>& parts) {
  json memory = json::object();
  for (const ui::MemoryPart& part : parts) memory[part.name] = part.bytes;
  return memory;
}

json phase_json(const ui::WindowPhase& phase) {
  json result = times_json(phase.times);
  result["phase"] = phase.name;
  result["frames"] = phase.frames;
  for (const auto& [name, parts] : {std::pair("parts", &phase.parts), std::pair("waits", &phase.waits)}) {
    for (const ui::WindowPhase::Part& part : *parts) {
      result[name][part.name] = times_json(part.times);
      result[name][part.name]["slowest_ms"] = part.slowest_ms;
    }
  }
  for (const ui::WindowPhase::Thread& thread : phase.threads) result["threads"][thread.name] = thread.share;
  result["machine"] = {{"idle", phase.idle}, {"others", phase.others}, {"stolen", phase.stolen}};
  return result;
}

json typing_json(const ui::TypingLatency& typing) {
  json result = times_json(typing.times);
  result["phase"] = typing.name;
  result["letters"] = typing.letters;
  result["in_first_frame"] = typing.in_first_frame;
  result["p99_frames"] = typing.p99_frames;
  result["most_frames"] = typing.most_frames;
  result["overtaken"] = typing.overtaken;
  result["while_indexing"] = typing.while_indexing;
  result["while_answering"] = typing.while_answering;
  result["lost"] = typing.lost;
  return result;
}

// What the window itself takes: all but the driver and the other libraries, less what an empty window has allocated
// in the driver's name.
uint64_t window_bytes(const json& memory, const json& empty) {
  uint64_t bytes = 0;
  for (const auto& [part, size] : memory.items()) {
    if (part == "driver" || part == "libraries") continue;
    const uint64_t of_empty = part == "own" || part == "shared" ? empty.value(part, uint64_t{0}) : 0;
    bytes += size.get<uint64_t>() - std::min(of_empty, size.get<uint64_t>());
  }
  return bytes;
}

json result_json(const ui::WindowMeasurement& m, int documents) {
  const json memory = memory_json(m.memory);
  const json empty = memory_json(m.empty_window);
  json result = {{"documents", documents},
                 {"chats", kChats},
                 {"first_frame_ms", m.first_frame_ms},
                 {"ready_ms", m.ready_ms},
                 {"library_ms", m.library_ms},
                 {"idle_cpu_share", m.idle_cpu_share},
                 {"resident_bytes", m.resident_bytes},
                 {"driver_bytes", memory.value("driver", uint64_t{0})},
                 {"window_bytes", window_bytes(memory, empty)},
                 {"memory", memory},
                 {"memory_of_empty_window", empty}};
  json results = json::array({std::move(result)});
  for (const ui::WindowPhase& phase : m.phases) results.push_back(phase_json(phase));
  for (const ui::TypingLatency& typing : m.typing) results.push_back(typing_json(typing));
  return results;
}

}  // namespace

Result<json> bench_window(Context& context, const BenchOptions& options) {
  if (!ui::display_available()) {
    return unsupported("`mneme bench window` needs a display; run it under `xvfb-run -s \"-screen 0 1280x800x24\"`.");
  }
  MNEME_ASSIGN_OR_RETURN(const TemporaryFolder folder, TemporaryFolder::make());
  const std::string home = options.path.empty() ? folder.path() + "/home" : options.path;
  const int documents = options.n_chunks(kDefaultDocuments);
  Context scratch = scratch_context(context, home);
  {
    MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<rag::Workspace> workspace, open_workspace(scratch));
    MNEME_RETURN_IF_ERROR(add_documents(context, workspace->catalogue(), documents));
    MNEME_RETURN_IF_ERROR(add_chats(workspace->catalogue()));
  }
#ifdef __GLIBC__
  malloc_trim(0);  // what the preparation has left behind is no part of the window
#endif
  ui::WindowScript script;
  script.long_chat = kLongChat;
  script.question = "What is said about item 77?";
  for (int i = 0; i < kFoldersToIndex; ++i) {
    script.index_folders.push_back(folder.path() + "/files" + std::to_string(i));
    MNEME_RETURN_IF_ERROR(write_files(script.index_folders.back(), i * kFilesOfFolder));
  }
  ui::WindowOptions window;
  MNEME_ASSIGN_OR_RETURN(window.workspace, workspace_options(scratch));
  MNEME_ASSIGN_OR_RETURN(const ui::WindowMeasurement measured, ui::measure_window(window, script));
  MNEME_RETURN_IF_ERROR(forget_indexed(scratch));
  return result_json(measured, documents);
}

#else

Result<nlohmann::json> bench_window(Context&, const BenchOptions&) {
  return unsupported("this build has no window to measure (Dear ImGui, GLFW or OpenGL was missing).");
}

#endif

}  // namespace mneme::app
