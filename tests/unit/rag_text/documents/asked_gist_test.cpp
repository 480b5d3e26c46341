#include "rag/text/documents/asked_gist.h"

#include <gtest/gtest.h>

namespace mneme::rag {
namespace {

TEST(AskedGist, TheDocumentInTheQuestionsWords) {
  struct Case {
    const char* question;
    const char* document;
  };
  for (const Case& c :
       {Case{"What is the lease about?", "lease"}, Case{"What's PEP 484 all about?", "PEP 484"},
        Case{"What does PEP 20 say?", "PEP 20"},
        Case{"Can you please summarize the rental contract for me in three sentences?", "rental contract"},
        Case{"summary of my notes on tides", "notes on tides"},
        Case{"Give me a short summary of Moby-Dick", "Moby-Dick"}, Case{"lease summary", "lease"},
        Case{"summary lease", "lease"}, Case{"quick overview my lease please", "lease"},
        Case{"zusammenfassung mietvertrag", "mietvertrag"}, Case{"resumen contrato", "contrato"},
        Case{"Worum geht es in dem Brief der Bank?", "Brief der Bank"},
        Case{"Fasse den Mietvertrag bitte kurz zusammen", "Mietvertrag"},
        Case{"De quoi parle le rapport annuel ?", "rapport annuel"}, Case{"¿De qué trata el informe?", "informe"},
        Case{"请总结一下租赁合同。", "租赁合同"}, Case{"年度报告的主要内容？", "年度报告"},
        Case{"契約書を要約してください。", "契約書"}}) {
    const AskedGist gist = asked_gist(c.question);
    EXPECT_TRUE(gist.is_asked) << c.question;
    EXPECT_EQ(gist.document, c.document) << c.question;
  }
}

TEST(AskedGist, TheOneAtHand) {
  for (const char* question : {"Summarize this", "What is it about?", "Please summarise the document.",
                               "What is this document about?", "Fasse es zusammen", "总结这份文件"}) {
    const AskedGist gist = asked_gist(question);
    EXPECT_TRUE(gist.is_asked && gist.document.empty()) << question << " " << gist.document;
  }
}

TEST(AskedGist, OtherQuestionsAskForNone) {
  for (const char* question :
       {"", "What is a lease?", "What does PEP 8 say about line length?", "Summarize what PEP 8 says about names",
        "What is the best thing about Rust?  Speed?", "What does section 7.3 say?", "How do I summarize a table?",
        "Was steht in Anhang B?", "What is about?"}) {
    EXPECT_FALSE(asked_gist(question).is_asked) << question << " " << asked_gist(question).document;
  }
}

TEST(AskedGist, InEveryLanguage) {
  struct Case {
    const char* question;
    const char* document;
  };
  for (const Case& c : {Case{"What is the contract about?", "contract"},
                        Case{"Worum geht es im Vertrag?", "Vertrag"},
                        Case{"De quoi parle le contrat ?", "contrat"},
                        Case{"¿De qué trata el contrato?", "contrato"},
                        Case{"Di cosa parla il contratto?", "contratto"},
                        Case{"Do que trata o contrato?", "contrato"},
                        Case{"Waar gaat het contract over?", "contract"},
                        Case{"Vad handlar avtalet om?", "avtalet"},
                        Case{"Hvad handler kontrakten om?", "kontrakten"},
                        Case{"Hva handler kontrakten om?", "kontrakten"},
                        Case{"O czym jest umowa?", "umowa"},
                        Case{"O čem je smlouva?", "smlouva"},
                        Case{"Про що договір?", "договір"},
                        Case{"О чём договор?", "договор"},
                        Case{"Sözleşme ne hakkında?", "Sözleşme"},
                        Case{"Despre ce este contractul?", "contractul"},
                        Case{"Miről szól a szerződés?", "szerződés"},
                        Case{"Mistä sopimus kertoo?", "sopimus"},
                        Case{"عن ماذا يتحدث العقد؟", "العقد"},
                        Case{"계약서는 무슨 내용이야?", "계약서"},
                        Case{"合同讲了什么？", "合同"},
                        Case{"契約書は何について書かれていますか？", "契約書"}}) {
    const AskedGist gist = asked_gist(c.question);
    EXPECT_TRUE(gist.is_asked) << c.question;
    EXPECT_EQ(gist.document, c.document) << c.question;
  }
}

// In Spanish it would.
TEST(AskedGist, AnEnglishResumeIsNoSummary) {
  EXPECT_FALSE(asked_gist("the resume of Anna").is_asked);
  EXPECT_EQ(asked_gist("resume el contrato").document, "contrato");
  EXPECT_EQ(asked_gist("Résume le bail").document, "bail");
}

}  // namespace
}  // namespace mneme::rag
