// Every panel in every language, at the usual size: what can be pressed stands within its panel.
#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <imgui_internal.h>

#include "tests/unit/ui/window_fixture.h"
#include "ui/language/languages.h"
#include "ui/language/tr.h"
#include "ui/widgets/widgets.h"

namespace mneme::ui {
namespace {

class LanguagePanelsTest : public WindowTest, public testing::WithParamInterface<std::string> {
 protected:
  LanguagePanelsTest() { use_language(GetParam()); }
  ~LanguagePanelsTest() override { use_language(""); }

  // How far what can be pressed stands out of its panel to the right, at most; by panel.
  std::map<std::string, float> overhangs() {
    for (int i = 0; i < 4; ++i) frame();
    std::map<std::string, float> widest;
    for (const FocusOrder::Place& place : drawer_.focus_order().places()) {
      float& by = widest[place.window->Name];
      by = std::max(by, place.max.x - place.room_max.x);
    }
    return widest;
  }

  // Nothing does, but for what does in English too: rows that Dear ImGui draws a little wider than their list, and the
  // last header of a table.
  void expect_all_inside(const std::string& where) {
    use_language("");
    const std::map<std::string, float> english = overhangs();
    use_language(GetParam());
    const std::map<std::string, float> here = overhangs();
    EXPECT_FALSE(here.empty()) << where;
    for (const auto& [panel, by] : here) {
      const auto before = english.find(panel);
      EXPECT_LE(by, 1.0f + (before == english.end() ? 0.0f : before->second)) << where << ", in " << panel;
    }
  }

  void expect_every_page_inside(const std::string& state) {
    for (const Page page : {Page::kChat, Page::kLibrary, Page::kModels, Page::kInsight, Page::kSettings}) {
      drawer_.window().page = page;
      expect_all_inside(state + ", page " + std::to_string(static_cast<int>(page)));
    }
  }
};

ModelRow a_model(const std::string& name) {
  ModelRow model;
  model.name = name;
  model.path = "/models/" + name + ".gguf";
  model.kind = "language";
  model.size_bytes = 2'000'000'000;
  model.architecture = "llama";
  model.types = "q4_k, f32";
  model.parameters = 3'000'000'000;
  model.context_length = 131072;
  model.n_layers = 28;
  model.kv_bytes_per_token = 114688;
  model.weights_bytes = 1'900'000'000;
  return model;
}

// A library with all that there may be to say of one.
void fill(Snapshot& s) {
  s.samples_folder = "/samples";
  s.library.shown = "default";
  s.library.kv_quota_bytes = 20'000'000'000;
  s.library.kv_bytes = 1'200'000'000;
  s.library.kv_chunks = 1234;
  s.library.kv_hits = 80;
  s.library.kv_misses = 20;
  s.library.kv_evictions = 3;
  s.library.catalogue_bytes = 71'000'000;
  s.library.collections.front().failed = 2;
  s.library.collections.front().chunks = 1234;
  s.library.failed = std::make_shared<const std::vector<FailedRow>>(
      std::vector<FailedRow>{{"/docs/a.pdf", "a.pdf holds no text"}, {"/docs/b.pdf", "b.pdf is damaged"}});
  auto documents = std::make_shared<DocumentTable>();
  documents->add({1, "/docs/handbook.md", "Handbook", "markdown", 12'345, 12, 1793361600000});
  s.library.documents = documents;
  s.library.shown_rows = std::make_shared<const std::vector<uint32_t>>(std::vector<uint32_t>{0});
  s.models = {a_model("small"), a_model("large")};
  s.models.front().in_use = true;
  s.models.push_back(a_model("finder"));
  s.models.back().kind = "embedder";
  s.models.back().shipped = s.models.back().in_use = s.models.back().chosen = true;
  s.found_models = std::make_shared<const std::vector<FoundModelRow>>(
      std::vector<FoundModelRow>{{"found", "/ollama/found", "Ollama", "language", 1'000'000'000, ""}});
  s.engine.state = EngineView::State::kOpen;
  s.engine.model = "small";
  s.engine.running_on = "CPU, avx512, 2 threads";
  s.engine.running_layers = 28;
  s.engine.running_context = 131072;
  s.engine.available_bytes = 8'000'000'000;
}

TEST_P(LanguagePanelsTest, WhatCanBePressedStandsWithinItsPanel) {
  fill(*snapshot_);
  drawer_.window().model_draft.name = "large";
  drawer_.window().failed_open = true;
  expect_every_page_inside("at rest");
  snapshot_->engine.state = EngineView::State::kFailed;
  snapshot_->engine.error = "the file is damaged";
  snapshot_->indexing.running = true;
  snapshot_->indexing.collection = "default";
  snapshot_->indexing.done = 1234;
  snapshot_->indexing.total = 12'345;
  snapshot_->indexing.chunks = 4321;
  snapshot_->indexing.eta_s = 200.0;
  snapshot_->indexing.bytes_per_s = 3e6;
  snapshot_->indexing.failed = 2;
  snapshot_->indexing.current_file = "handbook.md";
  snapshot_->notices = {{1, false, "A notice.", NoticeAction::kShowFailed},
                        {2, true, "Another.", NoticeAction::kResumeIndexing}};
  expect_every_page_inside("at work");
  snapshot_->indexing.running = false;
  snapshot_->indexing.paused = true;
  snapshot_->engine.state = EngineView::State::kClosed;
  expect_every_page_inside("paused");
}

TEST_P(LanguagePanelsTest, SoItDoesInAnswersThatFoundNothing) {
  fill(*snapshot_);
  auto& messages = snapshot_->conversation.messages;
  auto answer = std::make_shared<MessageView>(*messages.back());
  answer->sources.clear();
  answer->facts->model = "none";
  snapshot_->settings.collection = "default";
  messages.back() = answer;
  expect_all_inside("no passage");
  answer->sources.push_back(SourceView{});
  expect_all_inside("not found");
  answer->error = "the model is gone";
  expect_all_inside("failed");
  messages.pop_back();
  expect_all_inside("no answer yet");
  drawer_.window().editing_message = 0;
  expect_all_inside("edited");
}

TEST_P(LanguagePanelsTest, SoItDoesWhereNothingIsReadYetAndInWhatFloatsAbove) {
  snapshot_->conversation = {};
  snapshot_->library.collections.clear();
  snapshot_->samples_folder = "/samples";
  expect_every_page_inside("empty");
  drawer_.window().palette_open = true;
  expect_all_inside("palette");
  drawer_.window().palette_open = false;
  drawer_.window().browser_open = true;
  expect_all_inside("browser");
  drawer_.window().browser_for_model = true;
  expect_all_inside("browser for models");
  drawer_.window().browser_open = false;
  snapshot_->ready = false;
  snapshot_->locked.emplace();
  snapshot_->locked->error = "the passphrase is wrong";
  for (int i = 0; i < 3; ++i) frame();
}

// Fields and choices that are as wide in every language.
TEST_P(LanguagePanelsTest, WhatStandsInAFixedWidthIsWhole) {
  frame();
  ImFont* const font = current_fonts().fonts().regular;
  constexpr float kField = 28.0f;   // beside the hint of a field
  constexpr float kChoice = 41.0f;  // beside what a choice shows
  struct Shown {
    std::string text;
    float room;
  };
  std::vector<Shown> all = {{tr("Search chats (Ctrl+F)"), kSidebarWidths.usual - 24.0f - kField},
                            {tr("Filter documents (Ctrl+F)"), 280.0f - kField},
                            {tr("named after it"), 180.0f - kField},
                            {tr("As the system"), 300.0f - kChoice}};
  for (const char* setting : {"Best measured for the model", "Full: compute everything",
                              "Prefix: reuse the common beginning", "Reuse: take stored passages as they are",
                              "Blend: reuse and repair a share", "Exact (largest)", "High", "Medium", "Low (smallest)"})
    all.push_back({tr_c("setting", setting), 300.0f - kChoice});
  for (const char* page : {"Library", "Models", "Insight", "Settings", "All collections"})
    all.push_back({tr(page), kSidebarWidths.usual - 24.0f - 44.0f});
  for (const Shown& one : all) EXPECT_LE(text_width(drawable(one.text, font), font), one.room) << one.text;
}

TEST_P(LanguagePanelsTest, TheLanguageChangesBetweenTwoFramesAndBack) {
  fill(*snapshot_);
  drawer_.window().page = Page::kSettings;
  frame();
  use_language("");
  const int english = frame();
  use_language(GetParam());
  frame();
  use_language("");
  EXPECT_EQ(frame(), english);
}

std::vector<std::string> all_codes() {
  std::vector<std::string> codes;
  for (const WindowLanguage& language : window_languages()) codes.emplace_back(language.code);
  return codes;
}

INSTANTIATE_TEST_SUITE_P(Languages, LanguagePanelsTest, testing::ValuesIn(all_codes()),
                         [](const auto& param) { return param.param; });

}  // namespace
}  // namespace mneme::ui
