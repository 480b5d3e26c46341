// What there is to do is listed from all documents, newest first.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>

#include "tests/unit/rag_answering/asked_home.h"

namespace mneme::rag {
namespace {

class TaskAnswerTest : public AskedHome {
 protected:
  void SetUp() override {
    AskedHome::SetUp();
    write("flat.md", "# Flat\n\n- [ ] Descale the kettle\n- [x] Call the landlord\n", 2);
    write("garden.md", "# Garden\n\nThe beds are dug.\n\n- [x] Sow tomatoes\n- [x] Mend the fence\n", 1);
    write("steps.md", "# Cancelling\n\nTo cancel the contract, write a letter. It takes two weeks.\n", 0);
  }

  void write(const char* name, const std::string& text, int hours_ago) {
    docs_.write(name, text);
    const auto now = std::filesystem::last_write_time(docs_.path() + "/" + name);
    std::filesystem::last_write_time(docs_.path() + "/" + name, now - std::chrono::hours(hours_ago));
  }
};

TEST_F(TaskAnswerTest, OpenDoneAndAll) {
  index_all();
  const Answer open = ask({"What are my open tasks?"});
  EXPECT_EQ(open.text, "Flat: Descale the kettle [1]");
  ASSERT_EQ(open.citations.size(), 1U);
  ASSERT_EQ(open.citations[0].quotes.size(), 1U);
  EXPECT_EQ(open.citations[0].source.title, "Flat");
  EXPECT_EQ(ask({"Which tasks are done?"}).text,
            "Garden: Sow tomatoes [1]\nGarden: Mend the fence [1]\nFlat: Call the landlord [2]");
  EXPECT_EQ(ask({"list all tasks for the flat"}).text,
            "Flat: [ ] Descale the kettle [1]\nFlat: [x] Call the landlord [1]");
}

TEST_F(TaskAnswerTest, WhereNothingIsOpenAnyMoreThatIsSaid) {
  index_all();
  const Answer answer = ask({"Was ist im Garden noch zu tun?"});
  EXPECT_EQ(answer.text, "Garden: [x] Sow tomatoes [1]\nGarden: [x] Mend the fence [1]");
  ASSERT_EQ(answer.notes.size(), 1U);
  EXPECT_EQ(answer.notes[0], "Davon ist nichts mehr offen");
}

TEST_F(TaskAnswerTest, AMatterWithoutTasksIsAQuestionLikeOthers) {
  index_all();
  EXPECT_NE(ask({"What do I need to do for cancelling the contract?"}).text.find("write a letter"), std::string::npos);
}

TEST_F(TaskAnswerTest, ManyAreCutOffAndCopiesLeftOut) {
  std::string many = "# Move\n\n";
  for (int i = 0; i < 30; ++i) many += "- [ ] Carry box " + std::to_string(i) + "\n";
  write("move.md", many, 3);
  write("copy of move.md", many, 4);
  index_all();
  const Answer answer = ask({"What is left to do for the move?"});
  EXPECT_EQ(std::count(answer.text.begin(), answer.text.end(), '\n'), 19);
  ASSERT_EQ(answer.notes.size(), 1U);
  EXPECT_EQ(answer.notes[0], "20 of 30 tasks");
}

}  // namespace
}  // namespace mneme::rag
