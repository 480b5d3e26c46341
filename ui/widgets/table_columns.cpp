#include "ui/widgets/table_columns.h"

#include <algorithm>

namespace mneme::ui {

std::vector<float> column_widths(std::span<const ColumnNeed> needs, float room) {
  float words = 0.0f;
  float more = 0.0f;  // than the words
  for (const ColumnNeed& need : needs) {
    words += need.word;
    more += std::max(0.0f, need.whole - need.word);
  }
  if (words > room) return {};
  const float share = more > 0.0f ? std::min(1.0f, (room - words) / more) : 0.0f;
  std::vector<float> widths;
  widths.reserve(needs.size());
  for (const ColumnNeed& need : needs) widths.push_back(need.word + share * std::max(0.0f, need.whole - need.word));
  return widths;
}

}  // namespace mneme::ui
