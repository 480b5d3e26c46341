// A file that is cut short while it is mapped ends the program with a sentence that names it.
#include "app/process/bus_error.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

namespace mneme::app {
namespace {

struct Ending {
  int exit_status = -1;
  int signal = 0;
  std::string said;  // on both streams
};

// In a child with the handler: maps a file called `name`, has it cut short and reads from it.
Ending read_a_file_cut_short(const std::string& name, bool json) {
  int ends[2];
  EXPECT_EQ(::pipe(ends), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(ends[1], json ? STDOUT_FILENO : STDERR_FILENO);
    explain_bus_errors(json);
    const int file = ::open(name.c_str(), O_RDWR | O_CREAT, 0600);
    if (file < 0 || ::ftruncate(file, 1 << 16) != 0) ::_exit(100);
    void* mapping = ::mmap(nullptr, 1 << 16, PROT_READ, MAP_PRIVATE, file, 0);
    if (mapping == MAP_FAILED || ::ftruncate(file, 0) != 0) ::_exit(101);
    const volatile char first = static_cast<const volatile char*>(mapping)[5000];
    ::_exit(102 + (first != 0 ? 1 : 0));
  }
  ::close(ends[1]);
  Ending ending;
  char buffer[4096];
  for (ssize_t n = 0; (n = ::read(ends[0], buffer, sizeof buffer)) > 0;) {
    ending.said.append(buffer, static_cast<size_t>(n));
  }
  ::close(ends[0]);
  int state = 0;
  ::waitpid(child, &state, 0);
  ending.exit_status = WIFEXITED(state) ? WEXITSTATUS(state) : -1;
  ending.signal = WIFSIGNALED(state) ? WTERMSIG(state) : 0;
  return ending;
}

class BusErrorTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = std::filesystem::temp_directory_path() / "mneme-bus-XXXXXX";
    folder_ = mkdtemp(name.data());
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string folder_;
};

TEST_F(BusErrorTest, NamesTheFile) {
  const Ending ending = read_a_file_cut_short(folder_ + "/model.gguf", false);
  EXPECT_EQ(ending.signal, 0);
  EXPECT_EQ(ending.exit_status, 3) << ending.said;
  EXPECT_NE(ending.said.find("mneme: cannot read " + folder_ + "/model.gguf"), std::string::npos) << ending.said;
}

// Of a catalogue's shared memory: a file system without room for it says so in this way.
TEST_F(BusErrorTest, SharedMemoryWithoutRoomIsWantOfSpace) {
  const Ending ending = read_a_file_cut_short(folder_ + "/catalog.db-shm", false);
  EXPECT_EQ(ending.exit_status, 1) << ending.said;
  EXPECT_NE(ending.said.find("free some space"), std::string::npos) << ending.said;
}

TEST_F(BusErrorTest, IsJsonWhereThatIsAskedAndNamesAreShown) {
  const Ending ending = read_a_file_cut_short(folder_ + "/a \"b\" \x1b[31m \xc3\x9f \xff.gguf", true);
  EXPECT_EQ(ending.exit_status, 3) << ending.said;
  const nlohmann::json said = nlohmann::json::parse(ending.said, nullptr, false);
  ASSERT_TRUE(said.is_object()) << ending.said;
  EXPECT_NE(said["error"]["message"].get<std::string>().find("a ?b? ?[31m \xc3\x9f ?.gguf"), std::string::npos)
      << ending.said;
}

TEST_F(BusErrorTest, OtherSignalsOfTheKindEndTheProgramAsBefore) {
  const pid_t child = ::fork();
  if (child == 0) {
    explain_bus_errors(false);
    ::raise(SIGBUS);
    ::_exit(0);
  }
  int state = 0;
  ::waitpid(child, &state, 0);
  EXPECT_TRUE(WIFSIGNALED(state) && WTERMSIG(state) == SIGBUS);
}

}  // namespace
}  // namespace mneme::app
