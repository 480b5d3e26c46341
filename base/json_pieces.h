// What nlohmann's destructor hands the children of a value to (cmake/MnemeJson.cmake puts it there): each is taken
// apart at once, by walking down and up again in the value itself, without recursion and without asking for memory. A
// value on the way down hangs where its child hung before, so that the way back needs no list. Threads: a value.
#pragma once

#include <cstddef>
#include <iterator>
#include <utility>

namespace mneme {

// Json: any basic_json of nlohmann's; incomplete where this is named, complete where it is used.
template <typename Json>
class JsonPieces {
 public:
  using value_type = Json;

  void reserve(size_t) {}
  void push_back(Json&& piece) noexcept {
    if (has_children(piece)) take_apart(std::move(piece));
  }
  // Nothing is ever left to do; the rest is what the library's loop over its list wants to compile.
  bool empty() const { return true; }
  Json& back() { return none_; }
  void pop_back() {}

 private:
  static bool has_children(const Json& value) { return value.is_structured() && !value.empty(); }

  static Json& last_child(Json& parent) {
    if (parent.is_array()) return parent.template get_ref<typename Json::array_t&>().back();
    return std::prev(parent.template get_ref<typename Json::object_t&>().end())->second;
  }

  static void drop_last_child(Json& parent) {
    if (parent.is_array()) {
      parent.template get_ref<typename Json::array_t&>().pop_back();
    } else {
      auto& object = parent.template get_ref<typename Json::object_t&>();
      object.erase(std::prev(object.end()));
    }
  }

  static void take_apart(Json&& whole) noexcept {
    Json current = std::move(whole);
    Json above;  // what `current` hung from; null: nothing
    for (;;) {
      while (has_children(current)) {
        Json& child = last_child(current);
        if (has_children(child)) {
          Json below = std::move(child);
          child = std::move(above);
          above = std::move(current);
          current = std::move(below);
        } else {
          drop_last_child(current);
        }
      }
      if (above.is_null()) return;
      current = std::move(above);
      above = std::move(last_child(current));
      drop_last_child(current);
    }
  }

  Json none_;
};

}  // namespace mneme
