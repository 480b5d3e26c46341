#include "app/cli/command_line.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <sstream>

#include "app/cli/usage_errors.h"
#include "app/command_list.h"
#include "app/config/settings.h"
#include "app/context.h"
#include "app/output/terminal_text.h"

namespace mneme::app {
namespace {

struct Arguments {
  std::vector<std::string> words;
  int top_k = 6;
  std::optional<double> share;
  std::optional<double> gigabytes;
  std::string file;
  bool stream = false;
  std::string level = "medium";
  std::vector<std::string> files;
  std::vector<double> shares;
  uint64_t seed = 0;
  GlobalOptions global;
};

// Parses `words` after the program's name against one made-up command.
Result<ParsedCommand> parse(Arguments& arguments, std::vector<const char*> words, const char* toml = "") {
  CommandLine line("about", "mneme 1");
  add_global_options(line.root(), arguments.global);
  Command ask = line.root().subcommand("ask", "Ask");
  ask.words("QUESTION", arguments.words, "words");
  ask.integer("--top-k N", arguments.top_k, 1, 100, "passages");
  ask.number("--share R", arguments.share, 0, 1, "share");
  ask.number("--gigabytes GB", arguments.gigabytes, 0, 1e6, "gigabytes");
  ask.flag("--stream", arguments.stream, "stream");
  ask.choice("--level", arguments.level, {"high", "medium"}, "level");
  ask.repeated("--context FILE", arguments.files, "files");
  ask.list("--shares R", arguments.shares, 0, 1, "shares");
  ask.seed("--seed S", arguments.seed, "seed");
  ask.action([](Context&) -> Result<ExitCode> { return ExitCode::kDone; });
  Command add = line.root().subcommand("add", "Add");
  add.positional("FILE", arguments.file, "A GGUF file", Presence::kRequired);
  add.action([](Context&) -> Result<ExitCode> { return ExitCode::kDone; });
  Command group = line.root().subcommand("group", "Group");
  Command below = group.subcommand("index", "Below");
  below.integer("--deep N", arguments.top_k, 0, 9, "deep");
  below.action([](Context&) -> Result<ExitCode> { return ExitCode::kDone; });
  words.insert(words.begin(), "mneme");
  const Result<Settings> settings = Settings::parse(toml, "config.toml");
  return line.parse(static_cast<int>(words.size()), words.data(), *settings);
}

TEST(CommandLineTest, WordsThatNameCommandsAreStillWords) {
  Arguments arguments;
  const auto parsed = parse(arguments, {"ask", "how", "does", "index", "work", "--json"});
  ASSERT_TRUE(parsed.ok()) << parsed.status().message();
  EXPECT_EQ(arguments.words, (std::vector<std::string>{"how", "does", "index", "work"}));
  EXPECT_TRUE(arguments.global.json);
  EXPECT_EQ(parsed->command, "ask");
}

TEST(CommandLineTest, LoneDashIsAWord) {
  Arguments arguments;
  ASSERT_TRUE(parse(arguments, {"ask", "-"}).ok());
  EXPECT_EQ(arguments.words, std::vector<std::string>{"-"});
}

TEST(CommandLineTest, RepeatedOptionsTakeOneValueEach) {
  Arguments arguments;
  ASSERT_TRUE(parse(arguments, {"ask", "--context", "a.md", "--context", "b.md", "why", "--shares", "0.1,0.5"}).ok());
  EXPECT_EQ(arguments.files, (std::vector<std::string>{"a.md", "b.md"}));
  EXPECT_EQ(arguments.words, std::vector<std::string>{"why"});
  EXPECT_EQ(arguments.shares, (std::vector<double>{0.1, 0.5}));
}

TEST(CommandLineTest, NumbersToTheirBoundsAndNoFurtherAreTaken) {
  const auto taken = [](std::vector<const char*> words) {
    Arguments arguments;
    words.insert(words.begin(), {"ask", "x"});
    return parse(arguments, words).ok();
  };
  for (const char* value : {"1", "100"}) EXPECT_TRUE(taken({"--top-k", value})) << value;
  for (const char* value : {"0", "101", "6.5", "", "6x", "99999999999"})
    EXPECT_FALSE(taken({"--top-k", value})) << value;
  for (const char* value : {"0", "1", "1e-3"}) EXPECT_TRUE(taken({"--share", value})) << value;
  for (const char* value : {"-0.001", "1.001", "nan", "half"}) EXPECT_FALSE(taken({"--share", value})) << value;
  EXPECT_TRUE(taken({"--shares", "0,1"}));
  EXPECT_FALSE(taken({"--shares", "0.5,1.5"}));
  EXPECT_FALSE(taken({"--context", ""})) << "a slip";
}

TEST(CommandLineTest, CommandLineBeatsEnvironmentBeatsFile) {
  Arguments arguments;
  const char* toml = "top-k = 3\nlevel = 'high'\n[ask]\nstream = true\nshare = 0.5\n";
  ::setenv("MNEME_TOP_K", "4", 1);
  const auto from_environment = parse(arguments, {"ask", "x"}, toml);
  EXPECT_EQ(arguments.top_k, 4);
  EXPECT_EQ(arguments.level, "high");
  EXPECT_TRUE(arguments.stream);
  EXPECT_EQ(arguments.share, 0.5);
  Arguments given;
  const auto from_line = parse(given, {"ask", "x", "--top-k", "5"}, toml);
  EXPECT_EQ(given.top_k, 5);
  ::unsetenv("MNEME_TOP_K");
  EXPECT_TRUE(from_environment.ok());
  EXPECT_TRUE(from_line.ok());
}

TEST(CommandLineTest, BadValuesNameTheirOrigin) {
  Arguments arguments;
  const auto from_file = parse(arguments, {"ask", "x"}, "top-k = 'many'\n");
  ASSERT_FALSE(from_file.ok());
  EXPECT_EQ(from_file.status().code(), StatusCode::kUsage);
  EXPECT_NE(from_file.status().message().find("top-k in config.toml"), std::string::npos);
  Arguments other;
  for (const auto& words : std::vector<std::vector<const char*>>{{"ask"},
                                                                 {"ask", "x", "--top-k", "0"},
                                                                 {"ask", "x", "--share", "1.5"},
                                                                 {"ask", "x", "--level", "low"},
                                                                 {"ask", "x", "--nonsense"},
                                                                 {"nonsense"},
                                                                 {"group"}}) {
    const auto parsed = parse(other, words);
    ASSERT_FALSE(parsed.ok()) << words.back();
    EXPECT_EQ(parsed.status().code(), StatusCode::kUsage);
    EXPECT_EQ(parsed.status().message().find('\n'), std::string::npos) << parsed.status().message();
  }
}

std::string complaint(std::vector<const char*> words) {
  Arguments arguments;
  return parse(arguments, std::move(words)).status().message();
}

TEST(CommandLineTest, MistakesAreAnsweredByWhatWouldBeRight) {
  EXPECT_EQ(complaint({"aks", "x"}), "there is no command aks; did you mean `mneme ask`? Else see `mneme --help`.");
  EXPECT_EQ(complaint({"group", "indx"}),
            "there is no command group indx; did you mean `mneme group index`? Else see `mneme group --help`.");
  EXPECT_EQ(complaint({"group"}), "`mneme group` needs to know what to do: index; see `mneme group --help`.");
  EXPECT_EQ(complaint({"why", "is", "that"}),
            "there is no command why; questions are asked with `mneme ask QUESTION`, and `mneme --help` shows all "
            "commands.");
  EXPECT_EQ(complaint({"ask", "--topk", "3", "x"}),
            "`mneme ask` has no option --topk; did you mean --top-k? Else see `mneme ask --help`.");
  EXPECT_EQ(complaint({"ask", "x", "--jsn"}),
            "`mneme ask` has no option --jsn; did you mean --json? Else see `mneme ask --help`.");
  EXPECT_EQ(complaint({"ask", "x", "--frobnicate=1"}),
            "`mneme ask` has no option --frobnicate; see `mneme ask --help`.");
  EXPECT_EQ(complaint({"ask"}), "`mneme ask` needs QUESTION (words); see `mneme ask --help`.");
  EXPECT_EQ(complaint({"ask", "-what?"}),
            "`mneme ask` has no option -what?; words that begin with a dash stand behind --; see `mneme ask --help`.");
  EXPECT_EQ(complaint({"add", "--name=x"}), "`mneme add` has no option --name; see `mneme add --help`.");
  EXPECT_EQ(complaint({"version"}), "there is no command version; did you mean `mneme --version`?");
  EXPECT_EQ(complaint({"add"}), "`mneme add` needs FILE (a GGUF file); see `mneme add --help`.");
  EXPECT_EQ(complaint({"group", "index", "x"}),
            "`mneme group index` does not know what to do with the word x; see `mneme group index --help`.");
}

TEST(CommandLineTest, WrongValuesAreAnsweredByWhatAnOptionTakes) {
  EXPECT_EQ(complaint({"ask", "x", "--top-k", "many"}),
            "--top-k takes a whole number from 1 to 100, not many; see `mneme ask --help`.");
  EXPECT_EQ(complaint({"ask", "x", "--share", "1.5"}),
            "--share takes a number from 0 to 1, not 1.5; see `mneme ask --help`.");
  EXPECT_EQ(complaint({"ask", "x", "--level", "low"}),
            "--level takes high or medium, not low; see `mneme ask --help`.");
  EXPECT_EQ(complaint({"ask", "x", "--shares", "0.1,x"}),
            "--shares takes a number from 0 to 1, not x; see `mneme ask --help`.");
  EXPECT_EQ(complaint({"ask", "x", "--shares", "0.1,2"}),
            "--shares takes a number from 0 to 1, not 2; see `mneme ask --help`.");
  EXPECT_EQ(complaint({"ask", "x", "--top-k", "3", "--top-k", "4"}),
            "--top-k stands there more than once; give it once; see `mneme ask --help`.");
  for (const char* device : {"gpu", "cuda:", "cuda:-1", "cuda:x", "cuda:00000"}) {
    EXPECT_EQ(complaint({"ask", "x", "--device", device}),
              std::string("--device takes auto, cpu, cuda or cuda:N, not ") + device + "; see `mneme ask --help`.");
  }
  EXPECT_EQ(complaint({"ask", "x", "--top-k"}), "--top-k needs a value behind it; see `mneme ask --help`.");
  for (const char* written : {".", "..", "low...", "x "}) {
    EXPECT_EQ(complaint({"ask", "x", "--level", written}),
              std::string("--level takes high or medium, not ") + written + "; see `mneme ask --help`.");
  }
  EXPECT_EQ(complaint({"ask", "x", "--gigabytes", "-1"}),
            "--gigabytes takes a number from 0 to 1000000, not -1; see `mneme ask --help`.");
  EXPECT_EQ(complaint({"ask", "x", "--stream=perhaps"}),
            "--stream takes true or false, not perhaps; see `mneme ask --help`.");
}

// Else "--home --json" would make a folder of that name, and speak to people where a script listens.
TEST(CommandLineTest, AnOptionIsNoOthersValue) {
  EXPECT_EQ(complaint({"ask", "x", "--home", "--json"}), "--home needs a value behind it; see `mneme ask --help`.");
  EXPECT_EQ(complaint({"--model", "--json", "ask", "x"}), "--model needs a value behind it; see `mneme ask --help`.");
  EXPECT_EQ(complaint({"ask", "x", "--context", "--stream"}),
            "--context needs a value behind it; see `mneme ask --help`.");
  Arguments arguments;
  ASSERT_TRUE(parse(arguments, {"ask", "x", "--model=--json", "--context", "--file", "--", "--top-k", "--json"}).ok());
  EXPECT_EQ(arguments.global.model, "--json") << "written so it is meant";
  EXPECT_EQ(arguments.files, std::vector<std::string>{"--file"}) << "the name of no option";
  EXPECT_EQ(arguments.words, (std::vector<std::string>{"x", "--top-k", "--json"})) << "words, behind the mark";
}

TEST(CommandLineTest, BehindTheMarkEverythingIsAWord) {
  for (const std::vector<const char*>& words : {std::vector<const char*>{"ask", "x", "--", "--json", "-y"},
                                                {"ask", "--", "x", "--json", "-y"},
                                                {"ask", "x", "--top-k", "3", "--", "--json", "-y"},
                                                {"--top-k", "3", "ask", "x", "--", "--json", "-y"}}) {
    Arguments arguments;
    const auto parsed = parse(arguments, words);
    ASSERT_TRUE(parsed.ok()) << parsed.status().message();
    EXPECT_EQ(arguments.words, (std::vector<std::string>{"x", "--json", "-y"}));
    EXPECT_FALSE(arguments.global.json);
  }
  Arguments arguments;
  ASSERT_TRUE(parse(arguments, {"ask", "x", "y", "--stream", "--"}).ok());
  EXPECT_EQ(arguments.words, (std::vector<std::string>{"x", "y"}));
  EXPECT_TRUE(arguments.stream);
  EXPECT_EQ(complaint({"--", "ask", "x"}),
            "-- stands behind a command, before words that begin with a dash; see `mneme --help`.");
}

TEST(CommandLineTest, SeedsAreEveryNumberOf64Bits) {
  Arguments arguments;
  ASSERT_TRUE(parse(arguments, {"ask", "x", "--seed", "18446744073709551615"}).ok());
  EXPECT_EQ(arguments.seed, std::numeric_limits<uint64_t>::max());
  for (const char* seed : {"-1", "18446744073709551616", "1.5", "x"}) {
    EXPECT_NE(complaint({"ask", "x", "--seed", seed}).find("--seed takes a whole number from 0"), std::string::npos);
  }
}

TEST(CommandLineTest, ACommandsTableGivesGlobalOptionsToo) {
  Arguments arguments;
  ASSERT_TRUE(parse(arguments, {"ask", "x"}, "model = 'small'\n[ask]\nmodel = 'large'\n").ok());
  EXPECT_EQ(arguments.global.model, "large");
  Arguments other;
  ASSERT_TRUE(parse(other, {"group", "index"}, "model = 'small'\n[ask]\nmodel = 'large'\n").ok());
  EXPECT_EQ(other.global.model, "small");
}

TEST(CommandLineTest, FlagsTakeTruthValues) {
  Arguments arguments;
  ASSERT_TRUE(parse(arguments, {"ask", "x"}, "stream = false\n").ok());
  EXPECT_FALSE(arguments.stream);
  EXPECT_EQ(parse(arguments, {"ask", "x"}, "stream = 'perhaps'\n").status().message(),
            "stream in config.toml: --stream takes true or false, not perhaps.");
}

TEST(UsageErrorsTest, TheNearestWordIsOneThatAPersonMeant) {
  const std::vector<std::string> words = {"index", "ask", "collection", "chat", "gc"};
  EXPECT_EQ(nearest_word("idnex", words), "index");
  EXPECT_EQ(nearest_word("indexx", words), "index");
  EXPECT_EQ(nearest_word("coll", words), "collection");
  EXPECT_EQ(nearest_word("caht", words), "chat");
  EXPECT_EQ(nearest_word("modle", {"mode", "model"}), "model");
  EXPECT_EQ(nearest_word("serch", {"status", "search"}), "search") << "one left out";
  EXPECT_EQ(nearest_word("forgte", {"forge", "forget"}), "forget") << "two that were swapped, of as many letters";
  EXPECT_EQ(nearest_word("aks", {"ask", "as"}), "ask");
  EXPECT_EQ(nearest_word("x", words), "");
  EXPECT_EQ(nearest_word("", words), "");
  EXPECT_EQ(nearest_word("weather", words), "");
  EXPECT_EQ(nearest_word("anything", {}), "");
}

// Every line of every command's help fits, but for words that are longer than a line.
TEST(CommandListTest, HelpFitsTheTerminal) {
  for (const int columns : {110, 80, 60}) {
    CommandLine line("about", "mneme 1");
    GlobalOptions global;
    add_global_options(line.root(), global);
    add_all_commands(line.root());
    line.set_help_columns(columns);
    const Result<Settings> none = Settings::parse("", "config.toml");
    std::vector<std::string> texts = {line.help()};
    for (const char* command : {"ask", "index", "bench", "model"}) {
      const char* words[] = {"mneme", command, "--help"};
      texts.push_back(line.parse(3, words, *none)->text);
    }
    for (const std::string& text : texts) {
      std::istringstream lines(text);
      for (std::string one; std::getline(lines, one);) {
        const bool names_an_option = one.starts_with("  -");  // its placeholder may list a dozen words
        const bool example = one.starts_with("  mneme");
        if (!names_an_option && !example) {
          EXPECT_LE(display_width(one), columns) << one;
        }
      }
    }
  }
}

TEST(CommandLineTest, HelpIsACommandToo) {
  Arguments arguments;
  EXPECT_EQ(parse(arguments, {"help", "ask"})->text, parse(arguments, {"ask", "--help"})->text);
  EXPECT_EQ(parse(arguments, {"help"})->text, parse(arguments, {"--help"})->text);
  const std::string ask = parse(arguments, {"ask", "--help"})->text;
  EXPECT_EQ(parse(arguments, {"--json", "--home", "/a", "help", "ask"})->text, ask) << "behind options of the program";
  EXPECT_EQ(parse(arguments, {"--home=/a", "help", "ask"})->text, ask);
  EXPECT_TRUE(parse(arguments, {"ask", "help"})->text.empty()) << "a question";
  EXPECT_EQ(complaint({"help", "aks"}), "there is no command aks; did you mean `mneme ask`? Else see `mneme --help`.");
}

TEST(CommandLineTest, HelpAndVersionAreText) {
  Arguments arguments;
  EXPECT_NE(parse(arguments, {"ask", "--help"})->text.find("--top-k N"), std::string::npos);
  EXPECT_EQ(parse(arguments, {"--version"})->text, "mneme 1\n");
  EXPECT_TRUE(parse(arguments, {})->text.empty());
}

TEST(CommandLineTest, PeeksStopAtDoubleDash) {
  const char* argv[] = {"mneme", "--home=/a", "ask", "--", "--json"};
  EXPECT_EQ(peek_option(5, argv, "--home"), "/a");
  EXPECT_EQ(peek_flag(5, argv, "--json"), std::nullopt);
}

TEST(CommandLineTest, PeekedFlagsTakeTruthValues) {
  const auto peeked = [](const char* argument) {
    const char* argv[] = {"mneme", argument, "ask"};
    return peek_flag(3, argv, "--json");
  };
  EXPECT_EQ(peeked("--json"), true);
  EXPECT_EQ(peeked("--json=true"), true);
  EXPECT_EQ(peeked("--json=1"), true);
  EXPECT_EQ(peeked("--json=off"), false);
  EXPECT_EQ(peeked("--json=perhaps"), std::nullopt);
  EXPECT_EQ(peeked("--jsonl"), std::nullopt);
}

TEST(CommandLineTest, OptionsOfACommandMayStandBeforeIt) {
  Arguments arguments;
  const auto parsed =
      parse(arguments, {"--top-k", "7", "--stream", "--home=/a", "--level=high", "ask", "how", "index"});
  ASSERT_TRUE(parsed.ok()) << parsed.status().message();
  EXPECT_EQ(parsed->command, "ask");
  EXPECT_EQ(arguments.top_k, 7);
  EXPECT_TRUE(arguments.stream);
  EXPECT_EQ(arguments.level, "high");
  EXPECT_EQ(arguments.words, (std::vector<std::string>{"how", "index"}));
  Arguments below;
  const auto deeper = parse(below, {"--deep", "1", "group", "index"});
  ASSERT_TRUE(deeper.ok()) << deeper.status().message();
  EXPECT_EQ(deeper->command, "group index");
  EXPECT_EQ(below.top_k, 1);
  EXPECT_EQ(complaint({"--level", "ask", "x"}),
            "--level is an option of `mneme ask`; write it, with its value, behind that.");
}

TEST(CommandLineTest, AParseThatFailedTellsTheCommandItCameTo) {
  CommandLine line("about", "mneme 1");
  GlobalOptions global;
  add_global_options(line.root(), global);
  add_all_commands(line.root());
  const Result<Settings> none = Settings::parse("", "config.toml");
  const char* words[] = {"mneme", "search", "x", "--top-k", "none"};
  ASSERT_FALSE(line.parse(5, words, *none).ok());
  EXPECT_EQ(line.reached(), "search");
}

TEST(CommandListTest, EveryCommandOfTheContractIsThere) {
  CommandLine line("about", "mneme 1");
  GlobalOptions global;
  add_global_options(line.root(), global);
  add_all_commands(line.root());
  const std::string help = line.help();
  for (const char* name : {"index", "ask", "chat", "search", "generate", "tokenize", "perplexity", "eval", "bench",
                           "model", "collection", "document", "forget", "status", "verify", "gc", "gui", "serve"}) {
    EXPECT_NE(help.find(std::string("\n  ") + name), std::string::npos) << name;
  }
  const auto options = line.options();
  EXPECT_TRUE(std::any_of(options.begin(), options.end(), [](const CommandLine::OptionInfo& option) {
    return option.command == "ask" && option.name == "--recompute" && option.placeholder == "R";
  }));
}

}  // namespace
}  // namespace mneme::app
