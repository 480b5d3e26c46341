// What `cmake --install` leaves is whole: the program finds its models there, and the manual page and completions are
// those of this program.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/integration/program.h"
#include "tests/support/checkout/checkout.h"

namespace mneme::integration {
namespace {

namespace fs = std::filesystem;

std::string read_file(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

TEST(InstallTest, ProgramModelsManualAndCompletions) {
  Program program;
  const fs::path prefix = fs::path(program.folder()) / "prefix";
  const fs::path build = fs::path(checkout::program()).parent_path();
  ASSERT_EQ(std::system(("cmake --install '" + build.string() + "' --prefix '" + prefix.string() + "' > '" +
                         program.folder() + "/install.log' 2>&1")
                            .c_str()),
            0)
      << read_file(program.folder() + "/install.log");
  for (const char* file :
       {"bin/mneme", "share/mneme/models/mneme-embed.gguf", "share/mneme/samples/kestrel-protocol.md",
        "share/doc/mneme/LICENSE", "share/doc/mneme/THIRD-PARTY.md", "share/doc/mneme/docs/commands.md"}) {
    EXPECT_TRUE(fs::exists(prefix / file)) << file;
  }
  EXPECT_EQ(read_file(prefix / "share/man/man1/mneme.1"), program.run({"reference", "man"}).output);
  EXPECT_EQ(read_file(prefix / "share/bash-completion/completions/mneme"), program.run({"reference", "bash"}).output);
  EXPECT_EQ(read_file(prefix / "share/zsh/site-functions/_mneme"), program.run({"reference", "zsh"}).output);
  EXPECT_EQ(read_file(prefix / "share/fish/vendor_completions.d/mneme.fish"),
            program.run({"reference", "fish"}).output);
  // The installed program takes the models beside it.
  const std::string listed = program.folder() + "/models.txt";
  const std::string command = "env -u MNEME_ASSETS '" + (prefix / "bin/mneme").string() + "' --home '" +
                              program.home() + "' model info mneme-embed > '" + listed + "' 2>&1";
  EXPECT_EQ(std::system(command.c_str()), 0) << read_file(listed);
  EXPECT_NE(read_file(listed).find((prefix / "share/mneme/models").string()), std::string::npos) << read_file(listed);
}

}  // namespace
}  // namespace mneme::integration
