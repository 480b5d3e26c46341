#include "base/trace.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <thread>

namespace mneme::trace {
namespace {

TEST(Trace, CollectsSpansBetweenStartAndFinish) {
  {
    const Span before("before", "test");
  }
  start();
  {
    const Span outer("outer", "test", 3);
    const Span inner("inner", "test");
  }
  const std::vector<Event> events = finish_events(10);
  {
    const Span after("after", "test");
  }
  ASSERT_EQ(events.size(), 2u);
  EXPECT_STREQ(events[0].name, "inner");  // in the order they ended
  EXPECT_STREQ(events[1].name, "outer");
  EXPECT_EQ(events[1].argument, 3);
  EXPECT_LE(events[1].begin_us, events[0].begin_us);
  EXPECT_GE(events[1].begin_us + events[1].duration_us, events[0].begin_us + events[0].duration_us);
  EXPECT_FALSE(enabled());
}

TEST(Trace, OfStagesLeavesOutTheEngine) {
  start(Detail::kStages);
  {
    const Span layer("layer", "engine");
  }
  {
    const Span search("search", "rag");
  }
  const std::vector<Event> events = finish_events(10);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_STREQ(events[0].name, "search");
}

TEST(Trace, KeepsTheEarliestOfTooMany) {
  start();
  for (const char* name : {"first", "second", "third"}) const Span span(name, "test");
  const std::vector<Event> events = finish_events(2);
  ASSERT_EQ(events.size(), 2u);
  EXPECT_STREQ(events[0].name, "first");
  EXPECT_STREQ(events[1].name, "second");
  EXPECT_TRUE(finish_events(2).empty()) << "they are told once";
}

TEST(Trace, JsonNamesItsThreads) {
  start();
  std::thread worker([] {
    name_thread("worker");
    const Span span("work", "test", 7);
  });
  worker.join();
  const auto json = nlohmann::json::parse(finish_json());
  const auto& events = json.at("traceEvents");
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].at("args").at("name"), "worker");
  EXPECT_EQ(events[1].at("name"), "work");
  EXPECT_EQ(events[1].at("args").at("n"), 7);
  EXPECT_EQ(events[1].at("tid"), events[0].at("tid"));
}

}  // namespace
}  // namespace mneme::trace
