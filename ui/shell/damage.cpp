#include "ui/shell/damage.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <span>

namespace mneme::ui {
namespace {

// Holds no point; grows with each that is added.
Damage nothing() {
  return {{FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX}};
}

void add_point(Damage& damage, ImVec2 p) {
  damage.min = {std::min(damage.min.x, p.x), std::min(damage.min.y, p.y)};
  damage.max = {std::max(damage.max.x, p.x), std::max(damage.max.y, p.y)};
}

Damage of_clip(const ImVec4& clip) {
  return {{clip.x, clip.y}, {clip.z, clip.w}};
}

template <typename T>
bool same_bytes(std::span<const T> a, std::span<const T> b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0);
}

bool same(const ImVec2& a, const ImVec2& b) {
  return a.x == b.x && a.y == b.y;
}
bool same(const ImVec4& a, const ImVec4& b) {
  return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w;
}
bool same(const ImDrawVert& a, const ImDrawVert& b) {
  return same(a.pos, b.pos) && same(a.uv, b.uv) && a.col == b.col;
}

}  // namespace

void Damage::add(const Damage& other) {
  if (other.empty()) return;
  if (empty()) {
    *this = other;
    return;
  }
  add_point(*this, other.min);
  add_point(*this, other.max);
}

Damage Damage::within(const Damage& other) const {
  return {{std::max(min.x, other.min.x), std::max(min.y, other.min.y)},
          {std::min(max.x, other.max.x), std::min(max.y, other.max.y)}};
}

void PictureMemory::List::copy(const ImDrawList& list) {
  vertices.assign(list.VtxBuffer.begin(), list.VtxBuffer.end());
  indices.assign(list.IdxBuffer.begin(), list.IdxBuffer.end());
  commands.clear();
  for (const ImDrawCmd& command : list.CmdBuffer) {
    if (command.ElemCount == 0 && command.UserCallback == nullptr) continue;
    commands.push_back({command.ClipRect, command.GetTexID(), command.IdxOffset, command.ElemCount,
                        command.VtxOffset == 0 && command.UserCallback == nullptr});
  }
}

bool PictureMemory::List::operator==(const List& other) const {
  const auto same_command = [](const Command& a, const Command& b) {
    return same(a.clip, b.clip) && a.texture == b.texture && a.first_index == b.first_index &&
           a.n_indices == b.n_indices && a.plain == b.plain;
  };
  return same_bytes<ImDrawVert>(vertices, other.vertices) && same_bytes<ImDrawIdx>(indices, other.indices) &&
         std::equal(commands.begin(), commands.end(), other.commands.begin(), other.commands.end(), same_command);
}

Damage PictureMemory::List::clip() const {
  Damage all;
  for (const Command& command : commands) all.add(of_clip(command.clip));
  return all;
}

// As far as any of it reaches.
Damage PictureMemory::List::extent() const {
  Damage all = nothing();
  for (const ImDrawVert& vertex : vertices) add_point(all, vertex.pos);
  return all.within(clip());
}

// Two lists without what both begin and end with. Indices behind the change count on from where it ends.
struct PictureMemory::Difference {
  Difference(const List& before, const List& now);

  // Whether every triangle that is in both is clipped and textured in both as in the other.
  bool commands_match() const;
  // All that triangles in one of them alone, or at vertices of one of them alone, cover.
  Damage covered() const;

 private:
  static Damage covered(const List& list, size_t first_vertex, size_t end_vertex, size_t first_index, size_t end_index);

  const List& before_;
  const List& now_;
  size_t vertex_ = 0;        // the first that differs
  size_t vertices_end_ = 0;  // how many are the same at the end
  size_t index_ = 0;
  size_t indices_end_ = 0;
};

PictureMemory::Difference::Difference(const List& before, const List& now) : before_(before), now_(now) {
  const size_t n_old = before.vertices.size();
  const size_t n_new = now.vertices.size();
  const size_t shared = std::min(n_old, n_new);
  while (vertex_ < shared && same(before.vertices[vertex_], now.vertices[vertex_])) ++vertex_;
  while (vertices_end_ < shared - vertex_ &&
         same(before.vertices[n_old - 1 - vertices_end_], now.vertices[n_new - 1 - vertices_end_]))
    ++vertices_end_;
  const size_t i_old = before.indices.size();
  const size_t i_new = now.indices.size();
  const size_t shared_indices = std::min(i_old, i_new);
  // Where vertices have moved, only those in front of the change, or behind it, are known by their numbers.
  const bool moved = n_old != n_new;
  while (index_ < shared_indices && before.indices[index_] == now.indices[index_] &&
         (!moved || now.indices[index_] < vertex_))
    ++index_;
  index_ -= index_ % 3;  // whole triangles
  const auto same_behind = [&](size_t a, size_t b) {
    return moved ? a >= n_old - vertices_end_ && n_old - a == n_new - b : a == b;
  };
  while (indices_end_ < shared_indices - index_ &&
         same_behind(before.indices[i_old - 1 - indices_end_], now.indices[i_new - 1 - indices_end_]))
    ++indices_end_;
  indices_end_ -= indices_end_ % 3;
}

bool PictureMemory::Difference::commands_match() const {
  if (before_.commands.size() != now_.commands.size()) return false;
  const size_t old_end = before_.indices.size() - indices_end_;
  const size_t new_end = now_.indices.size() - indices_end_;
  for (size_t k = 0; k < now_.commands.size(); ++k) {
    const Command& a = before_.commands[k];
    const Command& b = now_.commands[k];
    if (!a.plain || !b.plain || !same(a.clip, b.clip) || a.texture != b.texture) return false;
    // Where the command begins: before the change, behind it, or within it in both.
    const bool in_front = a.first_index == b.first_index && a.first_index <= index_;
    const bool behind = a.first_index >= old_end && a.first_index - old_end == b.first_index - new_end;
    const bool inside =
        a.first_index >= index_ && a.first_index <= old_end && b.first_index >= index_ && b.first_index <= new_end;
    if (!in_front && !behind && !inside) return false;
  }
  return true;
}

Damage PictureMemory::Difference::covered(const List& list, size_t first_vertex, size_t end_vertex, size_t first_index,
                                          size_t end_index) {
  Damage all = nothing();
  for (size_t i = 0; i + 2 < list.indices.size(); i += 3) {
    bool differs = i >= first_index && i < end_index;
    for (size_t k = i; k < i + 3; ++k)
      differs = differs || (list.indices[k] >= first_vertex && list.indices[k] < end_vertex);
    if (!differs) continue;
    for (size_t k = i; k < i + 3; ++k) {
      if (list.indices[k] < list.vertices.size()) add_point(all, list.vertices[list.indices[k]].pos);
    }
  }
  return all.within(list.clip());
}

Damage PictureMemory::Difference::covered() const {
  Damage all =
      covered(before_, vertex_, before_.vertices.size() - vertices_end_, index_, before_.indices.size() - indices_end_);
  all.add(covered(now_, vertex_, now_.vertices.size() - vertices_end_, index_, now_.indices.size() - indices_end_));
  return all;
}

Damage PictureMemory::difference(const List& before, const List& now) {
  if (before == now) return {};
  const Difference difference(before, now);
  if (difference.commands_match()) return difference.covered();
  Damage all = before.extent();
  all.add(now.extent());
  return all;
}

bool PictureMemory::same_surface(const ImDrawData& data, ImU32 background, const std::vector<Ground>& grounds) const {
  const auto same_ground = [](const Ground& a, const Ground& b) {
    return a.min.x == b.min.x && a.min.y == b.min.y && a.max.x == b.max.x && a.max.y == b.max.y && a.colour == b.colour;
  };
  return surface_.min.x == data.DisplayPos.x && surface_.min.y == data.DisplayPos.y &&
         surface_.max.x == data.DisplayPos.x + data.DisplaySize.x &&
         surface_.max.y == data.DisplayPos.y + data.DisplaySize.y && scale_.x == data.FramebufferScale.x &&
         scale_.y == data.FramebufferScale.y && background_ == background &&
         std::equal(grounds_.begin(), grounds_.end(), grounds.begin(), grounds.end(), same_ground);
}

Damage PictureMemory::update(const ImDrawData& data, ImU32 background, const std::vector<Ground>& grounds) {
  const bool whole = !known_ || !same_surface(data, background, grounds);
  known_ = true;
  surface_ = {data.DisplayPos, {data.DisplayPos.x + data.DisplaySize.x, data.DisplayPos.y + data.DisplaySize.y}};
  scale_ = data.FramebufferScale;
  background_ = background;
  grounds_ = grounds;
  Damage all;
  const size_t n_now = static_cast<size_t>(data.CmdListsCount);
  const size_t n_before = lists_.size();
  lists_.resize(std::max(n_now, n_before));
  for (size_t i = 0; i < lists_.size(); ++i) {
    if (i < n_now) {
      now_.copy(*data.CmdLists[static_cast<int>(i)]);
    } else {
      now_ = {};
    }
    if (!whole) all.add(difference(lists_[i], now_));
    std::swap(lists_[i], now_);
  }
  lists_.resize(n_now);
  if (whole) return surface_;
  if (all.empty()) return {};
  // Letters and lines are smooth: whole pixels, and one more.
  all.min = {std::floor(all.min.x) - 1.0f, std::floor(all.min.y) - 1.0f};
  all.max = {std::ceil(all.max.x) + 1.0f, std::ceil(all.max.y) + 1.0f};
  return all.within(surface_);
}

void confine(ImDrawData& data, const Damage& damage) {
  int kept = 0;
  for (int i = 0; i < data.CmdListsCount; ++i) {
    bool seen = false;
    for (ImDrawCmd& command : data.CmdLists[i]->CmdBuffer) {
      const Damage part = of_clip(command.ClipRect).within(damage);
      command.ClipRect = part.empty() ? ImVec4() : ImVec4(part.min.x, part.min.y, part.max.x, part.max.y);
      seen = seen || !part.empty();
    }
    if (seen) data.CmdLists[kept++] = data.CmdLists[i];
  }
  data.CmdListsCount = kept;
#if IMGUI_VERSION_NUM >= 18980
  data.CmdLists.resize(kept);  // what renderers go through since then
#endif
}

}  // namespace mneme::ui
