// What panels show, without a window: orders, timelines, saved answers, settings.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/trace.h"
#include "rag/answering/exchange/answer_json.h"
#include "rag/models/model_facts.h"
#include "tests/support/checkout/checkout.h"
#include "ui/panels/chat_list.h"
#include "ui/shell/window_memory.h"
#include "ui/view_model/answer_actions.h"
#include "ui/view_model/chat_periods.h"
#include "ui/view_model/collection_of_folder.h"
#include "ui/view_model/flowing_text.h"
#include "ui/view_model/index_request.h"
#include "ui/view_model/library_actions.h"
#include "ui/view_model/message_view.h"
#include "ui/view_model/settings_json.h"
#include "ui/view_model/telling_apart.h"
#include "ui/view_model/text_columns.h"
#include "ui/view_model/text_search.h"

namespace mneme::ui {
namespace {

TEST(ChatPeriodsTest, AreNamedAsPeopleSayThem) {
  constexpr int64_t kHour = 3'600'000;
  constexpr int64_t kDay = 24 * kHour;
  const int64_t midnight = last_midnight_ms();
  EXPECT_EQ(period_of(midnight + kHour, midnight).name, "Today");
  EXPECT_EQ(period_of(midnight + 3 * kDay, midnight).name, "Today") << "a clock that went ahead";
  EXPECT_EQ(period_of(midnight - 1, midnight).name, "Yesterday");
  EXPECT_EQ(period_of(midnight - kDay - 1, midnight).name, "Last 7 days");
  EXPECT_EQ(period_of(midnight - 8 * kDay, midnight).name, "Last 30 days");
  // The 15th of June 2021 is in June everywhere.
  const Period june = period_of(1'623'758'400'000, midnight);
  EXPECT_EQ(june.name, "June 2021");
  EXPECT_TRUE(june.holds(1'623'758'400'000 + 10 * kDay));
  EXPECT_FALSE(june.holds(1'623'758'400'000 + 20 * kDay));
  for (const int64_t ago : {int64_t{0}, kHour, kDay, 5 * kDay, 20 * kDay, 31 * kDay, 400 * kDay}) {
    EXPECT_TRUE(period_of(midnight - ago, midnight).holds(midnight - ago)) << ago;
  }
}

TEST(ChatListTest, IsMadeAnewOnlyWhenSomethingIsAnother) {
  constexpr int64_t kDay = 24LL * 60 * 60 * 1000;
  const int64_t midnight = last_midnight_ms();
  const auto chats = std::make_shared<const std::vector<ChatRow>>(std::vector<ChatRow>{
      {1, "Lease", midnight, 2, true}, {2, "Crane", midnight + 1, 2, false}, {3, "Ferry", midnight - 1, 2, false}});
  const auto titles = [](const ChatList& list) {
    std::string all;
    for (const ListedChat& line : list.lines()) all += (line.chat == nullptr ? line.period : line.chat->title) + "|";
    return all;
  };
  ChatList list;
  EXPECT_TRUE(list.update(chats, nullptr, "", midnight));
  EXPECT_EQ(titles(list), "Pinned|Lease|Today|Crane|Yesterday|Ferry|");
  EXPECT_FALSE(list.update(chats, nullptr, "", midnight)) << "a frame later";
  EXPECT_TRUE(list.update(chats, nullptr, "", midnight + kDay)) << "a day later";
  EXPECT_EQ(titles(list), "Pinned|Lease|Yesterday|Crane|Last 7 days|Ferry|");
  EXPECT_TRUE(list.update(chats, nullptr, "err", midnight));
  EXPECT_EQ(titles(list), "Ferry|") << "one time tells nothing apart";
  const auto matches = std::make_shared<const ChatMatches>(ChatMatches{"err", {2}});
  EXPECT_TRUE(list.update(chats, matches, "err", midnight));
  EXPECT_EQ(titles(list), "Today|Crane|Yesterday|Ferry|");
  EXPECT_EQ(list.first()->id, 2);
  EXPECT_TRUE(list.update(chats, matches, "er", midnight));
  EXPECT_EQ(titles(list), "Ferry|") << "what was searched before says nothing of these letters";
  EXPECT_TRUE(list.update(std::make_shared<const std::vector<ChatRow>>(), nullptr, "", midnight));
  EXPECT_EQ(list.first(), nullptr);
}

TEST(CollectionOfFolderTest, IsNamedAfterTheFolderUnlessOneHasItAlready) {
  EXPECT_EQ(collection_of_folder("/home/anna/Contracts", {}), "Contracts");
  EXPECT_EQ(collection_of_folder("/home/anna/Contracts/", {}), "Contracts");
  EXPECT_EQ(collection_of_folder("/home/anna/合同", {}), "合同");
  EXPECT_EQ(collection_of_folder("/", {}), "default");
  EXPECT_EQ(collection_of_folder("/home/\xff\xfe", {}), "default");
  EXPECT_EQ(collection_of_folder("/home/a\nb", {}), "default");
  CollectionRow work;
  work.name = "work";
  work.roots = {"/home/anna/Contracts"};
  EXPECT_EQ(collection_of_folder("/home/anna/Contracts", {work}), "work");
  EXPECT_EQ(collection_of_folder("/home/anna/Contracts/2024", {work}), "work");
  EXPECT_EQ(collection_of_folder("/home/anna/Contracts of others", {work}), "Contracts of others");
}

TEST(CollectionOfFolderTest, AFileGoesIntoItsFoldersCollection) {
  const std::string file = checkout::path("README.md");
  EXPECT_EQ(collection_of_folder(file, {}), std::filesystem::path(file).parent_path().filename().string());
}

TEST(DocumentOrderTest, FiltersByTitleOrPathAndSortsByAnyColumn) {
  DocumentTable rows;
  rows.add({1, "/a/one.md", "Zebra", "markdown", 5, 1, 0});
  rows.add({2, "/a/two.pdf", "apple", "pdf", 9, 2, 0});
  rows.add({3, "/b/three.md", "Mango", "markdown", 1, 3, 0});
  EXPECT_EQ(ordered_rows(rows, {"", DocumentColumn::kTitle, false}), (std::vector<uint32_t>{1, 2, 0}));
  EXPECT_EQ(ordered_rows(rows, {"", DocumentColumn::kSize, true}), (std::vector<uint32_t>{1, 0, 2}));
  EXPECT_EQ(ordered_rows(rows, {"APPLE", DocumentColumn::kTitle, false}), (std::vector<uint32_t>{1}));
  EXPECT_EQ(ordered_rows(rows, {"/b/", DocumentColumn::kTitle, false}), (std::vector<uint32_t>{2}));
  EXPECT_TRUE(ordered_rows(rows, {"nothing", DocumentColumn::kTitle, false}).empty());
  EXPECT_EQ(ordered_rows(rows, {"", DocumentColumn::kFormat, false}), (std::vector<uint32_t>{0, 2, 1}));
  EXPECT_EQ(ordered_rows(rows, {"", DocumentColumn::kPassages, true}), (std::vector<uint32_t>{2, 1, 0}));
}

TEST(DocumentOrderTest, NamesInAnyScriptAreFoundAndSortedAsPeopleWriteThem) {
  DocumentTable rows;
  rows.add({1, "/a/1.md", "Zebra", "markdown", 5, 1, 0});
  rows.add({2, "/a/2.md", "Ärger", "markdown", 5, 1, 0});
  rows.add({3, "/a/3.md", "Договор", "markdown", 5, 1, 0});
  rows.add({4, "/a/4.md", "apple", "markdown", 5, 1, 0});
  rows.add({5, "/a/Schlu\u0308ssel.md", "", "markdown", 5, 1, 0});  // as macOS writes it
  EXPECT_EQ(ordered_rows(rows, {"", DocumentColumn::kTitle, false}), (std::vector<uint32_t>{3, 1, 4, 0, 2}));
  EXPECT_EQ(ordered_rows(rows, {"договор", DocumentColumn::kTitle, false}), (std::vector<uint32_t>{2}));
  EXPECT_EQ(ordered_rows(rows, {"ärger", DocumentColumn::kTitle, false}), (std::vector<uint32_t>{1}));
  EXPECT_EQ(ordered_rows(rows, {"SCHLÜSSEL", DocumentColumn::kTitle, false}), (std::vector<uint32_t>{4}));
}

TEST(DocumentOrderTest, NumbersInNamesCountAsNumbers) {
  DocumentTable rows;
  const std::vector<std::string> names = {
      "Chapter 10", "Chapter 2", "chapter 002b", "Chapter", "Chapter 1", "7 hills", "Chapter 99999999999999999999999",
      "Chapter 0"};
  for (size_t i = 0; i < names.size(); ++i) rows.add({static_cast<int64_t>(i), "", names[i], "odt", 1, 1, 0});
  EXPECT_EQ(ordered_rows(rows, {"", DocumentColumn::kTitle, false}), (std::vector<uint32_t>{5, 3, 7, 4, 1, 2, 0, 6}));
}

TEST(DocumentTableTest, RowsAreAsTheyWereAdded) {
  DocumentTable table;
  EXPECT_TRUE(table.empty());
  table.reserve(3, 16);  // more text than that comes
  table.add({7, "/a/茶.md", "", "markdown", 1, 2, 3});
  table.add({8, "", "No path", "pdf", 4, -5, 6});
  table.add({int64_t{1} << 40, "/a/b", "c", "markdown", uint64_t{1} << 50, int64_t{1} << 40, 9});
  ASSERT_EQ(table.size(), 3u);
  EXPECT_EQ(table[0].path, "/a/茶.md");
  EXPECT_EQ(table[0].title, "");
  EXPECT_EQ(table[0].indexed_ms, 3);
  EXPECT_EQ(table[1].path, "");
  EXPECT_EQ(table[1].title, "No path");
  EXPECT_EQ(table[1].format, "pdf");
  EXPECT_EQ(table[1].n_chunks, 0);
  EXPECT_EQ(table[2].id, int64_t{1} << 40);
  EXPECT_EQ(table[2].format, "markdown");
  EXPECT_EQ(table[2].size_bytes, uint64_t{1} << 50);
  EXPECT_EQ(table[2].n_chunks, 0xffffffff) << "what does not fit is the most there is";
}

TEST(DocumentTableTest, DocumentsOfOneNameAreToldApartByTheirFolders) {
  DocumentTable table;
  table.add({1, "/firm/pump/manual.pdf", "Manual", "pdf", 1, 1, 0});
  table.add({2, "/firm/crane/manual.pdf", "Manual", "pdf", 1, 1, 0});
  table.add({3, "/firm/crane/notes.md", "Notes", "markdown", 1, 1, 0});
  table.add({4, "/firm/2025/march.txt", "", "plain", 1, 1, 0});
  table.add({5, "/firm/2026/march.txt", "", "plain", 1, 1, 0});
  table.add({6, "/firm/pump/crane/manual.pdf", "Manual", "pdf", 1, 1, 0});
  EXPECT_EQ(table[0].place, "") << "before it is asked for";
  table.tell_apart();
  EXPECT_EQ(table[0].place, "pump/manual.pdf");
  EXPECT_EQ(table[1].place, "firm/crane/manual.pdf");
  EXPECT_EQ(table[2].place, "");
  EXPECT_EQ(table[3].name(), "march.txt");
  EXPECT_EQ(table[3].place, "2025/march.txt");
  EXPECT_EQ(table[4].place, "2026/march.txt");
  EXPECT_EQ(table[5].place, "pump/crane/manual.pdf");
}

TEST(TellingPathsTest, ThousandsOfOneNameAndPathsThatEndAlike) {
  EXPECT_TRUE(telling_paths({}).empty());
  std::vector<std::string> paths;
  for (int i = 0; i < 20000; ++i) paths.push_back("/p/" + std::to_string(i) + "/README.md");
  paths.push_back("/1/2/3/4/5/6/7/README.md");
  paths.push_back("/0/2/3/4/5/6/7/README.md");
  paths.push_back("README.md");
  std::vector<NamedDocument> documents;
  for (const std::string& path : paths) documents.push_back({"README", path});
  documents.push_back(documents.front());  // a document that is there twice is one
  const std::vector<std::string_view> shown = telling_paths(documents);
  EXPECT_EQ(shown[0], "0/README.md");
  EXPECT_EQ(shown[19999], "19999/README.md");
  EXPECT_EQ(shown[20000], "3/4/5/6/7/README.md") << "six names and no more";
  EXPECT_EQ(shown[20002], "README.md");
  EXPECT_EQ(shown.back(), shown.front());
}

std::vector<std::string> found(const std::string& text, const std::string& sought, size_t most = 100) {
  std::vector<std::string> places;
  for (const TextPlace& p : places_of(text, sought, most)) places.push_back(text.substr(p.begin, p.end - p.begin));
  return places;
}

TEST(TextSearchTest, WordsAreFoundWhateverTheirCaseAccentsAndSpaces) {
  using Places = std::vector<std::string>;
  EXPECT_EQ(found("Notice: a notice of three months", "NOTICE"), (Places{"Notice", "notice"}));
  EXPECT_EQ(found("notice\n  period, notice  period", "notice period"), (Places{"notice\n  period", "notice  period"}));
  EXPECT_EQ(found("Café, cafe\u0301 and CAFE", "cafe"), (Places{"Café", "cafe\u0301", "CAFE"}));
  EXPECT_EQ(found("aaaa", "aa"), (Places{"aa", "aa"})) << "apart from each other";
  EXPECT_EQ(found("the tenant’s “deposit” – paid", "tenant's \"deposit\" - paid").size(), 1u);
  EXPECT_EQ(found("Straße ΑΒΓ Мир", "мир"), Places{"Мир"});
  EXPECT_EQ(found("清蒸鲈鱼要腌制多久", "鲈鱼"), Places{"鲈鱼"});
  EXPECT_EQ(found("ＡＢＣ１２３", "abc1"), Places{"ＡＢＣ１"});
  EXPECT_EQ(found("العَرَبِيَّة لغة", "العربية"), Places{"العَرَبِيَّة"}) << "vowel marks are left out";
  EXPECT_EQ(found("ﬁnd, find", "find"), (Places{"ﬁnd", "find"}));
  EXPECT_EQ(found("Hauptstraße 5", "STRASSE"), Places{"straße"});
  EXPECT_EQ(found("e\u0301cole", "cole"), Places{"cole"}) << "a mark belongs to the letter before it";
  EXPECT_EQ(found("が か\u3099 か", "か"), Places{"か"});
}

TEST(TextSearchTest, SaysWhatIsSought) {
  EXPECT_TRUE(says("Der Mietvertrag für Möller", "MOLLER"));
  EXPECT_FALSE(says("Der Mietvertrag", "Möller"));
  EXPECT_TRUE(says("anything", ""));
  EXPECT_TRUE(says("anything", "  "));
}

TEST(TextSearchTest, NothingIsFoundWhereThereIsNothing) {
  EXPECT_TRUE(found("text", "").empty());
  EXPECT_TRUE(found("text with spaces", "  \n ").empty());
  EXPECT_TRUE(found("", "text").empty());
  EXPECT_TRUE(found("tex", "text").empty());
  EXPECT_TRUE(found("a\xff\xfe", "b").empty()) << "bytes that are no text";
  EXPECT_EQ(found(std::string(5000, 'x'), "x", 7).size(), 7u);
}

TEST(TimelineTest, SpansOfOneKindBecomeOneLaneAndTouchingOnesOneInterval) {
  const std::vector<trace::Event> events = {{"fetch", "kv", 0, 1, 1000, 500},     {"fetch", "kv", 1, 1, 1510, 500},
                                            {"fetch", "kv", 2, 1, 9000, 100},     {"retrieve", "rag", -1, 0, 0, 900},
                                            {"generate", "rag", -1, 0, 10000, 5}, {"walk", "index", -1, 2, 0, 99999},
                                            {"open model", "rag", -1, 0, 900, 50}};
  const std::vector<StageView> timeline = timeline_of(events);
  ASSERT_EQ(timeline.size(), 4u);
  EXPECT_EQ(timeline[0].name, "retrieve");
  EXPECT_EQ(timeline[1].name, "open");
  EXPECT_EQ(timeline[2].name, "load");
  ASSERT_EQ(timeline[2].intervals.size(), 2u);
  EXPECT_DOUBLE_EQ(timeline[2].intervals[0].begin_ms, 1.0);
  EXPECT_DOUBLE_EQ(timeline[2].intervals[0].end_ms, 2.01);
  EXPECT_EQ(timeline[3].name, "generate");
}

TEST(TimelineTest, WhatWasLoadedWhileTheModelWasTriedOutBelongsToThat) {
  const std::vector<trace::Event> events = {
      {"calibrate", "kv", -1, 0, 0, 1000},  {"quality gate", "kv", -1, 0, 1000, 5000},
      {"decode", "kv", 1, 1, 2000, 100},    {"compute", "layer", 1, 1, 5500, 400},
      {"retrieve", "rag", -1, 0, 6500, 20}, {"decode", "kv", 1, 1, 7000, 100}};
  const std::vector<StageView> timeline = timeline_of(events);
  ASSERT_EQ(timeline.size(), 3u);
  EXPECT_EQ(timeline[0].name, "measure");
  ASSERT_EQ(timeline[0].intervals.size(), 1u);
  EXPECT_DOUBLE_EQ(timeline[0].intervals[0].end_ms, 6.0);
  EXPECT_EQ(timeline[1].name, "retrieve");
  EXPECT_EQ(timeline[2].name, "decode");
  ASSERT_EQ(timeline[2].intervals.size(), 1u);
  EXPECT_DOUBLE_EQ(timeline[2].intervals[0].begin_ms, 7.0);
}

TEST(TimelineTest, ThousandsOfIntervalsAreJoinedUntilTheyCanBeKept) {
  std::vector<trace::Event> events;
  events.reserve(20000);
  for (int64_t i = 0; i < 20000; ++i) events.push_back({"compute", "layer", i, 0, i * 300, 100});
  const std::vector<StageView> timeline = timeline_of(events);
  ASSERT_EQ(timeline.size(), 1u);
  EXPECT_LE(timeline[0].intervals.size(), 400u);
  EXPECT_DOUBLE_EQ(timeline[0].intervals.back().end_ms, (19999 * 300 + 100) / 1000.0);
}

TEST(TimelineTest, ATraceOfStagesLeavesTheEnginesStepsOut) {
  trace::start(trace::Detail::kStages);
  {
    const trace::Span stage("retrieve", "rag");
  }
  {
    const trace::Span step("layer", "engine", 3);
  }
  const std::vector<trace::Event> events = trace::finish_events(100);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_STREQ(events[0].name, "retrieve");
  EXPECT_FALSE(trace::enabled());
}

TEST(ModelFactsTest, AFileSaysWhatItIsAndWhatItNeeds) {
  const auto facts = rag::inspect_model(checkout::test_data("tiny.gguf"));
  ASSERT_TRUE(facts.ok()) << facts.status().message();
  EXPECT_EQ(facts->kind, "language");
  const rag::MemoryNeed little = rag::memory_need(*facts, 64);
  const rag::MemoryNeed more = rag::memory_need(*facts, 128);
  EXPECT_EQ(little.weights_bytes, facts->file_bytes);
  EXPECT_EQ(more.kv_bytes, 2 * little.kv_bytes);
  EXPECT_EQ(rag::memory_need(*facts, 1 << 30).kv_bytes, rag::memory_need(*facts, 0).kv_bytes);
  EXPECT_EQ(rag::inspect_model("/nowhere/model.gguf").status().code(), StatusCode::kNotFound);
}

rag::Answer an_answer() {
  rag::Answer answer;
  answer.text = "Three years [1].";
  rag::Citation citation;
  citation.n = 1;
  citation.cited = citation.quoted = true;
  citation.source.title = "Handbook";
  citation.source.document = "/docs/handbook.md";
  citation.source.heading_path = "Warranty";
  citation.source.line_start = 3;
  citation.source.line_end = 5;
  citation.source.text = "three years \xff";  // documents hold anything
  answer.sources = answer.citations = {citation};
  answer.usage = {
      .prompt_tokens = 3104, .chunk_tokens = 3072, .answer_tokens = 41, .cut_passages = 2, .decode_steps = 19};
  answer.cache.mode = rag::AnswerMode::kBlend;
  answer.cache.chunks = 6;
  answer.cache.hits = 5;
  answer.cache.recompute_ratio = 0.15;
  answer.cache.recomputed_tokens = 461;
  answer.cache.level = "medium";
  answer.timing.retrieve = 4.0;
  answer.timing.ttft = 231.0;
  answer.timing.total = 900.0;
  answer.decode_tokens_per_s = 38.2;
  answer.model = "mini";
  answer.notes = {"a note"};
  return answer;
}

TEST(AnswerTextTest, ASharedModelTellsItsLayers) {
  rag::Answer answer;
  answer.device = "cuda:0+cpu";
  answer.gpu_layers = 12;
  EXPECT_EQ(rag::device_text(answer), "cuda:0+cpu (12 layers on the GPU)");
  answer.gpu_layers = 1;
  EXPECT_EQ(rag::device_text(answer), "cuda:0+cpu (1 layer on the GPU)");
  answer.device = "cuda:0";
  answer.gpu_layers = 32;
  EXPECT_EQ(rag::device_text(answer), "cuda:0");
}

TEST(FlowingTextTest, LinesThatOnlyEndedForWantOfRoomGoOn) {
  const std::string prose =
      "The rent is 640 crowns a month, due on the third working day. It includes\n"
      "water and refuse, but not electricity. The rent is reviewed once a year.\n"
      "The deposit is three months' rent.\n";
  std::string joined = prose;
  joined[prose.find("includes\n") + 8] = ' ';
  joined[prose.find("year.\n") + 5] = ' ';
  EXPECT_EQ(flowing(prose), joined);
  EXPECT_EQ(flowing(prose).size(), prose.size());
}

TEST(FlowingTextTest, LinesThatStayAreBreaksToMarkdown) {
  EXPECT_EQ(flowing_markdown("Insurer: Albion Mutual\nExcess: 150\n\nClaims: 0800\n"),
            "Insurer: Albion Mutual  \nExcess: 150\n\nClaims: 0800\n");
  const std::string prose =
      "The rent is 640 crowns a month, due on the third working day. It includes\n"
      "water and refuse, but not electricity. The rent is reviewed once a year.";
  EXPECT_EQ(flowing_markdown(prose), flowing(prose)) << "nothing stays";
  EXPECT_EQ(flowing_markdown(""), "");
}

TEST(FlowingTextTest, ASentenceGoesOnWithADigitUnlessItBeginsAnItem) {
  const std::string prose =
      "A drone over the south marsh kept both of the parents away for 40 minutes on\n"
      "6 June. The society asks for a ban on drones.\n";
  std::string joined = prose;
  joined[prose.find("on\n6") + 2] = ' ';
  EXPECT_EQ(flowing(prose), joined);
  const std::string typewritten =
      "The rent is 640 crowns a month.  It is due on the third day.  It includes\n"
      "water and refuse, but not electricity.  The rent is reviewed every year.\n";
  EXPECT_EQ(std::count(typewritten.begin(), typewritten.end(), '\n') - 1,
            std::ranges::count(flowing(typewritten), '\n'));
  const std::string items =
      "1. Fill the kettle up to the mark with water and vinegar, half of each of them\n"
      "2. Boil it.\n";
  EXPECT_EQ(flowing(items), items);
}

TEST(FlowingTextTest, TablesAndRulesKeepTheirLines) {
  for (const std::string text : {
           "================  ==========  ============\n"
           "site              first egg   eggs\n"
           "================  ==========  ============\n"
           "north marsh       11 April    7\n",
           "==========================================================\n"
           "Marsh owls of Tarnholm in 2030, counted by the island's so\n"
           "==========================================================\n",
           "Name of the member     when they came to the harbour  boat\n"
           "Ebba Kvist             in the spring of the year 2029 Lark\n",
       }) {
    EXPECT_EQ(flowing(text), text);
  }
}

TEST(TextColumnsTest, ParagraphsWithWordsBelowEachOtherAreTables) {
  const std::string before = "Counted in 2030.  By hand.\nTwice.\n\n";
  const std::string table = "site         eggs\nnorth marsh  7\nsalt huts    5\n\n";
  const std::string behind = "The nest was lost.\n";
  const std::string text = before + table + behind;
  const auto stretches = stretches_of(text);
  ASSERT_EQ(stretches.size(), 3u);
  EXPECT_EQ(stretches[0].text, before);
  EXPECT_FALSE(stretches[0].is_table);
  EXPECT_EQ(stretches[1].text, table);
  EXPECT_TRUE(stretches[1].is_table);
  EXPECT_EQ(stretches[2].text, behind);
  EXPECT_TRUE(stretches_of("").empty());
}

TEST(FlowingTextTest, LinesThatSomebodyEndedStay) {
  for (const std::string text : {
           "- butter the tin and dust it with flour before you begin with the rest\n- heat the oven to 180 degrees\n",
           "§ 3 Rent\nThe rent is due.\n\n\n",
           "Roses are red,\nviolets are blue.\n",
           "2026-11-22 12:00:01 the server was started by a person with the name of root\n"
           "2026-11-22 12:00:02 the server was stopped by a person with the name of root\n",
           "A first line that is short enough that the word behind it fits\n"
           "well into it, so that it was ended by hand. And this one is the longest line here.\n",
           "第一行的文字很多很多很多很多很多很多很多很多很多很多很多很多很多很多很多很多很多很多很多很多\n第二行\n",
           "",
           "\n\n",
       }) {
    EXPECT_EQ(flowing(text), text);
  }
  const std::string never_broken = std::string(300, 'a') + " b\n" + std::string(290, 'c') + "\n";
  EXPECT_EQ(flowing(never_broken), never_broken);
  EXPECT_TRUE(has_flowing_lines("text"));
  EXPECT_FALSE(has_flowing_lines("source"));
  EXPECT_FALSE(has_flowing_lines("markdown"));
}

TEST(MessageViewTest, ExcerptsBeginWhereTheAnswersWordsStand) {
  rag::Answer answer = an_answer();
  answer.text = "It is three years [1].";
  ASSERT_EQ(answer.sources.size(), 1u);
  answer.sources[0].source.text = "## Care\n\nWipe it.\n\n- Warranty: it is three years.\n";
  answer.citations = answer.sources;
  const MessageView message = message_of(answer, {});
  EXPECT_EQ(message.sources[0].text.substr(message.sources[0].excerpt_from), "- Warranty: it is three years.\n");
}

TEST(MessageViewTest, ExcerptsOfWhatWasOnlyReadBeginWhereItSpeaksOfWhatWasAsked) {
  rag::Answer answer = an_answer();
  answer.citations.clear();
  ASSERT_EQ(answer.sources.size(), 1u);
  answer.sources[0].source.text = "Care\n\nWipe it.\nThe warranty is three years.";
  answer.sources[0].source.excerpt_begin = 15;
  const MessageView message = message_of(answer, {});
  EXPECT_EQ(message.sources[0].text.substr(message.sources[0].excerpt_from), "The warranty is three years.");
  MessageView saved;
  read_details(*message.details_json, saved);
  ASSERT_EQ(saved.sources.size(), 1u);
  EXPECT_EQ(saved.sources[0].excerpt_from, 15u);
}

TEST(MessageViewTest, SourcesShowWhatIsQuotedOfThem) {
  rag::Answer answer = an_answer();
  answer.text = "Warranty: it is three years. [1]\nWipe it. [1]";
  ASSERT_EQ(answer.sources.size(), 1u);
  rag::Citation& source = answer.sources[0];
  source.source.document = "/d/kettle.md";
  source.source.text = "## Care\n\nRinse it. Wipe it.\n\n- Warranty: it is three years.";
  source.source.page = 0;
  source.source.line_start = 13;
  source.source.line_end = 17;
  source.cited = source.quoted = true;
  source.quotes = {{29, 59}, {19, 27}};
  answer.citations = answer.sources;
  MessageView message = message_of(answer, {});
  const auto excerpt = [&] { return message.sources[0].text.substr(message.sources[0].excerpt_from); };
  EXPECT_EQ(message.sources[0].line_begin, 15);
  EXPECT_EQ(message.sources[0].line_end, 17);
  EXPECT_EQ(excerpt(), "- Warranty: it is three years.") << "the first that the answer quotes";
  EXPECT_EQ(message.sources[0].quotes, "- Warranty: it is three years.\nWipe it.\n");

  answer.sources[0].quotes = {{19, 27}};
  answer.citations = answer.sources;
  message = message_of(answer, {});
  EXPECT_EQ(excerpt(), "Wipe it.\n\n- Warranty: it is three years.") << "the sentence, not its line";
  EXPECT_EQ(message.sources[0].line_end, 15);

  MessageView saved;
  saved.text = answer.text;
  read_details(*message.details_json, saved);
  ASSERT_EQ(saved.sources.size(), 1u);
  EXPECT_EQ(saved.sources[0].excerpt_from, message.sources[0].excerpt_from);
  EXPECT_EQ(saved.sources[0].line_begin, 15);
  EXPECT_EQ(saved.sources[0].quotes, "Wipe it.\n");

  source.source.text = "It sails\nat nine.\n\n| Nut | 4 |\n| Bolt | 3 |";
  source.quotes = {{0, 17}, {19, 43}};
  answer.citations = answer.sources;
  EXPECT_EQ(message_of(answer, {}).sources[0].quotes, "It sails at nine.\n| Nut | 4 |\n| Bolt | 3 |\n")
      << "lines of prose are broken elsewhere where it is shown; rows are rows";
}

TEST(MessageViewTest, QuotationsOutsideThePassageAreNotBelieved) {
  rag::Answer answer = an_answer();
  answer.sources[0].cited = answer.sources[0].quoted = true;
  answer.sources[0].quotes = {{0, 5}};
  answer.citations = answer.sources;
  nlohmann::json details = rag::answer_to_json(answer);
  for (const char* list : {"sources", "citations"}) {
    details[list][0]["quotes"] = {{{"byte_begin", 5}, {"byte_end", 900000}}, {{"byte_begin", 4}, {"byte_end", 4}}, 7};
  }
  const auto read = rag::answer_from_json(details);
  ASSERT_TRUE(read.has_value());
  EXPECT_TRUE(read->citations[0].quotes.empty());
}

TEST(MessageViewTest, LinesOfCodeAndDataAreTheirOwn) {
  rag::Citation citation;
  citation.source.text = "words\n";
  const auto is_code = [&](const char* document) {
    citation.source.document = document;
    return source_view(citation).is_code;
  };
  for (const char* document : {"/d/main.cpp", "/d/tool.py", "/d/prices.csv", "/d/config.json", "/d/a.zip/deploy.yaml"})
    EXPECT_TRUE(is_code(document)) << document;
  for (const char* document : {"/d/notes.md", "/d/letter.txt", "/d/paper.pdf", "/d/page.html", "/d/README", ""})
    EXPECT_FALSE(is_code(document)) << document;
}

TEST(MessageViewTest, DocumentsOfOneTitleAreToldApartByTheirFolders) {
  std::vector<rag::Citation> citations(5);
  for (auto& citation : citations) citation.source.title = "Notes";
  citations[0].source.document = "/d/house/notes.md";
  citations[1].source.document = "/d/firm/notes.md";
  citations[2].source.document = "/d/house/notes.md";
  citations[3].source.document = "/d/2025/house/notes.md";
  citations[4].source.document = "/d/house/garden.md";
  citations[4].source.title = "Garden";
  const std::vector<SourceView> views = source_views(citations);
  EXPECT_EQ(views[0].file, "d/house/notes.md");
  EXPECT_EQ(views[1].file, "firm/notes.md");
  EXPECT_EQ(views[3].file, "2025/house/notes.md");
  EXPECT_EQ(views[4].file, "");
  citations[0].source.document = "";
  citations[1].source.document = "/";
  EXPECT_EQ(source_views(citations)[0].file, "");
}

TEST(MessageViewTest, AnswersSurviveBeingSavedAndRead) {
  rag::Answer answer = an_answer();
  answer.reasoning = "The handbook says it.";
  answer.in_documents = false;
  answer.cache.bytes_read = 4711;
  answer.cache.bytes_fp16 = 4712;
  answer.unsupported = {{0, 5}, {6, 9}};
  const MessageView fresh = message_of(answer, {});
  ASSERT_TRUE(fresh.details_json);
  MessageView read;
  read_details(*fresh.details_json, read);
  ASSERT_TRUE(read.facts);
  EXPECT_EQ(read.reasoning, "The handbook says it.");
  EXPECT_EQ(*read.details_json, *fresh.details_json) << "what is exported later";
  EXPECT_FALSE(read.facts->in_documents);
  EXPECT_EQ(read.facts->unsupported, 2);
  EXPECT_EQ(read.facts->model, "mini");
  EXPECT_EQ(read.facts->chunks, 6);
  EXPECT_EQ(read.facts->prompt_tokens, 3104);
  EXPECT_EQ(read.facts->chunk_tokens, 3072);
  EXPECT_EQ(read.facts->answer_tokens, 41);
  EXPECT_EQ(read.facts->bytes_read, 4711);
  EXPECT_EQ(read.facts->bytes_fp16, 4712);
  EXPECT_EQ(read.facts->ttft_ms, 231.0);
  EXPECT_EQ(read.facts->total_ms, 900.0);
  EXPECT_EQ(read.facts->mode, "blend");
  EXPECT_EQ(read.facts->hits, 5);
  EXPECT_EQ(read.facts->cut_passages, 2);
  EXPECT_EQ(read.facts->decode_steps, 19);
  EXPECT_EQ(read.facts->recomputed_tokens, 461);
  EXPECT_EQ(read.facts->level, "medium");
  EXPECT_EQ(read.facts->tokens_per_s, 38.2);
  EXPECT_EQ(read.facts->notes, std::vector<std::string>{"a note"});
  ASSERT_EQ(read.facts->timeline.size(), fresh.facts->timeline.size());
  EXPECT_EQ(read.facts->timeline.back().name, "generate");
  ASSERT_EQ(read.sources.size(), 1u);
  EXPECT_EQ(read.sources[0].heading, "Warranty");
  EXPECT_TRUE(read.sources[0].cited);
  EXPECT_TRUE(read.sources[0].quoted);
}

TEST(MessageViewTest, DetailsOfOtherVersionsAndDamagedOnesLeaveTheTextAlone) {
  for (const char* details :
       {"", "{}", "[1,2", "{\"usage\":7}", "{\"usage\":{},\"sources\":[3,{\"n\":\"x\"}],\"timeline\":[[]]}",
        "{\"usage\":{\"prompt_tokens\":\"many\"},\"cache\":[],\"unsupported\":{\"a\":1}}"}) {
    MessageView message;
    message.text = "kept";
    read_details(details, message);
    EXPECT_EQ(message.text, "kept") << details;
  }
  // What chats of version 0.1 hold: citations with all fields, no `sources`.
  MessageView old;
  read_details(R"({"usage":{"prompt_tokens":5},"citations":[{"n":2,"title":"T","document":"/d"}]})", old);
  ASSERT_EQ(old.sources.size(), 1u);
  EXPECT_EQ(old.sources[0].n, 2);
}

TEST(MessageViewTest, ExportsHoldTheWholeChat) {
  ConversationView conversation;
  conversation.title = "Warranty";
  auto question = std::make_shared<MessageView>();
  question->from_user = true;
  question->text = "How long?";
  auto answer = std::make_shared<MessageView>(message_of(an_answer(), {}));
  conversation.messages = {question, answer};
  const std::string markdown = export_markdown(conversation);
  EXPECT_NE(markdown.find("## Question\n\nHow long?"), std::string::npos);
  EXPECT_NE(markdown.find("- [1] Handbook (/docs/handbook.md, lines 3–5)"), std::string::npos);
  const auto json = nlohmann::json::parse(export_json(conversation));
  EXPECT_EQ(json["messages"].size(), 2u);
  EXPECT_EQ(json["messages"][1]["details"]["cache"]["hits"], 5);
}

TEST(HistoryTest, HasWhatWasAnsweredAndEachDocumentOnce) {
  const auto message = [](bool from_user, const char* text, std::vector<const char*> cited) {
    auto made = std::make_shared<MessageView>();
    made->from_user = from_user;
    made->text = text;
    for (const char* document : cited) {
      made->sources.emplace_back().document = document;
      made->sources.back().cited = true;
    }
    return made;
  };
  const auto answer = message(false, "It is nine.", {"/d/b.md", "/d/a.md", "/d/b.md", ""});
  answer->sources.emplace_back().document = "/d/only-read.md";
  const std::vector<rag::Turn> turns =
      history_of({message(false, "Welcome.", {}), message(true, "When?", {}), answer, message(true, "Unanswered?", {}),
                  message(true, "Where?", {}), message(false, "At the quay.", {})});
  ASSERT_EQ(turns.size(), 2u);
  EXPECT_EQ(turns[0].question, "When?");
  EXPECT_EQ(turns[0].answer, "It is nine.");
  EXPECT_EQ(turns[0].documents, (std::vector<std::string>{"/d/b.md", "/d/a.md"}));
  EXPECT_EQ(turns[1].question, "Where?");
  EXPECT_TRUE(turns[1].documents.empty());
}

TEST(SettingsJsonTest, RoundTripAndNonsense) {
  SettingsView settings;
  settings.theme = ThemeChoice::kDark;
  settings.scale = 2.0f;
  settings.model = "mini";
  settings.mode = "blend";
  settings.instructions = "Be brief.";
  settings.long_work_s = 60;
  EXPECT_EQ(settings_from_json(settings_to_json(settings)), settings);
  EXPECT_EQ(settings_from_json("nonsense"), SettingsView{});
  const SettingsView wild = settings_from_json(R"({"scale":99,"top_k":-4,"theme":"dark","temperature":1e9})");
  EXPECT_EQ(wild.scale, 2.5f);
  EXPECT_EQ(wild.top_k, 1);
  EXPECT_EQ(wild.theme, ThemeChoice::kSystem);
  EXPECT_EQ(wild.temperature, 2.0f);
  const SettingsView other = settings_from_json(
      R"({"scale":0,"top_k":1000,"top_p":0,"max_tokens":0,"long_work_s":-1,"context_tokens":-1,"temperature":-1})");
  EXPECT_EQ(other.scale, 0.75f);
  EXPECT_EQ(other.top_k, 64);
  EXPECT_EQ(other.top_p, 0.05f);
  EXPECT_EQ(other.max_tokens, 16);
  EXPECT_EQ(other.long_work_s, 0);
  EXPECT_EQ(other.context_tokens, 0);
  EXPECT_EQ(other.temperature, 0.0f);
}

TEST(IndexRequestTest, RoundTripEarlierVersionsAndNonsense) {
  const std::deque<IndexRequest> requests = {{"default", {"/a", "/b"}, false, true}, {"x", {"/c"}, true, false}};
  EXPECT_EQ(requests_from_json(requests_to_json(requests)), requests);
  const auto old = requests_from_json(R"({"paths":["/a"],"collection":"c","paused":true})");
  ASSERT_EQ(old.size(), 1u);
  EXPECT_EQ(old[0], (IndexRequest{"c", {"/a"}, false, true}));
  for (const char* damaged : {"", "[", "7", "[7,{}]", "{\"paths\":7}", "[{\"paths\":[7]}]"})
    EXPECT_TRUE(requests_from_json(damaged).empty()) << damaged;
}

TEST(WindowMemoryTest, RoundTripAndNonsense) {
  WindowMemory memory;
  memory.page = Page::kModels;
  memory.draft = "half a question";
  memory.chat = 12;
  memory.sources_width = 500.0f;
  memory.scale = 1.3f;
  memory.dark = true;
  EXPECT_EQ(*memory_from_json(memory_to_json(memory)), memory);
  EXPECT_EQ(memory_from_json("{\"page\":").status().code(), StatusCode::kCorruption);
  EXPECT_EQ(memory_from_json("[1]").status().code(), StatusCode::kCorruption);
  // Of a version that wrote no checksum.
  EXPECT_EQ(memory_from_json("{\"page\":99,\"width\":-3}")->page, Page::kSettings);
  EXPECT_EQ(memory_from_json("{\"page\":99,\"width\":-3}")->width, 320);
  EXPECT_EQ(memory_from_json("{\"scale\":1e9,\"dark\":7}")->scale, 2.5f);
  EXPECT_FALSE(memory_from_json("{\"scale\":1e9,\"dark\":7}")->dark.has_value());
}

TEST(WindowMemoryTest, NoFlippedBitIsUsed) {
  WindowMemory memory;
  memory.draft = "When does the ferry sail?";
  memory.chat = 12;
  const std::string text = memory_to_json(memory);
  int found = 0;
  for (size_t bit = 0; bit < text.size() * 8; ++bit) {
    std::string flipped = text;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << (bit % 8)));
    const Result<WindowMemory> read = memory_from_json(flipped);
    if (read.ok()) {
      EXPECT_EQ(*read, memory) << flipped;  // blanks, or the checksum's name
    }
    found += read.ok() ? 0 : 1;
  }
  EXPECT_GT(found, static_cast<int>(text.size()) * 6);
}

TEST(WindowMemoryTest, ADamagedFileIsNamedAndAMissingOneIsNot) {
  const std::string path = testing::TempDir() + "mneme-window-" + std::to_string(getpid()) + ".json";
  EXPECT_EQ(read_memory(path).status().code(), StatusCode::kNotFound);
  ASSERT_TRUE(write_memory(path, {}).ok());
  ASSERT_TRUE(read_memory(path).ok());
  std::fstream(path, std::ios::in | std::ios::out).put('[');
  const Result<WindowMemory> damaged = read_memory(path);
  EXPECT_EQ(damaged.status().code(), StatusCode::kCorruption);
  EXPECT_NE(damaged.status().message().find(path), std::string::npos);
  std::remove(path.c_str());
}

}  // namespace
}  // namespace mneme::ui
