#include "rag/text/asked/plain_question.h"

#include <gtest/gtest.h>

namespace mneme::rag {
namespace {

struct Case {
  const char* request;
  const char* question;
};

TEST(PlainQuestion, OfRequestsInEnglish) {
  for (const Case& c :
       {Case{"Tell me when the rent is due.", "When the rent is due?"},
        Case{"Can you tell me how much it costs?", "How much it costs?"},
        Case{"tell me the capital of Mongolia", "What is the capital of Mongolia?"},
        Case{"Define inflation", "What is inflation?"},
        Case{"Please explain the concept of opportunity cost", "What is opportunity cost?"},
        Case{"Explain why the sky is blue", "Why the sky is blue?"},
        Case{"Explain the borrow checker to me", "What is the borrow checker?"},
        Case{"Tell me about inflation", "What is inflation?"}, Case{"Describe Box<T>", "What is Box<T>?"},
        Case{"Give me the address of the bank, please", "What is the address of the bank?"},
        Case{"Name the ingredients of the cake", "What are the ingredients of the cake?"},
        Case{"Find the phone number of the bank", "What is the phone number of the bank?"},
        Case{"List the steps to bake bread", "How do I bake bread?"},
        Case{"list the ingredients of guacamole", "What are the ingredients of guacamole?"}})
    EXPECT_EQ(plain_question(c.request), c.question);
}

TEST(PlainQuestion, ApostrophesAreOftenNotTyped) {
  EXPECT_EQ(plain_question("whats the booking code"), "what's the booking code");
  EXPECT_EQ(plain_question("who didnt attend the board meeting"), "Who was absent from the board meeting?");
  EXPECT_EQ(plain_question("Wo ist das Boot?"), "Wo ist das Boot?");
}

TEST(PlainQuestion, WhoWasNotThereWasAbsent) {
  for (const Case& c : {Case{"who did not come to the board meeting", "Who was absent from the board meeting?"},
                        Case{"Who missed the May meeting?", "Who was absent from the May meeting?"},
                        Case{"Wer kam nicht zur Sitzung?", "Wer fehlte bei Sitzung?"},
                        Case{"Quién no vino a la reunión?", "¿Quién estuvo ausente en la reunión?"},
                        Case{"Wie was er niet bij de vergadering?", "Wie was afwezig bij de vergadering?"}})
    EXPECT_EQ(plain_question(c.request), c.question);
}

TEST(PlainQuestion, OfRequestsInOtherLanguages) {
  for (const Case& c :
       {Case{"Erkläre mir Inflation", "Was ist Inflation?"},
        Case{"Sag mir, wann die Miete fällig ist", "Wann die Miete fällig ist?"},
        Case{"Nenne mir die Adresse der Bank", "Was ist die Adresse der Bank?"},
        Case{"Explique l'inflation", "Qu'est-ce que l'inflation ?"},
        Case{"Donne-moi le prix du vélo", "Quel est le prix du vélo ?"},
        Case{"Dime cuándo vence el alquiler", "Cuándo vence el alquiler?"},
        Case{"Dammi il prezzo della bici", "Qual è il prezzo della bici?"},
        Case{"Объясни инфляцию", "Что такое инфляцию?"}, Case{"请告诉我房租什么时候付？", "房租什么时候付？"},
        Case{"解释一下通货膨胀", "通货膨胀是什么？"}, Case{"家賃を教えてください。", "家賃は？"}})
    EXPECT_EQ(plain_question(c.request), c.question);
}

TEST(PlainQuestion, OtherwiseAsItIs) {
  for (const char* question :
       {"", "When is the rent due?", "Find large files", "List installed packages", "List the contents of a folder",
        "list the files of the project", "Show me the invoice of ACME", "Give me a summary",
        "Show me the logs of the container", "Compare kill with killall", "name", "Tell me about", "Tell me",
        "How do I define a function?", "find the files of the user", "What do I need?", "总结一下租赁合同"})
    EXPECT_EQ(plain_question(question), question);
}

}  // namespace
}  // namespace mneme::rag
