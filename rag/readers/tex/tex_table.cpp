#include "rag/readers/tex/tex_table.h"

#include "rag/readers/tex/tex_cursor.h"

namespace mneme::readers {

std::vector<std::vector<std::string_view>> tex_table_rows(std::string_view content) {
  std::vector<std::vector<std::string_view>> rows(1);
  TexCursor cursor(content);
  size_t begin = 0;
  int depth = 0;  // of braces and environments
  const auto end_cell = [&](size_t end) { rows.back().push_back(content.substr(begin, end - begin)); };
  while (!cursor.done()) {
    const size_t at = cursor.at();
    const char c = cursor.peek();
    if (c == '\\') {
      const std::string_view name = cursor.command();
      if (name == "begin") ++depth;
      if (name == "end") --depth;
      if (depth > 0 || (name != "\\" && name != "tabularnewline")) continue;
      end_cell(at);
      rows.emplace_back();
      if (cursor.peek() == '*') cursor.skip(1);
      if (cursor.peek() == '[') cursor.option();
      begin = cursor.at();
      continue;
    }
    cursor.skip(1);
    if (c == '{') ++depth;
    if (c == '}') --depth;
    if (c != '&' || depth > 0) continue;
    end_cell(at);
    begin = cursor.at();
  }
  end_cell(content.size());
  return rows;
}

}  // namespace mneme::readers
