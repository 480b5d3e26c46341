// Questions for what is named by a word of its own kind ("what colour"), of documents in which everything else that the
// question says stands on every page; and apostrophes, however they are written.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "rag/answering/answerer.h"
#include "rag/indexing/indexer.h"
#include "rag/workspace.h"
#include "tests/unit/rag_indexing/plain_workspace.h"
#include "tests/unit/rag_indexing/temporary_folder.h"

namespace mneme::rag {
namespace {

// A story that is about Odile on every page, and says once what her eyes are like.
std::string story(const std::string& said) {
  const char* const subjects[] = {"Odile", "Mathis", "The baker", "Her aunt", "The captain"};
  const char* const deeds[] = {"walked along the harbour", "looked at his eyes",   "waited near the old jetty",
                               "remembered her letter",    "spoke about the boat", "left the white house"};
  const char* const times[] = {"in the morning", "before the storm", "that winter", "without a word"};
  std::string text = "# The house on the dunes\n";
  size_t n = 0;
  for (int chapter = 1; chapter <= 20; ++chapter) {
    text += "\n## Chapter " + std::to_string(chapter) + "\n";
    for (int paragraph = 0; paragraph < 8; ++paragraph) {
      text += "\n";
      for (int sentence = 0; sentence < 9; ++sentence, ++n) {
        if (chapter == 12 && paragraph == 3 && sentence == 4) text += said + " ";
        text += std::string(subjects[n % 5]) + " " + deeds[(n / 5 + n) % 6] + " " + times[(n / 7 + n) % 4] + ". ";
      }
      text += "\n";
    }
  }
  return text;
}

class NamedQuality : public testing::Test {
 protected:
  void index(const std::string& name, const std::string& text) {
    workspace_ = open_plain_workspace(home_.path());
    ASSERT_NE(workspace_, nullptr);
    docs_.write(name, text);
    IndexOptions options;
    options.paths = {docs_.path()};
    options.kv = KvPolicy::kOff;
    ASSERT_TRUE(Indexer(*workspace_).run(options, {}).ok());
  }

  std::string ask(const std::string& question) {
    const auto answer = Answerer(*workspace_).ask(question, {});
    EXPECT_TRUE(answer.ok()) << answer.status().message();
    return answer.ok() ? answer->text : std::string();
  }

  TemporaryFolder home_;
  TemporaryFolder docs_;
  std::unique_ptr<Workspace> workspace_;
};

TEST_F(NamedQuality, IsAnsweredByAWordOfTheKind) {
  index("story.md", story("Odile\u2019s eyes are grey."));
  for (const char* question :
       {"What colour are Odile's eyes?", "What colour are Odile\u2019s eyes?", "What color are Odile's eyes?",
        "Which colour do Odile's eyes have?", "What is the colour of Odile's eyes?", "Are Odile's eyes grey?"}) {
    EXPECT_NE(ask(question).find("eyes are grey"), std::string::npos) << question << " " << ask(question);
  }
}

TEST_F(NamedQuality, IsNotAnsweredByWhatOnlySpeaksOfTheThing) {
  index("story.md", story("Odile closed her eyes."));
  EXPECT_EQ(ask("What colour are Odile's eyes?").find("closed her eyes"), std::string::npos);
}

TEST_F(NamedQuality, ApostrophesAreOneSign) {
  const char* const signs[] = {"'", "\u2018", "\u2019", "\u02bc", "\uff07"};
  int n = 0;
  for (const char* written : signs) {
    const std::string name = "Odil" + std::string(1, static_cast<char>('a' + n++));
    if (workspace_ == nullptr) {
      index(name + ".txt", name + written + "s eyes are grey.\n");
    } else {
      docs_.write(name + ".txt", name + written + "s eyes are grey.\n");
      IndexOptions options;
      options.paths = {docs_.path()};
      options.kv = KvPolicy::kOff;
      ASSERT_TRUE(Indexer(*workspace_).run(options, {}).ok());
    }
    for (const char* asked : signs) {
      const std::string question = "What colour are " + name + asked + "s eyes?";
      EXPECT_NE(ask(question).find(name + written + "s eyes are grey."), std::string::npos) << question;
    }
  }
}

}  // namespace
}  // namespace mneme::rag
