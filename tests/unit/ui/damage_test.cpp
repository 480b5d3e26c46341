// What differs between two frames, against a plain renderer: drawing no more than the damage over the picture before
// must give the picture that drawing everything gives.
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "tests/unit/ui/hands.h"
#include "tests/unit/ui/null_renderer.h"
#include "ui/shell/damage.h"
#include "ui/shell/frame.h"

namespace mneme::ui {
namespace {

constexpr int kSide = 48;

using Picture = std::array<uint32_t, kSide * kSide>;

// Colours are mixed so that both what lies under a triangle and the order of triangles leave their mark.
uint32_t mixed(uint32_t under, uint32_t over) {
  return (under * 31 + over) * 2654435761u;
}

float side_of(ImVec2 a, ImVec2 b, ImVec2 p) {
  return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
}

bool inside(const ImDrawVert& a, const ImDrawVert& b, const ImDrawVert& c, ImVec2 p) {
  const float s = side_of(a.pos, b.pos, p);
  const float t = side_of(b.pos, c.pos, p);
  const float u = side_of(c.pos, a.pos, p);
  return (s >= 0 && t >= 0 && u >= 0) || (s <= 0 && t <= 0 && u <= 0);
}

void draw_triangle(Picture& picture, const ImVec4& clip, const ImDrawVert& a, const ImDrawVert& b,
                   const ImDrawVert& c) {
  for (int y = 0; y < kSide; ++y) {
    for (int x = 0; x < kSide; ++x) {
      const ImVec2 p(static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f);
      if (p.x < clip.x || p.y < clip.y || p.x >= clip.z || p.y >= clip.w || !inside(a, b, c, p)) continue;
      uint32_t& pixel = picture[static_cast<size_t>(y * kSide + x)];
      pixel = mixed(pixel, a.col ^ b.col * 3 ^ c.col * 7);
    }
  }
}

void draw(Picture& picture, const ImDrawData& data) {
  for (int i = 0; i < data.CmdListsCount; ++i) {
    const ImDrawList& list = *data.CmdLists[i];
    for (const ImDrawCmd& command : list.CmdBuffer) {
      for (unsigned k = 0; k + 2 < command.ElemCount; k += 3) {
        const auto vertex = [&](unsigned n) {
          return list.VtxBuffer[list.IdxBuffer[static_cast<int>(command.IdxOffset + k + n)]];
        };
        draw_triangle(picture, command.ClipRect, vertex(0), vertex(1), vertex(2));
      }
    }
  }
}

void clear(Picture& picture, const Damage& part) {
  for (int y = 0; y < kSide; ++y) {
    for (int x = 0; x < kSide; ++x) {
      const float px = static_cast<float>(x) + 0.5f;
      const float py = static_cast<float>(y) + 0.5f;
      if (px >= part.min.x && px < part.max.x && py >= part.min.y && py < part.max.y)
        picture[static_cast<size_t>(y * kSide + x)] = 0;
    }
  }
}

// A rectangle as panels draw them, in a clip of its own when the command before has another.
struct Shape {
  ImVec4 clip;
  float x, y, width, height;
  uint32_t colour;
  bool indices_first = false;  // its triangles stand before those of the shapes before it, as with split channels
};

class DamageTest : public testing::Test {
 protected:
  void add(ImDrawList& list, const Shape& s) {
    if (list.CmdBuffer.empty() || std::memcmp(&list.CmdBuffer.back().ClipRect, &s.clip, sizeof(ImVec4)) != 0) {
      ImDrawCmd command;
      command.ClipRect = s.clip;
      command.IdxOffset = static_cast<unsigned>(list.IdxBuffer.Size);
      list.CmdBuffer.push_back(command);
    }
    const auto base = static_cast<ImDrawIdx>(list.VtxBuffer.Size);
    const ImVec2 corners[] = {{s.x, s.y}, {s.x + s.width, s.y}, {s.x + s.width, s.y + s.height}, {s.x, s.y + s.height}};
    for (const ImVec2& corner : corners) {
      ImDrawVert vertex{};
      vertex.pos = corner;
      vertex.col = s.colour;
      list.VtxBuffer.push_back(vertex);
    }
    const int first = s.indices_first ? static_cast<int>(list.CmdBuffer.back().IdxOffset) : list.IdxBuffer.Size;
    constexpr int kOrder[] = {0, 1, 2, 0, 2, 3};
    for (int i = 0; i < 6; ++i)
      list.IdxBuffer.insert(list.IdxBuffer.Data + first + i, static_cast<ImDrawIdx>(base + kOrder[i]));
    list.CmdBuffer.back().ElemCount += 6;
  }

  // Valid until the next one is made.
  ImDrawData& frame(const std::vector<std::vector<Shape>>& lists) {
    lists_.clear();
    pointers_.clear();
    for (const std::vector<Shape>& shapes : lists) {
      lists_.push_back(std::make_unique<ImDrawList>(ImGui::GetDrawListSharedData()));
      lists_.back()->CmdBuffer.clear();
      for (const Shape& shape : shapes) add(*lists_.back(), shape);
      pointers_.push_back(lists_.back().get());
    }
    data_ = ImDrawData();
    data_.DisplaySize = ImVec2(kSide, kSide);
    data_.FramebufferScale = ImVec2(1, 1);
    data_.CmdListsCount = static_cast<int>(pointers_.size());
#if IMGUI_VERSION_NUM < 18980
    data_.CmdLists = pointers_.data();
#else
    for (ImDrawList* list : pointers_) data_.CmdLists.push_back(list);
#endif
    return data_;
  }

  Shape random_shape() {
    const auto number = [&](int low, int high) {
      return static_cast<float>(std::uniform_int_distribution<int>(low, high)(random_));
    };
    Shape s{};
    const bool clipped = number(0, 3) == 0;
    s.clip = clipped ? ImVec4(number(0, 20), number(0, 20), number(24, kSide), number(24, kSide))
                     : ImVec4(0, 0, kSide, kSide);
    s.x = number(-4, 40) + 0.25f;
    s.y = number(-4, 40);
    s.width = number(1, 14);
    s.height = number(1, 14);
    s.colour = random_();
    s.indices_first = number(0, 4) == 0;
    return s;
  }

  // What happens to panels between frames: something comes, goes, moves or changes its colour.
  void change(std::vector<std::vector<Shape>>& lists) {
    const auto pick = [&](size_t n) { return std::uniform_int_distribution<size_t>(0, n - 1)(random_); };
    const size_t kind = pick(8);
    if (kind == 0 || lists.empty()) return lists.push_back({random_shape(), random_shape()});
    if (kind == 1 && lists.size() > 1) {
      lists.erase(lists.begin() + static_cast<std::ptrdiff_t>(pick(lists.size())));
      return;
    }
    std::vector<Shape>& list = lists[pick(lists.size())];
    const auto at = list.begin() + static_cast<std::ptrdiff_t>(pick(list.size() + 1));
    if (kind < 5 || at == list.end()) {
      list.insert(at, random_shape());
    } else if (kind == 5) {
      list.erase(at);
    } else if (kind == 6) {
      at->colour ^= 0xffu;
    } else {
      at->x += 1.0f;
    }
  }

  FrameDrawer drawer_;  // a context, for the lists
  std::mt19937 random_{20};
  std::vector<std::unique_ptr<ImDrawList>> lists_;
  std::vector<ImDrawList*> pointers_;
  ImDrawData data_;
};

TEST_F(DamageTest, DrawingTheDamageOverThePictureBeforeGivesThePicture) {
  int partial = 0;
  for (int round = 0; round < 60; ++round) {
    PictureMemory memory;
    std::vector<std::vector<Shape>> lists(1 + static_cast<size_t>(round % 3));
    for (auto& list : lists) {
      for (int i = 0; i < 6; ++i) list.push_back(random_shape());
    }
    Picture shown{};
    for (int step = 0; step < 12; ++step) {
      Picture whole{};
      draw(whole, frame(lists));
      ImDrawData& data = frame(lists);
      const Damage damage = memory.update(data, 0, {});
      partial +=
          !damage.empty() && (damage.max.x - damage.min.x) * (damage.max.y - damage.min.y) < 0.5f * kSide * kSide;
      if (!damage.empty()) {
        clear(shown, damage);
        confine(data, damage);
        draw(shown, data);
      }
      ASSERT_EQ(shown, whole) << "round " << round << ", step " << step;
      if (step % 4 != 3) change(lists);  // and sometimes nothing happens
    }
  }
  EXPECT_GT(partial, 150) << "what is named is much less than everything";
}

TEST_F(DamageTest, EqualFramesHaveNone) {
  std::vector<std::vector<Shape>> lists = {{random_shape(), random_shape()}};
  PictureMemory memory;
  EXPECT_FALSE(memory.update(frame(lists), 1, {}).empty());
  EXPECT_TRUE(memory.update(frame(lists), 1, {}).empty());
  lists[0][1].colour ^= 1;
  EXPECT_FALSE(memory.update(frame(lists), 1, {}).empty());
}

TEST_F(DamageTest, AnotherGroundOrSurfaceOrALostPictureIsAllOfIt) {
  const std::vector<std::vector<Shape>> lists = {{random_shape()}};
  const auto is_whole = [](const Damage& d) {
    return d.min.x == 0 && d.min.y == 0 && d.max.x == kSide && d.max.y == kSide;
  };
  PictureMemory memory;
  const std::vector<Ground> ground = {{ImVec2(0, 0), ImVec2(4, 4), 7}};
  EXPECT_TRUE(is_whole(memory.update(frame(lists), 1, {})));
  EXPECT_TRUE(is_whole(memory.update(frame(lists), 2, {}))) << "another theme";
  EXPECT_TRUE(is_whole(memory.update(frame(lists), 2, ground)));
  EXPECT_TRUE(memory.update(frame(lists), 2, ground).empty());
  memory.forget();
  EXPECT_TRUE(is_whole(memory.update(frame(lists), 2, ground)));
  ImDrawData& larger = frame(lists);
  larger.DisplaySize.x = kSide + 1;
  EXPECT_EQ(memory.update(larger, 2, ground).max.x, kSide + 1);
}

// Of the real panels: what an answer that grows, a caret and a button under the mouse change.
TEST_F(DamageTest, AnAnswerThatGrowsChangesItsLastLine) {
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = ImVec2(1280, 800);
  io.DeltaTime = 1.0f / 60.0f;
  name_keys();
  Snapshot snapshot;
  snapshot.ready = snapshot.library.loaded = snapshot.conversation.answering = true;
  const auto question = std::make_shared<MessageView>();
  question->from_user = true;
  question->text = "How long is the warranty?";
  std::string text = "The first paragraph says something.\n\nThe second goes on";
  WindowHooks hooks;
  hooks.post = [](Command) {};
  PictureMemory memory;
  const auto next = [&] {
    auto answer = std::make_shared<MessageView>();
    answer->streaming = true;
    answer->text = text;
    snapshot.conversation.messages = {question, answer};
    if (drawer_.prepare(1.0f, false)) name_atlas_texture();
    ImGui::NewFrame();
    drawer_.draw(snapshot, hooks);
    ImGui::Render();
    drawer_.take_uploads();
    return memory.update(*ImGui::GetDrawData(), drawer_.theme().background, drawer_.window().grounds);
  };
  for (int i = 0; i < 5; ++i) next();
  drawer_.window().focus_question = false;
  text += " with words";
  const Damage damage = next();
  ASSERT_FALSE(damage.empty());
  EXPECT_LT(damage.max.y - damage.min.y, 60.0f);
  EXPECT_GT(damage.min.x, 200.0f) << "the sidebar is as it was";
}

}  // namespace
}  // namespace mneme::ui
