// The window, the command line and a watcher on one home at the same time: nobody fails, nothing is torn. In one
// process (for ThreadSanitizer) with a workspace per thread, and as processes.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <thread>

#include "app/commands/kv_store.h"
#include "base/mutex.h"
#include "rag/answering/answerer.h"
#include "rag/indexing/indexer.h"
#include "rag/indexing/kv_job.h"
#include "rag/kv_reuse/kv_background.h"
#include "rag/kv_reuse/kv_library.h"
#include "rag/retrieval/retriever.h"
#include "rag/workspace.h"
#include "storage/catalogue/catalogue.h"
#include "tests/integration/program.h"
#include "tests/support/checkout/checkout.h"

namespace mneme::integration {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kDuration{3};
const std::string kTiny = checkout::test_data("tiny.gguf");

class ConcurrencyTest : public testing::Test {
 protected:
  void SetUp() override {
    for (int i = 0; i < 12; ++i) write_page(i, 0);
    docs = program.folder() + "/docs";
  }
  void write_page(int page, int version) {
    program.write("docs/" + std::to_string(page) + ".txt",
                  "Page " + std::to_string(page) + " of the log book of the harbour, version " +
                      std::to_string(version) + ".\n\nThe crane lifts twelve tonnes.\n");
  }
  std::unique_ptr<rag::Workspace> open(const std::string& model) {
    rag::WorkspaceOptions options;
    options.home = program.home();
    options.model = model;
    options.embedder = "hashed";
    options.device = "cpu";
    options.n_threads = 2;
    auto workspace = rag::Workspace::open(options);
    EXPECT_TRUE(workspace.ok()) << workspace.status().message();
    return workspace.ok() ? *std::move(workspace) : nullptr;
  }
  Program program;
  std::string docs;
};

TEST_F(ConcurrencyTest, WorkspacesOfOneProcess) {
  const auto until = std::chrono::steady_clock::now() + kDuration;
  std::atomic<int64_t> done{0};
  Mutex mutex;
  std::vector<std::string> failures;
  // Repeats `work` with a workspace of its own; what another one removed meanwhile is no failure, nor is being second.
  const auto worker = [&](const std::string& model, const std::function<Status(rag::Workspace&, int)>& work) {
    const std::unique_ptr<rag::Workspace> workspace = open(model);
    if (workspace == nullptr) return;
    for (int i = 0; std::chrono::steady_clock::now() < until; ++i) {
      const Status status = work(*workspace, i);
      ++done;
      if (status.ok() || status.code() == StatusCode::kNotFound || status.code() == StatusCode::kBusy) continue;
      MutexLock lock(mutex);
      failures.push_back(status.message());
    }
  };
  const auto index = [&](rag::Workspace& workspace, int i) {
    write_page(i % 12, i);
    rag::IndexOptions options;
    options.paths = {docs};
    options.n_threads = 2;
    return rag::Indexer(workspace).run(options).status();
  };
  const auto ask = [](rag::Workspace& workspace, int i) {
    rag::AskOptions options;
    options.max_tokens = 2;
    options.mode = i % 2 == 0 ? rag::AnswerMode::kFull : rag::AnswerMode::kReuse;
    return rag::Answerer(workspace).ask("What does the crane lift?", options).status();
  };
  const auto search = [](rag::Workspace& workspace, int) {
    return rag::Retriever(workspace).search("log book harbour", {}).status();
  };
  const auto chat = [](rag::Workspace& workspace, int i) -> Status {
    storage::Catalogue& catalogue = workspace.catalogue();
    MNEME_ASSIGN_OR_RETURN(const storage::ChatId id, catalogue.create_chat("chat " + std::to_string(i)));
    MNEME_RETURN_IF_ERROR(catalogue.append_message({.chat = id, .role = "user", .text = "?"}).status());
    return i % 2 == 0 ? catalogue.delete_chat(id) : Status();
  };
  const auto tidy = [&](rag::Workspace& workspace, int i) -> Status {
    MNEME_RETURN_IF_ERROR(app::remove_orphaned_kv(workspace, storage::Removal::kErase).status());
    if (i % 3 == 0) MNEME_RETURN_IF_ERROR(workspace.catalogue().forget(docs + "/11.txt").status());
    return workspace.catalogue().compact();
  };
  const auto compute = [](rag::Workspace& workspace, int) -> Status {
    MNEME_ASSIGN_OR_RETURN(const rag::Workspace::Kv kv, workspace.kv());
    kv.library->store().set_quota(60'000);
    return rag::compute_collection_kv(workspace, "default", engine::KvLevel::kExact).status();
  };
  {
    const std::jthread indexing([&] { worker("none", index); });
    const std::jthread searching([&] { worker("none", search); });
    const std::jthread asking([&] { worker(kTiny, ask); });
    const std::jthread chatting([&] { worker("none", chat); });
    const std::jthread tidying([&] { worker("none", tidy); });
    const std::jthread computing([&] { worker(kTiny, compute); });
  }
  for (const std::string& failure : failures) ADD_FAILURE() << failure;
  EXPECT_GT(done, 20);
  const std::unique_ptr<rag::Workspace> workspace = open("none");
  const auto check = workspace->catalogue().check(false);
  ASSERT_TRUE(check.ok()) << check.status().message();
  for (const auto& problem : check->problems) ADD_FAILURE() << problem.path << ": " << problem.detail;
  const auto store = app::open_kv_store(*workspace);
  EXPECT_TRUE((*store)->verify(false)->problems.empty());
}

// One workspace shared by threads, as the window does.
TEST_F(ConcurrencyTest, ThreadsOfOneWorkspace) {
  const std::unique_ptr<rag::Workspace> workspace = open(kTiny);
  rag::IndexOptions options;
  options.paths = {docs};
  ASSERT_TRUE(rag::Indexer(*workspace).run(options).ok());
  std::vector<std::jthread> threads;
  std::atomic<int> failed{0};
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      rag::Answerer answerer(*workspace);
      for (int i = 0; i < 6; ++i) {
        rag::AskOptions ask;
        ask.max_tokens = 2;
        ask.mode = (i + t) % 2 == 0 ? rag::AnswerMode::kFull : rag::AnswerMode::kReuse;
        if (!answerer.ask("What does the crane lift?", ask).ok()) ++failed;
        if (!rag::Retriever(*workspace).search("harbour", {}).ok()) ++failed;
        if (t == 0) write_page(i, i + 100);
        if (t == 0 && !rag::Indexer(*workspace).run(options).ok()) ++failed;
      }
    });
  }
  threads.clear();
  EXPECT_EQ(failed, 0);
}

TEST_F(ConcurrencyTest, WatcherAndCommands) {
  program.run({"index", docs});
  std::jthread watcher([&] {
    Program other;
    other.use_home(program.home());
    other.interrupt_after_ms = 4000;
    const Outcome outcome = other.run({"index", docs, "--watch"});
    EXPECT_EQ(outcome.signal, 0) << outcome.diagnostics;
    EXPECT_EQ(outcome.exit_status, 130) << outcome.diagnostics;
  });
  std::jthread second([&] {
    Program other;
    other.use_home(program.home());
    for (int i = 0; i < 4; ++i) {
      EXPECT_EQ(other.run({"search", "log book"}).exit_status, 0);
      const Outcome asked = other.run({"ask", "What does the crane lift?", "--model", "none"});
      EXPECT_EQ(asked.exit_status, 0) << asked.diagnostics;
    }
  });
  for (int i = 0; i < 6; ++i) {
    write_page(i, i + 1);
    const Outcome indexed = program.run({"index", docs});
    EXPECT_EQ(indexed.exit_status, 0) << indexed.diagnostics;
    const Outcome chat = program.run({"chat", "--model", "none"}, "What does the crane lift?\n");
    EXPECT_EQ(chat.exit_status, 0) << chat.diagnostics;
  }
  second.join();
  watcher.join();
  EXPECT_EQ(program.run({"verify"}).exit_status, 0);
  EXPECT_EQ(program.run({"--json", "chat", "list"}).last_json()["chats"].size(), 6u);
}

}  // namespace
}  // namespace mneme::integration
