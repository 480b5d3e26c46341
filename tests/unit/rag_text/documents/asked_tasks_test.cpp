#include "rag/text/documents/asked_tasks.h"

#include <gtest/gtest.h>

namespace mneme::rag {
namespace {

using Which = AskedTasks::Which;

struct Case {
  const char* question;
  Which which;
  const char* topic;
};

void expect_tasks(std::initializer_list<Case> cases) {
  for (const Case& c : cases) {
    const AskedTasks asked = asked_tasks(c.question);
    EXPECT_TRUE(asked.is_asked) << c.question;
    EXPECT_EQ(static_cast<int>(asked.which), static_cast<int>(c.which)) << c.question;
    EXPECT_EQ(asked.topic, c.topic) << c.question;
  }
}

TEST(AskedTasks, AreOpenDoneOrAll) {
  expect_tasks({{"What are my open tasks?", Which::kOpen, ""},
                {"show me my to-do list", Which::kOpen, ""},
                {"list all tasks", Which::kAll, ""},
                {"List all open tasks", Which::kOpen, ""},
                {"Which tasks are done?", Which::kDone, ""},
                {"What have I finished?", Which::kDone, ""},
                {"What is left to do?", Which::kOpen, ""},
                {"Which action items are still open?", Which::kOpen, ""},
                {"todo", Which::kOpen, ""},
                {"What do I still have to do?", Which::kOpen, ""}});
}

TEST(AskedTasks, AreOfAMatter) {
  expect_tasks({{"What is still to do for the flat?", Which::kOpen, "flat"},
                {"todo flat", Which::kOpen, "flat"},
                {"garden tasks", Which::kOpen, "garden"},
                {"What did I finish in the garden?", Which::kDone, "garden"},
                {"Which tasks are left for the new office?", Which::kOpen, "new office"},
                {"What do I need to do before the holiday?", Which::kOpen, "before the holiday"},
                {"Is there anything left to do in the cellar?", Which::kOpen, "cellar"},
                {"What are Anna's action items?", Which::kOpen, "Anna"}});
}

TEST(AskedTasks, AreAskedForInEveryLanguage) {
  expect_tasks({{"Was muss ich noch für die Wohnung erledigen?", Which::kOpen, "Wohnung"},
                {"Welche Aufgaben sind noch offen?", Which::kOpen, ""},
                {"Welche Aufgaben im Garten sind erledigt?", Which::kDone, "Garten"},
                {"Quelles tâches restent à faire ?", Which::kOpen, ""},
                {"Qu'est-ce qu'il reste à faire pour le jardin ?", Which::kOpen, "jardin"},
                {"¿Qué tareas tengo pendientes?", Which::kOpen, ""},
                {"¿Qué me queda por hacer en el jardín?", Which::kOpen, "jardín"},
                {"Cosa devo ancora fare per il giardino?", Which::kOpen, "giardino"},
                {"O que falta fazer no jardim?", Which::kOpen, "jardim"},
                {"Wat moet ik nog doen voor de tuin?", Which::kOpen, "tuin"},
                {"Co zostało do zrobienia w ogrodzie?", Which::kOpen, "ogrodzie"},
                {"Vad har jag kvar att göra i trädgården?", Which::kOpen, "trädgården"},
                {"Hvad mangler jeg at gøre i haven?", Which::kOpen, "haven"},
                {"Hva gjenstår å gjøre i hagen?", Which::kOpen, "hagen"},
                {"Mitä minun pitää vielä tehdä?", Which::kOpen, ""},
                {"Co ještě musím udělat?", Which::kOpen, ""},
                {"Milyen feladataim vannak?", Which::kOpen, ""},
                {"Ce mai am de făcut în grădină?", Which::kOpen, "grădină"},
                {"Що ще потрібно зробити?", Which::kOpen, ""},
                {"Что осталось сделать в саду?", Which::kOpen, "саду"},
                {"Hangi görevler tamamlanmış?", Which::kDone, ""},
                {"ما هي المهام المفتوحة؟", Which::kOpen, ""},
                {"我还有什么要做？", Which::kOpen, ""},
                {"未完成的任务有哪些？", Which::kOpen, ""},
                {"完了したタスクは何ですか？", Which::kDone, ""},
                {"남은 할 일은 무엇인가요?", Which::kOpen, ""}});
}

TEST(AskedTasks, OtherQuestionsAskForNone) {
  for (const char* question :
       {"", "How do I do a backup?", "What do I have to do to cancel the contract?", "When is the task due?",
        "Who does the tasks of the treasurer in her absence and why?", "What does Anna do?",
        "What is the open source licence?", "Was ist ein Aufgabenplan?", "What did the council do?",
        "How to do a factory reset?", "登月任务的指挥官叫什么名字，他是哪里人？"})
    EXPECT_FALSE(asked_tasks(question).is_asked) << question << ": " << asked_tasks(question).topic;
}

TEST(AskedTasks, HeadingsUnderWhichThingsAreToBeDone) {
  for (const char* text : {"Action items:", "To do", "TODO", "Offene Punkte", "À faire", "待办事项", "やること"})
    EXPECT_TRUE(is_task_heading(text)) << text;
  for (const char* text : {"", "Next", "Garden", "What is to be done about it in the years that come", "Protokoll"})
    EXPECT_FALSE(is_task_heading(text)) << text;
}

}  // namespace
}  // namespace mneme::rag
