#include "base/json_pieces.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace mneme {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

// What the patched header makes of a value's children, once more by hand.
template <typename Json>
void take_apart(Json value) {
  JsonPieces<Json> pieces;
  for (Json& child : value) pieces.push_back(std::move(child));
  EXPECT_TRUE(pieces.empty());
}

TEST(JsonPieces, ValuesOfEveryShapeAreTakenApart) {
  const std::string text =
      R"([[], {}, [[]], [1, [2, [3]], "a long text that does not fit into the string itself"],
          {"a": {"b": [null, {"c": {}}, []], "d": null}, "e": [[[{}]]]}, null, true, 0.5, [null, [null]]])";
  take_apart(json::parse(text));
  take_apart(ordered_json::parse(text));
}

TEST(JsonPieces, ACopyOutlivesWhatItWasMadeOf) {
  json copy;
  {
    const json value = json::parse(R"({"a": [1, {"b": [[2], {}]}], "c": {"d": "e"}})");
    copy = value;
  }
  EXPECT_EQ(copy.dump(), R"({"a":[1,{"b":[[2],{}]}],"c":{"d":"e"}})");
}

// Neither recursion nor a list: any depth, in arrays and objects by turns.
TEST(JsonPieces, DepthCostsNoStack) {
  json value = 1;
  for (int level = 0; level < 1'000'000; ++level) {
    json outer = level % 2 == 0 ? json::array() : json::object();
    if (level % 2 == 0) {
      outer.push_back(std::move(value));
      outer.push_back(level);
    } else {
      outer["below"] = std::move(value);
    }
    value = std::move(outer);
  }
  EXPECT_EQ(value.size(), 1u);
}

}  // namespace
}  // namespace mneme
