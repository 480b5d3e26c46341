#include "app/config/directories.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace mneme::app {
namespace {

// Sets variables of the environment for as long as it lives.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    value == nullptr ? ::unsetenv(name) : ::setenv(name, value, 1);
  }
  ~Variable() { before_.empty() ? ::unsetenv(name_) : ::setenv(name_, before_.c_str(), 1); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* const name_;
  std::string before_;
};

class DirectoriesTest : public ::testing::Test {
 protected:
  Variable mneme_home_{"MNEME_HOME", nullptr};
  Variable data_{"XDG_DATA_HOME", nullptr};
  Variable config_{"XDG_CONFIG_HOME", nullptr};
};

TEST_F(DirectoriesTest, AreThoseOfTheSpecification) {
  const Variable home("HOME", "/users/ada");
  EXPECT_EQ(find_directories("")->data, "/users/ada/.local/share/mneme");
  EXPECT_EQ(find_directories("")->config, "/users/ada/.config/mneme");
  const Variable data("XDG_DATA_HOME", "/data");
  const Variable config("XDG_CONFIG_HOME", "relative");
  EXPECT_EQ(find_directories("")->data, "/data/mneme");
  EXPECT_EQ(find_directories("")->config, "/users/ada/.config/mneme") << "relative paths are passed over";
  const Variable mneme_home("MNEME_HOME", "/elsewhere/");
  EXPECT_EQ(find_directories("")->data, "/elsewhere");
  EXPECT_EQ(find_directories("/given/../here")->data, "/here");
}

// Else every folder that the program is started in would get a home of its own.
TEST_F(DirectoriesTest, AHomeFolderWithoutAnAbsolutePathIsNone) {
  for (const char* value : {"", "ada", "."}) {
    const Variable home("HOME", value);
    const Status status = find_directories("").status();
    EXPECT_EQ(status.code(), StatusCode::kUsage);
    EXPECT_NE(status.message().find("--home DIR"), std::string::npos) << status.message();
  }
}

TEST_F(DirectoriesTest, AFileIsNoHomeAndNoneLiesBelowIt) {
  for (const char* home : {"/dev/null", "/dev/null/mneme/home"}) {
    const Status status = find_directories(home).status();
    EXPECT_EQ(status.code(), StatusCode::kUsage);
    EXPECT_NE(status.message().find("/dev/null is a file"), std::string::npos) << status.message();
  }
  EXPECT_TRUE(find_directories("/no/such/folder/yet").ok());
}

}  // namespace
}  // namespace mneme::app
