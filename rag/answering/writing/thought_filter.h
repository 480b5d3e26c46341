// Parts what a model writes into the thought that some begin with (engine/tokenizer/thought_markers.h) and the answer.
// Threads: one object per generation.
#pragma once

#include <string>
#include <string_view>

#include "engine/tokenizer/thought_markers.h"

namespace mneme::rag {

class ThoughtFilter {
 public:
  // begun: the prompt has opened the thought, so the text begins inside of it.
  explicit ThoughtFilter(bool begun) : state_(begun ? State::kInside : State::kBefore) {}

  // What the piece adds to the answer. What may still become a marker is held back.
  std::string add(std::string_view piece);
  // No more comes: what was held back. A thought that was not closed when the model ended its turn held the answer, so
  // it becomes that; one that was cut off stays a thought.
  std::string finish(bool ended);

  bool inside() const { return state_ == State::kInside; }
  // Without the markers; whole when inside() is false.
  const std::string& thought() const { return thought_; }

 private:
  enum class State { kBefore, kInside, kBehind };
  std::string look_for_opening();
  std::string look_for_closing();

  State state_;
  std::string held_;  // not yet known to be thought or answer
  std::string thought_;
  std::string_view close_;  // empty: any marker closes, for nobody said which one opened
};

}  // namespace mneme::rag
