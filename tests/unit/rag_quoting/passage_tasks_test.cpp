#include "rag/quoting/passage_tasks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mneme::rag {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// "Garden: [x] sow tomatoes", each as a line of its own.
std::vector<std::string> tasks_in(std::string_view text, TextForm form = TextForm::kProse) {
  std::vector<std::string> told;
  for (const PassageTask& task : tasks_of(PassageOutline(text, "", "", form))) {
    EXPECT_LT(task.byte_begin, task.byte_end);
    EXPECT_LE(task.byte_end, text.size());
    told.push_back((task.under.empty() ? "" : task.under + ": ") + (task.done ? "[x] " : "[ ] ") + task.text);
  }
  return told;
}

TEST(PassageTasks, LinesWithABoxUnderTheirHeadings) {
  EXPECT_THAT(tasks_in("# Flat\n\n- [ ] Descale the kettle\n- [x] Call the landlord. He is away in May.\n- a chair\n\n"
                       "# Garden\n\n1. [X] Sow tomatoes\n2. [ ] Prune the tree\n"),
              ElementsAre("Flat: [ ] Descale the kettle", "Flat: [x] Call the landlord. He is away in May.",
                          "Garden: [x] Sow tomatoes", "Garden: [ ] Prune the tree"));
}

TEST(PassageTasks, EveryLineOfATodoTxtIsOne) {
  std::vector<std::string> told;
  for (const PassageTask& task : tasks_in_lines("(A) call the bank\nrenew the passport +travel\nx 2031-03-05 pay\n\n"))
    told.push_back((task.done ? "[x] " : "[ ] ") + task.text);
  EXPECT_THAT(told, ElementsAre("[ ] call the bank", "[ ] renew the passport +travel", "[x] 2031-03-05 pay"));
  EXPECT_TRUE(has_tasks_in_lines("/home/ann/todo.txt"));
  EXPECT_FALSE(has_tasks_in_lines("/home/todo.txt/notes.txt"));
}

TEST(PassageTasks, LinesOfTodoTxtAndOfDiaries) {
  EXPECT_THAT(tasks_in("(A) Call the dentist +health\nx 2031-03-05 Pay the dog licence\n"),
              ElementsAre("[ ] Call the dentist +health", "[x] 2031-03-05 Pay the dog licence"));
  EXPECT_THAT(tasks_in("We met at noon.\n\nTODO: ask Petra for the recipe\n"),
              ElementsAre("[ ] ask Petra for the recipe"));
}

TEST(PassageTasks, EntriesWithAStatus) {
  EXPECT_THAT(
      tasks_in("Book the ferry\n\n- Status: TODO\n- Deadline: 2 May 2031\n\nRenew passports\n\n- Status: DONE\n\n"
               "Choir\n\n- Status: confirmed\n\nLibrary card\n\n- Due: 10 April\n- Status: needs action\n"),
      ElementsAre("[ ] Book the ferry (Deadline: 2 May 2031)", "[x] Renew passports",
                  "[ ] Library card (Due: 10 April)"));
}

TEST(PassageTasks, ListsThatAreCalledSo) {
  EXPECT_THAT(
      tasks_in("Present: Anna, Jonas\n\nWe spoke of the move.\n\nAction items:\n- Anna: get three quotes\n- Jonas: "
               "cancel the contract\n"),
      ElementsAre("[ ] Anna: get three quotes", "[ ] Jonas: cancel the contract"));
  EXPECT_THAT(tasks_in("# Offene Punkte\n\n- Angebot einholen\n- [x] Raum buchen\n"),
              ElementsAre("[ ] Angebot einholen", "[x] Raum buchen"));
}

TEST(PassageTasks, OtherTextHasNone) {
  EXPECT_THAT(tasks_in(""), IsEmpty());
  EXPECT_THAT(tasks_in("# Packing list\n\n- a tent\n- two mats\n\nTODOS os santos. Status: TODO\n"), IsEmpty());
  EXPECT_THAT(tasks_in("// TODO: free this\nint x;\n", TextForm::kSource), IsEmpty());
}

}  // namespace
}  // namespace mneme::rag
