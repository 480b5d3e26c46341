// A controller over a real home with two small documents.
#pragma once

#include <pthread.h>
#include <sqlite3.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "storage/catalogue/catalogue.h"
#include "tests/support/checkout/checkout.h"
#include "ui/view_model/controller.h"

namespace mneme::ui {

namespace fs = std::filesystem;

class ControllerTest : public testing::Test {
 protected:
  ControllerTest() {
    std::string pattern = (fs::temp_directory_path() / "mneme-ui-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
    fs::create_directories(folder_ / "docs");
    write("docs/warranty.md", "# Warranty\n\nThe kettle has a warranty of three years.\n");
    write("docs/ferry.md", "# Ferry\n\nThe ferry sails at nine in winter.\n");
  }
  ~ControllerTest() override {
    hold_loading_ = hold_writing_ = hold_indexing_ = false;
    controller_.reset();
    std::error_code error;
    fs::remove_all(folder_, error);
  }

  void write(const std::string& name, const std::string& text) { std::ofstream(folder_ / name) << text; }

  Controller& controller() {
    if (!controller_) {
      Controller::Options options;
      options.workspace.home = env_ == nullptr ? (folder_ / "home").string() : "/home";
      options.workspace.env = env_;
      options.workspace.model = model_;
      options.workspace.embedder = "hashed";
      options.notice = notice_;
      options.tidings = tidings_;
      options.language = language_;
      options.system_language = system_language_;
      controller_ = std::make_unique<Controller>(std::move(options), [this] { woken(); });
      wait([](const Snapshot& s) { return s.ready && s.library.loaded; });
    }
    return *controller_;
  }

  // On the thread that has just published.
  void woken() {
    if (is_thread("mneme-indexing") && others_write_.exchange(false)) begin_writing_elsewhere();
    if (is_thread("mneme-catalogue") && busy_once_.exchange(false))
      std::this_thread::sleep_for(std::chrono::milliseconds(300));
    while (hold_indexing_ && is_thread("mneme-indexing")) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    while (hold_loading_ && is_thread("mneme-loading")) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    while (hold_writing_ && is_thread("mneme-answering") && has_first_word(*controller_->snapshot()))
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    if (!stop_at_first_word_) return;
    const auto snapshot = controller_->snapshot();
    if (!snapshot->conversation.answering || snapshot->conversation.messages.back()->text.empty()) return;
    if (stop_at_first_word_) controller_->post(StopAnswer{});
  }

  // As a program that compacts the catalogue.
  void begin_writing_elsewhere() {
    constexpr int kPatienceMs = 10'000;
    ASSERT_EQ(sqlite3_open((folder_ / "home" / "catalog.db").c_str(), &other_), SQLITE_OK);
    sqlite3_busy_timeout(other_, kPatienceMs);
    ASSERT_EQ(sqlite3_exec(other_, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr), SQLITE_OK);
  }
  void end_writing_elsewhere() {
    sqlite3_close(other_);
    other_ = nullptr;
  }

  static bool is_thread(const char* wanted) {
    char name[16] = {};
    ::pthread_getname_np(::pthread_self(), name, sizeof(name));
    return std::string(name) == wanted;
  }

  // Of an answer being written, shown or not.
  static bool has_first_word(const Snapshot& s) {
    const auto in = [](const ConversationView& c) {
      return std::any_of(c.messages.begin(), c.messages.end(),
                         [](const auto& m) { return m->streaming && !m->text.empty(); });
    };
    return in(s.conversation) || std::any_of(s.elsewhere.begin(), s.elsewhere.end(), in);
  }

  // Asks what the model begins to answer, and leaves it for a new chat; the left one.
  int64_t leave_at_first_word(const std::string& question) {
    hold_writing_ = true;
    controller().post(AskQuestion{question});
    wait(has_first_word);
    controller().post(NewChat{});
    return wait([](const Snapshot& s) { return s.conversation.messages.empty(); })->elsewhere.at(0).chat;
  }

  // Waits for a snapshot; fails after a while.
  std::shared_ptr<const Snapshot> wait(const std::function<bool(const Snapshot&)>& done) {
    for (int i = 0; i < 12000; ++i) {
      if (auto snapshot = controller_->snapshot(); done(*snapshot)) return snapshot;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    ADD_FAILURE() << "nothing happened within two minutes";
    return controller_->snapshot();
  }

  void index() {
    controller().post(AddFolder{(folder_ / "docs").string(), "default"});
    wait([](const Snapshot& s) {
      return !s.indexing.running && !s.library.collections.empty() && s.library.collections[0].documents == 2;
    });
  }

  void ask(const std::string& question) {
    const size_t before = controller().snapshot()->conversation.messages.size();
    controller().post(AskQuestion{question});
    wait([&](const Snapshot& s) {
      return !s.conversation.answering && s.conversation.messages.size() == before + 2 &&
             s.conversation.messages.back()->id != 0;
    });
  }

  // Both documents are there, and the small model of the tests writes so many tokens at most.
  void answer_with_tiny(int max_tokens) {
    index();
    model_ = checkout::test_data("tiny.gguf");
    controller_.reset();
    change_longest_answer(max_tokens);
  }
  void change_longest_answer(int max_tokens) {
    SettingsView settings = controller().snapshot()->settings;
    settings.max_tokens = max_tokens;
    settings.mode = "full";  // no measuring of the quality gate
    controller().post(ChangeSettings{settings});
  }

  // The catalogue as another process on the same home has it.
  std::unique_ptr<storage::Catalogue> other_catalogue() {
    auto catalogue = storage::Catalogue::open({.path = (folder_ / "home" / "catalog.db").string()});
    EXPECT_TRUE(catalogue.ok());
    return std::move(catalogue).value();
  }

  fs::path folder_;
  std::string model_ = "none";
  std::string notice_;
  std::string language_;  // named at the start
  std::string system_language_;
  std::function<std::vector<std::string>(storage::Catalogue&)> tidings_;
  storage::FileEnv* env_ = nullptr;  // null: the system's files
  std::atomic<bool> stop_at_first_word_{false};
  std::atomic<bool> busy_once_{false};      // the catalogue's thread, for a moment once it says something
  std::atomic<bool> hold_loading_{false};   // of a model: it gets no further than to say that it has begun
  std::atomic<bool> hold_indexing_{false};  // a run gets no further than to say that it has begun
  std::atomic<bool> hold_writing_{false};   // of an answer: it gets no further than its first word
  std::atomic<bool> others_write_{false};   // once the indexing thread says something, another program writes
  sqlite3* other_ = nullptr;
  std::unique_ptr<Controller> controller_;
};

}  // namespace mneme::ui
