// What the window asks of the desktop, by programs that stand in for the desktop's own: what they are told, and what
// becomes of what they answer. And the notice on a real bus of its own, as another program sees it there.
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "ui/shell/desktop.h"

namespace mneme::ui {
namespace {

namespace fs = std::filesystem;

// Sets a variable for the time of a test.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    setenv(name, value.c_str(), 1);
  }
  ~Variable() {
    if (before_) {
      setenv(name_, before_->c_str(), 1);
    } else {
      unsetenv(name_);
    }
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
  std::optional<std::string> before_;
};

class DesktopTest : public testing::Test {
 protected:
  DesktopTest() {
    std::string name = (fs::temp_directory_path() / "mneme-desktop-XXXXXX").string();
    folder_ = mkdtemp(name.data());
    path_.emplace("PATH", folder_);
    no_bus_.emplace("DBUS_SESSION_BUS_ADDRESS", "");
    no_runtime_.emplace("XDG_RUNTIME_DIR", "");
  }
  ~DesktopTest() override { fs::remove_all(folder_); }

  // A program of the desktop's that does what a line of shell says; `log` is where it can say what it was told.
  void pretend(const std::string& name, const std::string& line) {
    const std::string file = folder_ + "/" + name;
    std::ofstream(file) << "#!/bin/sh\n" << line << "\n";
    ASSERT_EQ(chmod(file.c_str(), 0700), 0);
  }
  std::string log() const { return folder_ + "/log"; }
  std::string note_arguments(const std::string& then) const {
    return "for a in \"$@\"; do printf '%s\\n' \"$a\" >> " + log() + "; done; " + then;
  }
  std::vector<std::string> told() const {
    std::ifstream file(log());
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    return lines;
  }

  std::string folder_;
  std::optional<Variable> path_, no_bus_, no_runtime_;
  bool available_ = false;
  CancelToken closing_;
};

TEST_F(DesktopTest, AFolderIsTheOneThatTheDialogNames) {
  pretend("zenity", note_arguments("printf '/home/anna/Meine Briefe\\n'"));
  EXPECT_EQ(choose_folder(available_, closing_), "/home/anna/Meine Briefe");
  EXPECT_TRUE(available_);
  EXPECT_EQ(told(), (std::vector<std::string>{"--file-selection", "--directory", "--title=Add a folder"}));
}

TEST_F(DesktopTest, ADialogThatIsCancelledIsNotFollowedByAnother) {
  pretend("zenity", "exit 1");
  pretend("kdialog", "echo /wrong");
  EXPECT_EQ(choose_folder(available_, closing_), std::nullopt);
  EXPECT_TRUE(available_);
}

TEST_F(DesktopTest, ADialogThatCannotOpenIsFollowedByTheNext) {
  pretend("zenity", "exit 255");
  pretend("kdialog", "echo /models/a.gguf");
  EXPECT_EQ(choose_model_file(available_, closing_), "/models/a.gguf");
  EXPECT_TRUE(available_);
}

TEST_F(DesktopTest, WithoutADialogTheBrowserIsAskedFor) {
  EXPECT_EQ(choose_folder(available_, closing_), std::nullopt);
  EXPECT_FALSE(available_);
}

TEST_F(DesktopTest, ANoticeIsGivenToNotifySend) {
  pretend("notify-send", note_arguments("exit 0"));
  pretend("gdbus", "echo wrong >> " + log());
  const Variable bus("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere");
  notify_desktop("-3 files are new\xff");
  EXPECT_EQ(told(), (std::vector<std::string>{"--app-name=mneme", "--", "mneme", "-3 files are new\xef\xbf\xbd"}));
}

TEST_F(DesktopTest, WithoutNotifySendTheBusIsCalledWithTypedArguments) {
  pretend("gdbus", note_arguments("exit 0"));
  const Variable bus("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere");
  notify_desktop("Anna's \"files\" \\ are\nread");
  EXPECT_EQ(told(), (std::vector<std::string>{
                        "call", "--session", "--timeout=3", "--dest=org.freedesktop.Notifications",
                        "--object-path=/org/freedesktop/Notifications", "--method=org.freedesktop.Notifications.Notify",
                        "'mneme'", "uint32 0", "''", "'mneme'", "'Anna\\'s \"files\" \\\\ are read'", "@as []",
                        "@a{sv} {}", "int32 10000"}));
}

TEST_F(DesktopTest, WithoutASessionsBusNothingIsCalled) {
  pretend("gdbus", note_arguments("exit 0"));
  notify_desktop("Done");
  EXPECT_FALSE(prefers_dark());
  EXPECT_TRUE(told().empty());
}

TEST_F(DesktopTest, DarkIsWhatTheSettingsOrThePortalSay) {
  EXPECT_FALSE(prefers_dark()) << "nobody says";
  pretend("gsettings", "echo \"'prefer-dark'\"");
  EXPECT_TRUE(prefers_dark());
  pretend("gsettings", "echo \"'default'\"");
  EXPECT_FALSE(prefers_dark());
  const Variable bus("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere");
  for (const auto& [answer, dark] : {std::pair{"(<<uint32 0>>,)", false},
                                     {"(<<uint32 1>>,)", true},
                                     {"(<<uint32 2>>,)", false},
                                     {"Error: no such portal", false}}) {
    pretend("gdbus", "echo '" + std::string(answer) + "'");
    EXPECT_EQ(prefers_dark(), dark) << answer;
  }
  pretend("gdbus", "echo '(<<uint32 1>>,)'; exit 1");
  EXPECT_FALSE(prefers_dark()) << "an error is no answer";
}

// A bus of the test's own, and who listens on it.
class SessionBus {
 public:
  explicit SessionBus(const std::string& log) {
    // The bus says its address and stays until its standard input, the pipe, is closed.
    int answer[2];
    int hold[2];
    if (pipe2(answer, O_CLOEXEC) != 0 || pipe2(hold, O_CLOEXEC) != 0) return;
    hold_ = hold[1];
    const std::string script = "dbus-monitor --session interface=org.freedesktop.Notifications > " + log +
                               " 2>&1 & m=$!; while ! grep -q NameAcquired " + log +
                               "; do sleep 0.05; done; echo $DBUS_SESSION_BUS_ADDRESS; read end; kill $m";
    child_ = fork();
    if (child_ == 0) {
      dup2(hold[0], STDIN_FILENO);
      dup2(answer[1], STDOUT_FILENO);
      setenv("PATH", "/usr/bin:/bin", 1);
      dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
      execl("/usr/bin/dbus-run-session", "dbus-run-session", "--", "/bin/sh", "-c", script.c_str(), nullptr);
      _exit(126);
    }
    close(hold[0]);
    close(answer[1]);
    char c = 0;
    while (read(answer[0], &c, 1) == 1 && c != '\n') address_ += c;
    close(answer[0]);
  }
  ~SessionBus() {
    if (hold_ >= 0) close(hold_);
    if (child_ > 0) waitpid(child_, nullptr, 0);
  }
  SessionBus(const SessionBus&) = delete;
  SessionBus& operator=(const SessionBus&) = delete;
  const std::string& address() const { return address_; }

 private:
  pid_t child_ = -1;
  int hold_ = -1;
  std::string address_;
};

std::string content_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST_F(DesktopTest, TheNoticeArrivesOnABusAsTheSpecificationHasIt) {
  for (const char* program : {"/usr/bin/dbus-run-session", "/usr/bin/dbus-monitor", "/usr/bin/gdbus"}) {
    if (access(program, X_OK) != 0) GTEST_SKIP() << program << " is not installed";
  }
  const SessionBus bus(log());
  ASSERT_FALSE(bus.address().empty()) << content_of(log());
  pretend("gdbus", "exec /usr/bin/gdbus \"$@\"");
  const Variable address("DBUS_SESSION_BUS_ADDRESS", bus.address());
  notify_desktop("12 files of 'Anna' are read");
  // Nobody there shows notices, so gdbus reports a failure: what counts is what was sent.
  std::string seen;
  for (int i = 0; i < 1200 && seen.find("int32 10000") == seen.npos; ++i) {
    seen = content_of(log());
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  const size_t call = seen.find("member=Notify");
  ASSERT_NE(call, seen.npos) << seen;
  EXPECT_NE(seen.find("path=/org/freedesktop/Notifications; interface=org.freedesktop.Notifications"), seen.npos);
  const std::string arguments = seen.substr(seen.find('\n', call) + 1);
  EXPECT_EQ(arguments.substr(0, arguments.find("int32 10000") + 11),
            "   string \"mneme\"\n   uint32 0\n   string \"\"\n   string \"mneme\"\n"
            "   string \"12 files of 'Anna' are read\"\n   array [\n   ]\n   array [\n   ]\n   int32 10000");
}

}  // namespace
}  // namespace mneme::ui
