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

fs::path build_folder() {
  return fs::path(checkout::program()).parent_path();
}

// Fails, with what it printed, when the command does. Gives that.
std::string shell(const Program& program, const std::string& command) {
  const std::string log = program.folder() + "/shell.log";
  EXPECT_EQ(std::system(("(" + command + ") > '" + log + "' 2>&1").c_str()), 0) << command << "\n" << read_file(log);
  return read_file(log);
}

TEST(InstallTest, ProgramModelsManualAndCompletions) {
  Program program;
  const fs::path prefix = fs::path(program.folder()) / "prefix";
  shell(program, "cmake --install '" + build_folder().string() + "' --prefix '" + prefix.string() + "'");
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
  const std::string info = shell(program, "env -u MNEME_ASSETS '" + (prefix / "bin/mneme").string() + "' --home '" +
                                              program.home() + "' model info mneme-embed");
  EXPECT_NE(info.find((prefix / "share/mneme/models").string()), std::string::npos) << info;
}

TEST(InstallTest, ADesktopListsTheProgramWithItsIcon) {
  Program program;
  const fs::path prefix = fs::path(program.folder()) / "prefix";
  shell(program, "cmake --install '" + build_folder().string() + "' --prefix '" + prefix.string() + "'");
  const fs::path entry = prefix / "share/applications/mneme.desktop";
  if (!fs::exists(entry)) GTEST_SKIP() << "built without the window";
  const std::string text = read_file(entry);
  EXPECT_TRUE(text.starts_with("[Desktop Entry]\n"));
  EXPECT_NE(text.find("\nExec=mneme gui\n"), std::string::npos);
  // The name by which the icon is found, and that windows of the program bear.
  EXPECT_NE(text.find("\nIcon=mneme\n"), std::string::npos);
  EXPECT_NE(text.find("\nStartupWMClass=mneme\n"), std::string::npos);
  for (const char* icon : {"48x48/apps/mneme.png", "128x128/apps/mneme.png", "scalable/apps/mneme.svg"}) {
    EXPECT_GT(fs::file_size(prefix / "share/icons/hicolor" / icon), 100U) << icon;
  }
}

TEST(InstallTest, TheDebianPackageNamesWhatItNeeds) {
  if (std::system("command -v dpkg-shlibdeps > /dev/null 2>&1") != 0) GTEST_SKIP() << "no dpkg-dev here";
  Program program;
  const std::string config = "'" + (build_folder() / "CPackConfig.cmake").string() + "'";
  shell(program,
        "cpack --config " + config + " -B '" + program.folder() + "/package' -D CPACK_DEBIAN_COMPRESSION_TYPE=none");
  const std::string package = "'" + program.folder() + "'/package/mneme_*.deb";
  const std::string needed = shell(program, "dpkg-deb --field " + package + " Depends");
  for (const char* library : {"libsqlite3-0", "libicu", "poppler-utils"}) {
    EXPECT_NE(needed.find(library), std::string::npos) << needed;
  }
  const std::string files = shell(program, "dpkg-deb --contents " + package);
  for (const char* file : {" ./usr/bin/mneme\n", " ./usr/share/mneme/models/mneme-embed.gguf\n"}) {
    EXPECT_NE(files.find(file), std::string::npos) << files;
  }
}

}  // namespace
}  // namespace mneme::integration
