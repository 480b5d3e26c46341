#include "rag/text/asked/contact.h"

#include <gtest/gtest.h>

namespace mneme::rag {
namespace {

TEST(AskedContactTest, NumbersAndAddressesAreAskedForByName) {
  EXPECT_EQ(asked_contact("What is the plumber's phone number?"), Contact::kTelephone);
  EXPECT_EQ(asked_contact("which number do I ring when it leaks"), Contact::kTelephone);
  EXPECT_EQ(asked_contact("plumber phone"), Contact::kTelephone);
  EXPECT_EQ(asked_contact("王师傅的电话是多少？"), Contact::kTelephone);
  for (const char* question : {"wen rufe ich bei einer panne an", "numéro de l'assistance auto",
                               "telefono asistencia en carretera, que numero", "телефон аварийной службы",
                               "رقم المصعد اذا تعطل", "粗大ごみの電話番号"}) {
    EXPECT_EQ(asked_contact(question), Contact::kTelephone) << question;
  }
  for (const char* question : {"numéro de contrat de l'assurance", "quel est le numéro de la carte d'identité",
                               "quel numéro de bus pour l'hôpital", "qué número de vuelo tengo", "какой номер паспорта",
                               "ما رقم جواز السفر", "numero della targa"}) {
    EXPECT_EQ(asked_contact(question), Contact::kNone) << question;
  }
  EXPECT_EQ(asked_contact("三月电话费多少"), Contact::kNone);
  EXPECT_EQ(asked_contact("What is the choir's email?"), Contact::kMail);
  EXPECT_EQ(asked_contact("What is the policy number?"), Contact::kNone);
  EXPECT_EQ(asked_contact("Which phone do I have?"), Contact::kNone);
  EXPECT_EQ(asked_contact("How do I parse a phone number?"), Contact::kNone);
}

TEST(AskedContactTest, ATelephoneNumberIsNoOtherNumber) {
  for (const char* sentence : {"Ring 0345 600 0199.", "Call +49 (0)851 44-120", "王师傅，电话 138-0000-4521。"}) {
    EXPECT_TRUE(holds_contact(Contact::kTelephone, sentence)) << sentence;
  }
  for (const char* sentence : {"Policy HM-7731-0428", "Buildings £420,000", "2026-04-09", "from 2024-2029",
                               "in 14 days", "Account 1234 5678 9012 3456 7890", "It is 1234567.50 in all."}) {
    EXPECT_FALSE(holds_contact(Contact::kTelephone, sentence)) << sentence;
  }
  EXPECT_TRUE(holds_contact(Contact::kMail, "Write to office@club.example."));
  EXPECT_FALSE(holds_contact(Contact::kMail, "Apples @ 2 euros."));
}

TEST(AskedContactTest, AShortNumberIsOneToCall) {
  EXPECT_TRUE(holds_short_number("In an emergency dial 112."));
  EXPECT_FALSE(holds_short_number("My plumber could come on 2 April."));
  EXPECT_FALSE(holds_short_number("Call the office."));
}

}  // namespace
}  // namespace mneme::rag
