// Options from the environment and config.toml: which of several values counts, and for which command one is meant.
#include "app/cli/option_filling.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <set>

#include "app/cli/command_line.h"
#include "app/command_list.h"
#include "app/config/settings.h"
#include "app/context.h"

namespace mneme::app {
namespace {

class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) { ::setenv(name, value, 1); }
  ~Variable() { ::unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
};

// Two made-up commands whose options share names.
struct Arguments {
  std::string text;
  std::optional<std::string> prompt;
  std::optional<std::string> prompt_file;
  bool again = false;
  bool no_again = false;
  bool once = false;
  std::string when = "later";
  std::string how = "fast";
  double share = 0.5;
  std::vector<double> shares;
};

Status parse(Arguments& arguments, std::vector<const char*> words, const char* toml = "") {
  CommandLine line("about", "mneme 1");
  Command write = line.root().subcommand("write", "Write");
  write.positional("TEXT", arguments.text, "text", Presence::kOptional);
  write.option("--prompt TEXT", arguments.prompt, "prompt");
  write.option("--prompt-file FILE", arguments.prompt_file, "prompt");
  write.exclusive({"TEXT", "--prompt", "--prompt-file"});
  write.flag("--again", arguments.again, "again");
  write.flag("--no-again", arguments.no_again, "not again");
  write.exclusive({"--again", "--no-again"});
  write.flag_for_one_run("--once", arguments.once, "once");
  write.choice("--when", arguments.when, {"now", "later"}, "when");
  write.number("--share R", arguments.share, 0, 1, "share");
  write.action([](Context&) -> Result<ExitCode> { return ExitCode::kDone; });
  Command measure = line.root().subcommand("measure", "Measure");
  measure.choice("--when", arguments.how, {"fast", "slow"}, "how");
  measure.list("--share R,R", arguments.shares, 0, 1, "shares");
  measure.action([](Context&) -> Result<ExitCode> { return ExitCode::kDone; });
  words.insert(words.begin(), "mneme");
  const Result<Settings> settings = Settings::parse(toml, "config.toml");
  return line.parse(static_cast<int>(words.size()), words.data(), *settings).status();
}

TEST(OptionFillingTest, WhatTheCommandLineSaysOtherwiseIsNotFilled) {
  const Variable again("MNEME_NO_AGAIN", "true");
  Arguments arguments;
  ASSERT_TRUE(parse(arguments, {"write", "--again"}).ok());
  EXPECT_TRUE(arguments.again);
  EXPECT_FALSE(arguments.no_again);
  const Variable prompt("MNEME_PROMPT", "from outside");
  Arguments named;
  ASSERT_TRUE(parse(named, {"write", "--prompt-file", "a.txt"}).ok());
  EXPECT_FALSE(named.prompt);
  Arguments positional;
  ASSERT_TRUE(parse(positional, {"write", "words"}, "prompt-file = 'a.txt'\n").ok());
  EXPECT_FALSE(positional.prompt);
  EXPECT_FALSE(positional.prompt_file);
}

TEST(OptionFillingTest, TheEnvironmentComesBeforeTheFileAmongThoseThatExcludeEachOther) {
  const Variable prompt("MNEME_PROMPT", "from outside");
  Arguments arguments;
  ASSERT_TRUE(parse(arguments, {"write"}, "prompt-file = 'a.txt'\n").ok());
  EXPECT_EQ(arguments.prompt, "from outside");
  EXPECT_FALSE(arguments.prompt_file);
  Arguments unset;
  const Variable again("MNEME_AGAIN", "false");
  ASSERT_TRUE(parse(unset, {"write"}, "no-again = true\n").ok());
  EXPECT_TRUE(unset.no_again) << "a flag set to false says nothing";
}

TEST(OptionFillingTest, AVariableOfTheCommandComesFirst) {
  const Variable all("MNEME_SHARE", "0.1");
  const Variable own("MNEME_WRITE_SHARE", "0.2");
  Arguments arguments;
  ASSERT_TRUE(parse(arguments, {"write"}).ok());
  EXPECT_EQ(arguments.share, 0.2);
  Arguments other;
  ASSERT_TRUE(parse(other, {"measure"}).ok());
  EXPECT_EQ(other.shares, std::vector<double>{0.1});
}

TEST(OptionFillingTest, WhatIsMeantForAnotherCommandIsPassedOver) {
  const Variable when("MNEME_WHEN", "slow");
  const Variable share("MNEME_SHARE", "0.1,0.2");
  Arguments arguments;
  ASSERT_TRUE(parse(arguments, {"write"}).ok());
  EXPECT_EQ(arguments.when, "later");
  EXPECT_EQ(arguments.share, 0.5);
  Arguments meant;
  ASSERT_TRUE(parse(meant, {"measure"}).ok());
  EXPECT_EQ(meant.how, "slow");
  EXPECT_EQ(meant.shares, (std::vector<double>{0.1, 0.2}));
  Arguments from_file;
  ASSERT_TRUE(parse(from_file, {"measure"}, "share = [0.3, 0.4]\n").ok());
}

TEST(OptionFillingTest, WhatNoCommandTakesIsAnError) {
  Arguments arguments;
  {
    const Variable when("MNEME_WHEN", "never");
    EXPECT_EQ(parse(arguments, {"write"}).message(), "MNEME_WHEN: --when takes now or later, not never.");
  }
  const Variable own("MNEME_WRITE_WHEN", "slow");
  EXPECT_EQ(parse(arguments, {"write"}).message(), "MNEME_WRITE_WHEN: --when takes now or later, not slow.");
}

TEST(OptionFillingTest, AListIsNoSingleValue) {
  Arguments arguments;
  EXPECT_EQ(parse(arguments, {"write"}, "[write]\nshare = [0.1, 0.2]\n").message(),
            "share in config.toml: --share takes one value, not a list.");
}

TEST(OptionFillingTest, WhatIsForOneRunComesFromTheCommandLineAlone) {
  const Variable once("MNEME_ONCE", "true");
  Arguments arguments;
  ASSERT_TRUE(parse(arguments, {"write"}, "once = true\n").ok());
  EXPECT_FALSE(arguments.once);
  ASSERT_TRUE(parse(arguments, {"write", "--once"}).ok());
  EXPECT_TRUE(arguments.once);
}

// A variable of one command would else be another option's of all.
TEST(OptionFillingTest, NoTwoKeysShareAVariable) {
  CommandLine line("about", "mneme 1");
  GlobalOptions global;
  add_global_options(line.root(), global);
  add_all_commands(line.root());
  const auto variable = [](std::string key) {
    for (char& c : key) c = c == ' ' ? '-' : c;
    return key;
  };
  std::set<std::string> of_all;
  for (const auto& option : line.options()) {
    if (option.settable) of_all.insert(option.name.substr(2));
  }
  for (const auto& command : line.commands()) {
    if (command.path.empty()) continue;
    for (const std::string& option : of_all) {
      EXPECT_FALSE(of_all.contains(variable(command.path + " " + option))) << command.path << " --" << option;
    }
  }
}

}  // namespace
}  // namespace mneme::app
