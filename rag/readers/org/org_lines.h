// What one line of an Org-mode file is: a headline, a keyword, the bullet of an item. Internal to rag/readers. Threads:
// pure functions.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace mneme::readers {

// Words of a file that say how far a task is: "TODO", "DONE", and what "#+TODO: NEXT | CANCELLED(c@)" names.
class OrgTodoWords {
 public:
  OrgTodoWords();
  void take(std::string_view value);
  bool has(std::string_view word) const { return words_.contains(word); }

 private:
  std::set<std::string, std::less<>> words_;
};

struct OrgHeadline {
  int level = 0;  // 0: the line is none
  std::string_view todo;
  std::string_view priority;  // "A"
  std::string_view title;
  std::string_view tags;  // ":home:urgent:"
  bool is_comment = false;
};
OrgHeadline org_headline(std::string_view line, const OrgTodoWords& todo_words);

// "#+TITLE: ..." and "#+begin_src sh": the name in lower case, and what stands behind it; an empty name: the line is
// none.
struct OrgKeyword {
  std::string name;
  std::string_view value;
  bool opens_block = false;  // "begin_src": name "src"
  bool closes_block = false;
};
OrgKeyword org_keyword(std::string_view trimmed);

// "- [X] term :: what it is", without white space before it.
struct OrgBullet {
  size_t size = 0;          // bytes of bullet and spaces; 0: the line is no item
  std::string_view marker;  // "-" or "3."
};
OrgBullet org_bullet(std::string_view trimmed, size_t indent);

// ":LOGBOOK:" gives "LOGBOOK"; "" for other lines.
std::string_view org_drawer(std::string_view trimmed);

// Cells of a row of a table; none for the rule between rows and for what only says how wide columns are.
std::vector<std::string_view> org_cells(std::string_view trimmed);

}  // namespace mneme::readers
