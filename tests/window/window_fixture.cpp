#include "tests/window/window_fixture.h"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include "storage/catalogue/catalogue.h"
#include "ui/view_model/settings_keys.h"

namespace mneme::window {

using nlohmann::json;

void WindowE2E::SetUp() {
  if (const std::string missing = Desktop::missing(); !missing.empty()) GTEST_SKIP() << missing;
  desktop_ = std::make_unique<Desktop>();
}

void WindowE2E::TearDown() {
  if (HasFailure() && desktop_)
    desktop_->look().write_ppm((std::filesystem::temp_directory_path() / "mneme-window-test.ppm").string());
  desktop_.reset();
}

void WindowE2E::start(const std::vector<std::string>& variables, const std::vector<std::string>& runner) {
  ASSERT_TRUE(desktop_->start(program_.home(), variables, runner)) << "no window was drawn";
}

void WindowE2E::index_documents() {
  program_.write("docs/warranty.md",
                 "# Warranty\n\nThe kettle has a warranty of three years from the day of purchase.\n");
  program_.write("docs/ferry.md", "# Ferry\n\nIn winter the ferry sails at nine.\n");
  ASSERT_EQ(program_.run({"index", program_.folder() + "/docs"}).exit_status, 0);
}

void WindowE2E::ask(const std::string& question, int& chip_x, int& chip_y) {
  constexpr Rect kCitations{270, 100, 610, 300};
  desktop_->type(question);
  desktop_->key("Return");
  ASSERT_TRUE(desktop_->wait_for([&](const Picture& p) { return p.find(kCitations, kAccentSoft, 60, chip_x, chip_y); }))
      << "no citation appeared";
  desktop_->settled();
  desktop_->look().find(kCitations, kAccentSoft, 60, chip_x, chip_y);
}

void WindowE2E::keep_picture(const std::string& name) {
  const char* folder = std::getenv("MNEME_WINDOW_PICTURES");
  if (folder == nullptr) return;
  desktop_->move(1279, 799);
  desktop_->settled().write_ppm(std::string(folder) + "/" + name + ".ppm");
}

void WindowE2E::choose(const std::string& name) {
  desktop_->key("ctrl+k");
  desktop_->type(name);
  desktop_->key("Return");
}

namespace {

std::unique_ptr<storage::Catalogue> open_catalogue(const std::string& home) {
  std::filesystem::create_directories(home);
  auto catalogue = storage::Catalogue::open({.path = home + "/catalog.db"});
  EXPECT_TRUE(catalogue.ok()) << catalogue.status().message();
  return catalogue.ok() ? std::move(catalogue).value() : nullptr;
}

}  // namespace

void WindowE2E::set_settings(const json& settings) {
  const auto catalogue = open_catalogue(program_.home());
  ASSERT_NE(catalogue, nullptr);
  ASSERT_TRUE(catalogue->put_setting(ui::kSettingsKey, settings.dump()).ok());
}

void WindowE2E::seed_chat(const std::string& title, const std::vector<std::string>& messages) {
  const auto catalogue = open_catalogue(program_.home());
  ASSERT_NE(catalogue, nullptr);
  const auto chat = catalogue->create_chat(title);
  ASSERT_TRUE(chat.ok());
  for (size_t i = 0; i < messages.size(); ++i) {
    storage::MessageRecord message;
    message.chat = *chat;
    message.role = i % 2 == 0 ? "user" : "assistant";
    message.text = messages[i];
    message.details_json = "{}";
    ASSERT_TRUE(catalogue->append_message(message).ok());
  }
}

int64_t WindowE2E::documents() {
  const json status = program_.run({"status", "--json"}).last_json();
  int64_t n = 0;
  if (!status.is_object()) return n;
  for (const json& collection : status.value("collections", json::array())) n += collection.value("documents", 0);
  return n;
}

json WindowE2E::chats() {
  const json list = program_.run({"chat", "list", "--json"}).last_json();
  return list.is_object() ? list.value("chats", json::array()) : json::array();
}

json WindowE2E::messages(int64_t chat) {
  const json shown = program_.run({"chat", "show", std::to_string(chat), "--json"}).last_json();
  return shown.is_object() ? shown.value("messages", json::array()) : json::array();  // none yet: an error
}

bool WindowE2E::wait_until(const std::function<bool()>& done, double limit_s) {
  const auto begin = std::chrono::steady_clock::now();
  do {
    if (done()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  } while (std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() < limit_s);
  return false;
}

std::string WindowE2E::draft() const {
  std::ifstream file(program_.home() + "/window.json");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const json memory = json::parse(text, nullptr, false);
  return memory.is_object() ? memory.value("draft", "") : "";
}

}  // namespace mneme::window
