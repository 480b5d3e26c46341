// The JSON that programs read and that chats keep.
#include "rag/answering/exchange/answer_json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace mneme::rag {
namespace {

using nlohmann::json;

Citation a_citation() {
  Citation citation;
  citation.n = 2;
  citation.source.document = "/d/lease.md";
  citation.source.title = "Lease";
  citation.source.heading_path = "Lease > Rent";
  citation.source.page = 3;
  citation.source.line_start = 4;
  citation.source.line_end = 6;
  citation.source.score = 0.5;
  citation.source.text = "The rent is 900 €.";
  citation.source.excerpt_begin = 4;
  citation.source.chunk = "ab12";
  citation.cited = citation.quoted = true;
  citation.quotes = {{4, 8}, {12, 15}};
  return citation;
}

// No two numbers of it are the same.
Answer a_full_answer() {
  Answer answer;
  answer.text = "900 € [2]";
  answer.reasoning = "The lease says it.";
  answer.finish = Finish::kLength;
  answer.citations = {a_citation()};
  answer.sources = {a_citation()};
  answer.sources[0].source.text = "Another";
  answer.sources[0].quotes.clear();
  answer.usage = {.prompt_tokens = 101,
                  .chunk_tokens = 102,
                  .answer_tokens = 103,
                  .reasoning_tokens = 104,
                  .cut_passages = 105,
                  .decode_steps = 106};
  answer.cache = {.mode = AnswerMode::kBlend,
                  .chunks = 21,
                  .hits = 22,
                  .recompute_ratio = 0.25,
                  .recomputed_tokens = 23,
                  .full_layers = 24,
                  .level = "high",
                  .bytes_read = 25,
                  .bytes_fp16 = 26,
                  .bytes_decoded = 27,
                  .bytes_decoded_on_device = 28,
                  .carried = 29,
                  .history_tokens = 30,
                  .plan = std::nullopt};
  answer.attention = {.kind = "pq",
                      .budget = 41,
                      .attended = 42,
                      .block_cache_hit_rate = 0.375,
                      .recall = 0.625,
                      .mass = 0.75,
                      .kv_in_host_memory = true};
  answer.timing = {.retrieve = 1.5, .rerank = 2.5, .load = 3.5, .recompute = 4.5, .ttft = 5.5, .total = 6.5};
  answer.first_token_goal_ms = 5.0;
  answer.decode_tokens_per_s = 7.5;
  answer.model = "qwen";
  answer.device = "cuda:0+cpu";
  answer.gpu_layers = 12;
  answer.in_documents = false;
  answer.brief = BriefAnswer{.text = "900 €", .n = 2, .probability = 0.875, .stated = true, .model = "reader"};
  answer.unsupported = {{1, 5}};
  answer.reranked = 51;
  answer.standalone_query = "How much is the rent?";
  answer.notes = {"a note", "another"};
  return answer;
}

json expected_citation() {
  return {{"n", 2},
          {"document", "/d/lease.md"},
          {"title", "Lease"},
          {"heading", "Lease > Rent"},
          {"page", 3},
          {"line_start", 4},
          {"line_end", 6},
          {"score", 0.5},
          {"text", "The rent is 900 €."},
          {"excerpt_begin", 4},
          {"chunk", "ab12"},
          {"cited", true},
          {"quoted", true},
          {"quotes", {{{"byte_begin", 4}, {"byte_end", 8}}, {{"byte_begin", 12}, {"byte_end", 15}}}}};
}

TEST(AnswerJson, HasWhatTheInterfacePromises) {
  json source = expected_citation();
  source["text"] = "Another";
  source["quotes"] = json::array();
  const json expected = {
      {"answer", "900 € [2]"},
      {"reasoning", "The lease says it."},
      {"finish", "length"},
      {"citations", {expected_citation()}},
      {"sources", {source}},
      {"usage",
       {{"prompt_tokens", 101},
        {"chunk_tokens", 102},
        {"answer_tokens", 103},
        {"reasoning_tokens", 104},
        {"cut_passages", 105},
        {"decode_steps", 106}}},
      {"cache",
       {{"mode", "blend"},
        {"chunks", 21},
        {"hits", 22},
        {"recompute_ratio", 0.25},
        {"recomputed_tokens", 23},
        {"full_layers", 24},
        {"level", "high"},
        {"bytes_read", 25},
        {"bytes_fp16", 26},
        {"bytes_decoded", 27},
        {"bytes_decoded_on_device", 28},
        {"carried", 29},
        {"history_tokens", 30},
        {"controller", nullptr},
        {"passages", json::array()}}},
      {"attention",
       {{"kind", "pq"},
        {"budget", 41},
        {"attended", 42},
        {"block_cache_hit_rate", 0.375},
        {"recall", 0.625},
        {"mass", 0.75},
        {"kv_in_host_memory", true}}},
      {"timing_ms",
       {{"retrieve", 1.5}, {"rerank", 2.5}, {"load", 3.5}, {"recompute", 4.5}, {"ttft", 5.5}, {"total", 6.5}}},
      {"first_token_goal", {{"ms", 5.0}, {"kept", false}}},
      {"decode_tokens_per_s", 7.5},
      {"model", "qwen"},
      {"device", "cuda:0+cpu"},
      {"gpu_layers", 12},
      {"reranked", 51},
      {"in_documents", false},
      {"brief", {{"text", "900 €"}, {"n", 2}, {"probability", 0.875}, {"stated", true}, {"model", "reader"}}},
      {"unsupported", {{{"byte_begin", 1}, {"byte_end", 5}}}},
      {"query", "How much is the rent?"},
      {"notes", {"a note", "another"}}};
  EXPECT_EQ(answer_to_json(a_full_answer()), expected) << json::diff(answer_to_json(a_full_answer()), expected);
}

TEST(AnswerJson, WhatIsNotKnownIsNullAndNotLeftOut) {
  Answer answer;
  answer.sources = {Citation()};
  answer.first_token_goal_ms = 5.0;
  const json object = answer_to_json(answer);
  for (const char* key : {"reasoning", "decode_tokens_per_s", "gpu_layers", "brief", "query"}) {
    ASSERT_TRUE(object.contains(key)) << key;
    EXPECT_TRUE(object[key].is_null()) << key;
  }
  for (const char* key : {"heading", "page", "line_start", "line_end"})
    EXPECT_TRUE(object["sources"][0][key].is_null());
  EXPECT_TRUE(object["first_token_goal"]["kept"].is_null()) << "there was no token";
  EXPECT_TRUE(object["timing_ms"]["load"].is_null());
  answer.timing.ttft = 5.0;
  EXPECT_EQ(answer_to_json(answer)["first_token_goal"]["kept"], true) << "to the millisecond";
}

TEST(AnswerJson, TellsHowEachPassageCameAndWhatWasPlanned) {
  Answer answer;
  answer.cache.passages = {
      {PassageForm::Source::kText, {}}, {PassageForm::Source::kStore, {1, 2, 3, 4}}, {PassageForm::Source::kChat, {}}};
  answer.cache.plan = LoadingPlan{.ratio = 0.5,
                                  .full_layers = 2,
                                  .load = {true, false, false},
                                  .load_ms = 1,
                                  .decode_ms = 2,
                                  .compute_ms = 3,
                                  .first_token_ms = 4,
                                  .full_ms = 5};
  const json cache = answer_to_json(answer)["cache"];
  const json passages = {{{"source", "text"}, {"layers", nullptr}},
                         {{"source", "store"}, {"layers", {{"exact", 1}, {"high", 2}, {"medium", 3}, {"low", 4}}}},
                         {{"source", "chat"}, {"layers", nullptr}}};
  EXPECT_EQ(cache["passages"], passages) << cache["passages"];
  const json plan = {
      {"ratio", 0.5},
      {"full_layers", 2},
      {"computed", 2},
      {"predicted_ms", {{"load", 1.0}, {"decode", 2.0}, {"compute", 3.0}, {"ttft", 4.0}, {"full", 5.0}}}};
  EXPECT_EQ(cache["controller"], plan) << cache["controller"];
}

TEST(AnswerJson, WhatAChatKeptOpensAsItWas) {
  const json saved = answer_to_json(a_full_answer());
  const std::optional<Answer> read = answer_from_json(saved);
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(answer_to_json(*read), saved) << json::diff(answer_to_json(*read), saved);
  EXPECT_EQ(read->citations[0].source.rank, 2);
  json old = saved;
  old.erase("sources");
  EXPECT_EQ(answer_from_json(old)->sources[0].source.text, "The rent is 900 €.") << "older ones kept only the cited";
}

TEST(AnswerJson, WhatIsMissingOrOfAnotherTypeKeepsItsDefault) {
  EXPECT_FALSE(answer_from_json(json::array()).has_value());
  EXPECT_FALSE(answer_from_json({{"answer", "no answer of a chat"}}).has_value());
  EXPECT_FALSE(answer_from_json("usage").has_value());
  const json defaults = answer_to_json(Answer());
  const std::optional<Answer> empty = answer_from_json({{"usage", nullptr}});
  ASSERT_TRUE(empty.has_value());
  EXPECT_EQ(answer_to_json(*empty), defaults);
  json wrong = answer_to_json(a_full_answer());
  for (const auto& [key, value] : wrong.items()) {
    // Any other type than the right one, and no number that an integer could be made of.
    value = value.is_string() ? json(1e300) : value.is_object() || value.is_array() ? json("x") : json::object();
  }
  EXPECT_EQ(answer_to_json(*answer_from_json(wrong)), defaults);
  wrong = answer_to_json(a_full_answer());
  for (const char* part : {"usage", "cache", "attention", "timing_ms", "brief"}) {
    for (const auto& [key, value] : wrong[part].items()) value = value.is_string() ? json(7) : json("x");
  }
  for (const char* part : {"usage", "cache", "attention", "timing_ms"}) {
    EXPECT_EQ(answer_to_json(*answer_from_json(wrong))[part], defaults[part]) << part;
  }
  wrong["gpu_layers"] = 1e300;
  EXPECT_FALSE(answer_from_json(wrong)->gpu_layers.has_value());
}

TEST(AnswerJson, NoBytesAreBelievedThatSplitACharacter) {
  json saved = answer_to_json(a_full_answer());
  json& source = saved["sources"][0];
  source["text"] = "900 €.";  // the sign has bytes 4 to 6
  source["excerpt_begin"] = 5;
  source["quotes"] = {{{"byte_begin", 5}, {"byte_end", 8}},
                      {{"byte_begin", 0}, {"byte_end", 6}},
                      {{"byte_begin", 0}, {"byte_end", 9}},
                      {{"byte_begin", 3}, {"byte_end", 3}},
                      5};
  const Citation read = answer_from_json(saved)->sources.at(0);
  EXPECT_EQ(read.source.excerpt_begin, 4U);
  ASSERT_EQ(read.quotes.size(), 2U);
  EXPECT_EQ(read.quotes[0].begin, 4U);
  EXPECT_EQ(read.quotes[0].end, 8U);
  EXPECT_EQ(read.quotes[1].end, 4U);
}

}  // namespace
}  // namespace mneme::rag
