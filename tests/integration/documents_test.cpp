// The main job end to end without a language model: index, search, ask, inspect, forget.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "storage/env/file_env.h"
#include "tests/integration/program.h"
#include "tests/support/checkout/checkout.h"

namespace mneme::integration {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kOwls =
    "# Owls\n\nThe marsh owl nests on the ground among rushes.\n\nIt lays seven eggs in April and hunts voles at "
    "dusk.\n";
constexpr const char* kFerry =
    "Timetable of the island.\n\nThe last ferry to Tarnholm leaves at 18:15 in winter and at 21:30 in summer.\n";
constexpr const char* kTea = "# 茶山\n\n缆车每天上午八点开始运行，下午五点半停运。\n\n门票旺季六十元。\n";

class DocumentsTest : public testing::Test {
 protected:
  void SetUp() override {
    program.write("docs/owls.md", kOwls);
    program.write("docs/island/ferry.txt", kFerry);
    program.write("docs/茶山.md", kTea);
    docs = program.folder() + "/docs";
  }
  json run_json(std::vector<std::string> arguments, int expected_status = 0) {
    arguments.insert(arguments.begin(), "--json");
    const Outcome outcome = program.run(arguments);
    EXPECT_EQ(outcome.exit_status, expected_status) << outcome.diagnostics << outcome.output;
    return outcome.last_json();
  }
  Program program;
  std::string docs;
};

TEST_F(DocumentsTest, IndexSkipsWhatIsUnchangedAndRemovesWhatIsGone) {
  const json first = run_json({"index", docs});
  EXPECT_EQ(first["event"], "done");
  EXPECT_EQ(first["documents"], 3);
  EXPECT_EQ(first["failed"], json::array());
  EXPECT_GE(first["chunks"], 3);
  const json again = run_json({"index", docs});
  EXPECT_EQ(again["documents"], 0);
  EXPECT_EQ(again["unchanged"], 3);
  program.write("docs/owls.md", std::string(kOwls) + "\nA new paragraph.\n");
  fs::remove(docs + "/island/ferry.txt");
  const json changed = run_json({"index", docs});
  EXPECT_EQ(changed["documents"], 1);
  EXPECT_EQ(changed["unchanged"], 1);
  EXPECT_EQ(changed["removed"], 1);
}

TEST_F(DocumentsTest, SearchFindsByWordsInAnyScript) {
  run_json({"index", docs});
  const json ferry = run_json({"search", "last", "ferry", "winter"});
  ASSERT_FALSE(ferry["results"].empty());
  const json& top = ferry["results"][0];
  EXPECT_EQ(top["rank"], 1);
  EXPECT_EQ(top["document"], docs + "/island/ferry.txt");
  EXPECT_TRUE(top["page"].is_null());
  EXPECT_GE(top["line_start"], 1);
  EXPECT_NE(top["text"].get<std::string>().find("18:15"), std::string::npos);
  const json tea = run_json({"search", "缆车几点停运", "--method", "lexical"});
  ASSERT_FALSE(tea["results"].empty());
  EXPECT_EQ(tea["results"][0]["document"], docs + "/茶山.md");
  for (const char* method : {"hybrid", "dense", "lexical"}) {
    EXPECT_TRUE(run_json({"search", "owl eggs", "--method", method})["results"].is_array()) << method;
  }
}

TEST_F(DocumentsTest, AskQuotesWithCitations) {
  run_json({"index", docs});
  const json answer = run_json({"ask", "When does the last ferry leave in winter?", "--model", "none"});
  for (const char* key : {"answer", "finish", "citations", "usage", "cache", "attention", "timing_ms",
                          "decode_tokens_per_s", "model", "device"}) {
    EXPECT_TRUE(answer.contains(key)) << key;
  }
  EXPECT_EQ(answer["model"], "none");
  EXPECT_EQ(answer["finish"], "stop");
  EXPECT_NE(answer["answer"].get<std::string>().find("18:15"), std::string::npos) << answer["answer"];
  ASSERT_FALSE(answer["citations"].empty());
  const json& citation = answer["citations"][0];
  EXPECT_EQ(citation["document"], docs + "/island/ferry.txt");
  EXPECT_EQ(citation["line_start"].is_number(), true);
  EXPECT_EQ(citation["quoted"], true);
  const std::string mark = "[" + citation["n"].dump() + "]";
  EXPECT_NE(answer["answer"].get<std::string>().find(mark), std::string::npos);
}

TEST_F(DocumentsTest, TheShortAnswerIsReadOutOfTheQuotation) {
  run_json({"index", docs});
  const std::string question = "When does the last ferry leave in winter?";
  const json answer = run_json({"ask", question});
  EXPECT_EQ(answer["model"], "none");
  ASSERT_TRUE(answer["brief"].is_object()) << answer;
  EXPECT_EQ(answer["brief"]["model"], "mneme-full");
  const json quoted = run_json({"ask", question, "--model", "none"});
  EXPECT_TRUE(quoted["brief"].is_null());
  // The quotations are the same, and hold it; it stands before them where it is said.
  const std::string quotations = quoted["answer"];
  const std::string brief = answer["brief"]["text"];
  EXPECT_NE(quotations.find(brief), std::string::npos) << brief;
  const std::string first = brief + " [" + answer["brief"]["n"].dump() + "]\n\n";
  EXPECT_EQ(answer["answer"], (answer["brief"]["stated"].get<bool>() ? first : "") + quotations);
}

TEST_F(DocumentsTest, AskReadsStandardInputAndStreams) {
  run_json({"index", docs});
  const Outcome outcome =
      program.run({"--json", "ask", "-", "--stream", "--model", "none"}, "How many eggs does the marsh owl lay?\n");
  EXPECT_EQ(outcome.exit_status, 0) << outcome.diagnostics;
  EXPECT_NE(outcome.output.find("\"event\":\"token\""), std::string::npos);
  EXPECT_TRUE(outcome.last_json().contains("answer"));
}

TEST_F(DocumentsTest, ContextFilesTakeThePlaceOfSearch) {
  const std::string owls = docs + "/owls.md";
  const json answer = run_json({"ask", "How many eggs?", "--context", owls, "--model", "none"});
  ASSERT_FALSE(answer["citations"].empty());
  EXPECT_EQ(answer["citations"][0]["document"], owls);
  EXPECT_EQ(program.run({"ask", "x", "--context", docs + "/missing.md"}).exit_status, 4);
}

TEST_F(DocumentsTest, TraceIsWritten) {
  run_json({"index", docs});
  const std::string trace = program.folder() + "/trace.json";
  run_json({"ask", "owls?", "--trace", trace, "--model", "none"});
  EXPECT_GT(fs::file_size(trace), 0u);
}

TEST_F(DocumentsTest, CollectionsAreSeparate) {
  run_json({"index", docs + "/island", "--collection", "island"});
  run_json({"index", docs + "/owls.md", "--collection", "birds"});
  EXPECT_TRUE(run_json({"search", "ferry", "--collection", "birds", "--method", "lexical"})["results"].empty());
  EXPECT_FALSE(run_json({"search", "ferry", "--collection", "island"})["results"].empty());
  run_json({"search", "ferry", "--collection", "nowhere"}, 4);
  EXPECT_EQ(run_json({"collection", "list"})["collections"].size(), 2u);
  EXPECT_EQ(run_json({"collection", "delete", "birds"})["deleted"], "birds");
  run_json({"collection", "delete", "birds"}, 4);
  run_json({"collection", "create", "empty"});
  EXPECT_EQ(run_json({"collection", "list"})["collections"].size(), 2u);
}

TEST_F(DocumentsTest, DocumentsCanBeShownAndForgotten) {
  run_json({"index", docs});
  const json documents = run_json({"document", "list"})["documents"];
  ASSERT_EQ(documents.size(), 3u);
  const std::string id = documents[0]["id"].dump();
  const json shown = run_json({"document", "show", id});
  ASSERT_FALSE(shown["passages"].empty());
  const std::string chunk = shown["passages"][0]["chunk"];
  EXPECT_EQ(run_json({"document", "show", id, "--chunk", chunk})["passages"][0]["chunk"], chunk);
  EXPECT_EQ(documents[0]["collection"], "default");
  const std::string whole = program.run({"document", "show", id}).output;
  EXPECT_NE(whole.find("-- " + chunk), std::string::npos) << whole;
  EXPECT_EQ(whole.find(", page"), std::string::npos) << "it has none";
  EXPECT_NE(program.run({"document", "show", id, "--chunk", chunk}).output.find(">> " + chunk), std::string::npos);
  run_json({"document", "show", id, "--chunk", "0123456789abcdef"}, 4);
  run_json({"document", "remove", id});
  run_json({"document", "show", id}, 4);
  EXPECT_EQ(run_json({"forget", docs})["documents"], 2);
  run_json({"forget", docs}, 4);
  EXPECT_TRUE(run_json({"search", "ferry"})["results"].empty());
}

// Else who takes something private out finds it there again after the next run.
TEST_F(DocumentsTest, WhatTheNextRunReadsAgainIsSaid) {
  run_json({"index", docs});
  const std::string removed = program.run({"document", "remove", docs + "/owls.md"}).diagnostics;
  EXPECT_NE(removed.find("the next index run over " + docs + " reads it in again"), std::string::npos) << removed;
  EXPECT_NE(removed.find(".mnemeignore"), std::string::npos) << removed;
  const std::string forgotten = program.run({"forget", docs + "/island"}).diagnostics;
  EXPECT_NE(forgotten.find(".mnemeignore"), std::string::npos) << forgotten;
  fs::remove(docs + "/茶山.md");
  EXPECT_EQ(program.run({"forget", docs + "/茶山.md"}).diagnostics.find("again"), std::string::npos) << "it is gone";
  run_json({"index", docs});
  EXPECT_EQ(program.run({"forget", docs}).diagnostics.find("again"), std::string::npos)
      << "no run looks there any more";
}

TEST_F(DocumentsTest, FoldersThatAreGoneAreToldWithWhatIsLeftOfThem) {
  const std::string other = program.folder() + "/other";
  program.write("other/tide.txt", "The tide is highest at noon.\n");
  program.write("moved/moor.txt", "The moor is wet in May.\n");
  for (const std::string& path : {docs, other, program.folder() + "/moved", docs + "/owls.md"})
    run_json({"index", path});
  fs::rename(program.folder() + "/moved", docs + "/moved");
  fs::remove(docs + "/owls.md");
  fs::remove_all(other);
  const std::string told = program.run({"index"}).diagnostics;
  EXPECT_NE(told.find(other + " is no longer there; its 1 document stays as it was."), std::string::npos) << told;
  EXPECT_EQ(told.find("moved is no longer there"), std::string::npos) << "found elsewhere: " << told;
  EXPECT_EQ(told.find("owls.md is no longer there"), std::string::npos) << "taken out with its folder: " << told;
  fs::remove_all(docs);
  const Outcome nothing = program.run({"index"});
  EXPECT_EQ(nothing.exit_status, 4) << nothing.diagnostics;
  EXPECT_NE(nothing.diagnostics.find("nothing that the collection default was made from is there any more"),
            std::string::npos)
      << nothing.diagnostics;
}

TEST_F(DocumentsTest, StatusTellsOfARunThatIsUnderWay) {
  run_json({"index", docs});
  EXPECT_EQ(run_json({"status"})["jobs"], json::array());
  const auto run = storage::FileEnv::posix().try_lock(program.home() + "/indexing.lock");
  ASSERT_TRUE(run.ok()) << run.status().message();
  const json jobs = run_json({"status"})["jobs"];
  ASSERT_EQ(jobs.size(), 1u);
  EXPECT_EQ(jobs[0]["kind"], "index");
  EXPECT_TRUE(jobs[0].contains("done") && jobs[0]["done"].is_null()) << "not known here";
  EXPECT_NE(program.run({"status"}).output.find("An index run is under way."), std::string::npos);
  const json paused = run_json({"index", "--pause"});
  EXPECT_EQ(paused["event"], "paused");
  EXPECT_EQ(paused["running"], true);
  EXPECT_NE(program.run({"status"}).output.find("`mneme index --resume`"), std::string::npos);
}

TEST_F(DocumentsTest, StatusVerifyAndGc) {
  run_json({"index", docs});
  const json status = run_json({"status"});
  EXPECT_TRUE(status["schema"].is_number_integer());
  ASSERT_EQ(status["collections"].size(), 1u);
  EXPECT_EQ(status["collections"][0]["documents"], 3);
  for (const char* key : {"bytes", "quota_bytes", "chunks", "pending", "hits", "misses", "evictions"}) {
    EXPECT_TRUE(status["kv"].contains(key)) << key;
  }
  const json verified = run_json({"verify"});
  EXPECT_EQ(verified["ok"], true);
  EXPECT_EQ(verified["checked"]["documents"], 3);
  EXPECT_EQ(verified["problems"], json::array());
  EXPECT_TRUE(run_json({"gc"})["bytes_freed"].is_number());
}

TEST_F(DocumentsTest, StatusNamesFilesThatWereNotIndexedAndWhy) {
  for (const char* name : {"a.pdf", "b.pdf", "c.pdf", "d.pdf"}) program.write(std::string("docs/") + name, "%PDF-1.4");
  program.run({"index", docs});
  const Outcome told = program.run({"status"});
  EXPECT_EQ(told.exit_status, 0);
  EXPECT_NE(told.output.find("4 files not indexed: `mneme index --retry` tries again"), std::string::npos)
      << told.output;
  for (const char* name : {"a.pdf", "b.pdf", "c.pdf"})
    EXPECT_NE(told.output.find("    not indexed: " + docs + "/" + name), std::string::npos) << told.output;
  EXPECT_EQ(told.output.find("d.pdf"), std::string::npos) << told.output;
  EXPECT_NE(told.output.find("    and 1 more: `mneme document list --failed` shows all\n"), std::string::npos)
      << told.output;
  const Outcome all = program.run({"document", "list", "--failed"});
  EXPECT_EQ(all.exit_status, 0);
  for (const char* name : {"a.pdf", "b.pdf", "c.pdf", "d.pdf"})
    EXPECT_NE(all.output.find("not indexed: " + docs + "/" + name), std::string::npos) << all.output;
  const json listed = run_json({"document", "list", "--failed", "--collection", "default"});
  ASSERT_EQ(listed["failed"].size(), 4u);
  EXPECT_EQ(listed["failed"][3]["path"], docs + "/d.pdf");
  EXPECT_FALSE(listed["failed"][3]["error"].get<std::string>().empty());
}

// Vectors of an embedder that was given up are garbage as soon as the one in use has made its own.
TEST_F(DocumentsTest, GcTakesTheVectorsOfAnEmbedderThatWasGivenUp) {
  const std::string other = program.folder() + "/other.gguf";
  fs::copy_file(checkout::path("assets/models/mneme-embed.gguf"), other);
  std::fstream file(other, std::ios::binary | std::ios::in | std::ios::out);
  file.seekg(-1, std::ios::end);
  const char last = static_cast<char>(file.get() ^ 1);
  file.seekp(-1, std::ios::end);
  file.put(last);
  file.close();
  const auto is_stale = [&](const std::vector<std::string>& words) -> bool {
    return run_json(words)["collections"][0]["vectors_stale"];
  };
  run_json({"index", docs});
  run_json({"gc", "--embedder", other});
  EXPECT_FALSE(is_stale({"status"})) << "the other embedder has none of its own yet";
  const json verified = run_json({"verify", "--embedder", other});
  EXPECT_EQ(verified["ok"], true) << "a state, not damage";
  EXPECT_EQ(verified["vectors_stale"], json({"default"}));
  EXPECT_EQ(run_json({"verify"})["vectors_stale"], json::array());
  run_json({"index", docs, "--embedder", other});
  EXPECT_FALSE(is_stale({"status", "--embedder", other}));
  EXPECT_FALSE(is_stale({"status"}));
  run_json({"gc", "--embedder", other});
  EXPECT_FALSE(is_stale({"status", "--embedder", other}));
  EXPECT_TRUE(is_stale({"status"}));
}

TEST_F(DocumentsTest, VerifyFindsADamagedCatalogue) {
  run_json({"index", docs});
  const std::string catalogue = program.home() + "/catalog.db";
  program.run({"gc"});
  fs::resize_file(catalogue, fs::file_size(catalogue) / 2);
  const Outcome outcome = program.run({"verify"});
  EXPECT_EQ(outcome.exit_status, 3) << outcome.output << outcome.diagnostics;
  EXPECT_EQ(outcome.signal, 0);
}

TEST_F(DocumentsTest, LosingTheVectorIndexCostsNothing) {
  run_json({"index", docs});
  fs::remove_all(program.home() + "/index");
  EXPECT_FALSE(run_json({"search", "owl eggs"})["results"].empty());
}

TEST_F(DocumentsTest, ChatIsSaved) {
  run_json({"index", docs});
  const Outcome chat = program.run({"--json", "chat", "--model", "none"}, "How many eggs does the owl lay?\n\n");
  EXPECT_EQ(chat.exit_status, 0) << chat.diagnostics;
  const json chats = run_json({"chat", "list"})["chats"];
  ASSERT_EQ(chats.size(), 1u);
  const std::string id = chats[0]["id"].dump();
  EXPECT_EQ(run_json({"chat", "show", id})["messages"].size(), 2u);
  for (const std::string how : {"show", "export"}) {
    const std::string text = program.run({"chat", how, id}).output;
    EXPECT_NE(text.find("## Question"), std::string::npos);
    EXPECT_NE(text.find("\n- [1] " + docs + "/"), std::string::npos) << "the answer's sources: " << text;
  }
  program.run({"--json", "chat", "--resume", id, "--model", "none"}, "/help\nAnd when does it hunt?\n/quit\nWhy?\n");
  EXPECT_EQ(run_json({"chat", "show", id})["messages"].size(), 4u);
  run_json({"chat", "delete", id});
  run_json({"chat", "show", id}, 4);
}

TEST_F(DocumentsTest, AChatTellsOfCommandsThatAreNone) {
  run_json({"index", docs});
  const Outcome chat =
      program.run({"chat", "--model", "none"}, "/clear\nHow many eggs does the owl lay?\n/etc/fstab\n");
  EXPECT_EQ(chat.exit_status, 2) << "that of the first that failed";
  EXPECT_NE(chat.diagnostics.find("there is no /clear in a chat"), std::string::npos) << chat.diagnostics;
  EXPECT_EQ(run_json({"chat", "list"})["chats"][0]["messages"], 4);
}

TEST_F(DocumentsTest, AnotherChatIsBegunWithinTheFirst) {
  run_json({"index", docs});
  const Outcome chat =
      program.run({"--json", "chat", "--model", "none"},
                  "/new\nHow many eggs does the owl lay?\n/new\nWhen does the ferry leave in winter?\nAnd in summer?\n"
                  "/new\nAnd in summer?\n");
  EXPECT_EQ(chat.exit_status, 0) << chat.diagnostics;
  EXPECT_NE(chat.output.find("When does the ferry leave in summer?"), std::string::npos) << "by what was said before";
  EXPECT_TRUE(chat.last_json()["query"].is_null()) << "of which a new one knows nothing";
  EXPECT_NE(chat.diagnostics.find("A new chat"), std::string::npos) << chat.diagnostics;
  const json chats = run_json({"chat", "list"})["chats"];
  ASSERT_EQ(chats.size(), 3u) << "one in which nothing was asked is none";
  EXPECT_EQ(chats[1]["messages"], 4);
  EXPECT_EQ(chats[2]["messages"], 2);
  EXPECT_EQ(chats[2]["title"], "How many eggs does the owl lay?");
}

TEST_F(DocumentsTest, AChatGoesOnAfterAQuestionThatFails) {
  run_json({"index", docs});
  const std::string too_long(2 << 20, 'x');
  const Outcome chat =
      program.run({"--json", "chat", "--model", "none"}, too_long + "\nHow many eggs does the owl lay?\n");
  EXPECT_EQ(chat.exit_status, 1) << chat.diagnostics;
  EXPECT_NE(chat.output.find("\"error\""), std::string::npos) << chat.output;
  EXPECT_TRUE(chat.last_json().contains("answer")) << chat.output;
  const json chats = run_json({"chat", "list"})["chats"];
  ASSERT_EQ(chats.size(), 1u);
  EXPECT_EQ(run_json({"chat", "show", chats[0]["id"].dump()})["messages"].size(), 2u);
}

TEST_F(DocumentsTest, AChatEndsWhereNobodyTakesItsAnswers) {
  run_json({"index", docs});
  program.output_to = "/dev/full";
  const Outcome chat =
      program.run({"chat", "--model", "none"}, "How many eggs does the owl lay?\nAnd when does it hunt?\n");
  program.output_to = "";
  EXPECT_EQ(chat.exit_status, 1);
  EXPECT_NE(chat.diagnostics.find("cannot write to standard output"), std::string::npos) << chat.diagnostics;
  EXPECT_EQ(run_json({"chat", "list"})["chats"][0]["messages"], 2) << "the second question was not asked";
}

TEST_F(DocumentsTest, AChatTellsThatItsQuestionsCannotBeRead) {
  program.input_from = docs;
  const Outcome chat = program.run({"chat", "--model", "none"});
  EXPECT_EQ(chat.exit_status, 1);
  EXPECT_NE(chat.diagnostics.find("cannot read standard input"), std::string::npos) << chat.diagnostics;
}

TEST_F(DocumentsTest, EvaluatesRetrieval) {
  const std::string set = program.write("set.json",
                                        R"({"data":[{"title":"a","paragraphs":[
        {"context":"The marsh owl lays seven eggs in April.","qas":[{"id":"1","question":"How many eggs does the marsh owl lay?","answers":[{"text":"seven"}]}]},
        {"context":"The ferry leaves at a quarter past six in winter.","qas":[{"id":"2","question":"When does the ferry leave in winter?","answers":[{"text":"a quarter past six"}]}]}]}]})");
  const json report = run_json({"eval", set, "--retrieval"});
  EXPECT_EQ(report["questions"], 2);
  EXPECT_EQ(report["documents"], 2);
  for (const char* method : {"lexical", "dense", "hybrid"}) {
    ASSERT_TRUE(report["methods"].contains(method));
    EXPECT_EQ(report["methods"][method]["recall_at_5"], 1.0) << method;
  }
  const std::string other = program.write(
      "other.jsonl",
      R"({"id":"3","question":"What colour is the lamp?","answers":["green"],"contexts":[{"title":"b","text":"The lamp is green."}],"supporting":[0]})");
  const std::string passages = program.write("passages.json", R"([{"title":"c","text":"The stove is black."}])");
  const json together = run_json({"eval", set, "--retrieval", "--by-passage", "--among", other + "," + passages});
  EXPECT_EQ(together["documents"], 4);
  EXPECT_EQ(together["methods"]["lexical"]["mrr"], 1.0);
  ASSERT_EQ(together["among"].size(), 1u);
  EXPECT_EQ(together["among"][0]["set"], "other.jsonl");
  EXPECT_EQ(together["among"][0]["methods"]["hybrid_rerank"]["recall_at_1"], 1.0);
  const json answers = run_json({"eval", set, "--model", "none"});
  EXPECT_EQ(answers["modes"]["full"]["n"], 2);
  EXPECT_EQ(answers["modes"]["full"]["contains"], 1.0) << answers.dump();
  EXPECT_TRUE(answers["modes"]["full"]["nll"].is_null());
  const std::string evidence = program.folder() + "/judged.jsonl";
  const json refusing = run_json({"eval", set, "--refusing", "--evidence", evidence});
  EXPECT_EQ(refusing["questions"], 2);
  EXPECT_EQ(refusing["absent"], 2);
  EXPECT_EQ(refusing["refused_answerable"], 0.0);
  EXPECT_EQ(refusing["first_right"], 1.0);
  EXPECT_EQ(refusing["answered_absent"], 0.0);
  std::ifstream judged(evidence);
  size_t lines = 0;
  for (std::string line; std::getline(judged, line);) ++lines;
  EXPECT_EQ(lines, 5u) << "names, and each question twice";
}

// Of one document two passages, of which one holds the answer.
TEST_F(DocumentsTest, EvidenceByPassageMarksThoseThatHoldAnAnswer) {
  std::string context = "The marsh owl lays seven eggs in April.\\n\\n";
  for (int i = 0; i < 150; ++i) context += "Of the marsh owl some say that it sleeps by day. ";
  const std::string set =
      program.write("set.json", R"({"data":[{"title":"a","paragraphs":[{"context":")" + context +
                                    R"(","qas":[{"id":"1","question":"How many eggs does the marsh owl lay?",
                      "answers":[{"text":"seven"}]}]}]}]})");
  const auto n_relevant = [&](const std::vector<std::string>& options) {
    const std::string file = program.folder() + "/evidence.jsonl";
    std::vector<std::string> arguments{"eval", set, "--retrieval", "--evidence", file};
    arguments.insert(arguments.end(), options.begin(), options.end());
    run_json(arguments);
    std::ifstream lines(file);
    std::string names;
    std::string question;
    std::getline(lines, names);
    std::getline(lines, question);
    return json::parse(question)["relevant"].size();
  };
  EXPECT_GT(n_relevant({}), 1u);
  EXPECT_EQ(n_relevant({"--by-passage"}), 1u);
}

}  // namespace
}  // namespace mneme::integration
