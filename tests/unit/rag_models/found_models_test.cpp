#include "rag/models/found_models.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

#include "rag/models/model_facts.h"
#include "tests/support/process_folder.h"

namespace mneme::rag {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr const char* kDigest = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

// A user's home of its own.
class FoundModelsTest : public ::testing::Test {
 protected:
  void SetUp() override { fs::create_directories(home_); }
  void TearDown() override { fs::remove_all(home_); }

  std::string write(const std::string& path, const std::string& text) const {
    const fs::path file = fs::path(home_) / path;
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text;
    return file.string();
  }

  void write_ollama(const std::string& manifest, const std::string& digest) const {
    write(".ollama/models/manifests/registry.ollama.ai/" + manifest,
          R"({"schemaVersion":2,"layers":[{"mediaType":"application/vnd.ollama.image.license","digest":"sha256:00"},)"
          R"({"mediaType":"application/vnd.ollama.image.model","digest":"sha256:)" +
              digest + R"(","size":7}]})");
  }

  // Those of this home; a machine with Ollama as a service has others besides.
  std::vector<FoundModel> find(const std::map<std::string, std::string>& variables = {}) const {
    std::vector<ModelPlace> places = model_places([&](const std::string& name) -> std::string {
      const auto set = variables.find(name);
      return set != variables.end() ? set->second : name == "HOME" ? home_ : "";
    });
    std::erase_if(places, [&](const ModelPlace& place) { return !place.folder.starts_with(home_); });
    return find_models(places);
  }

  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const FoundModel& model : find()) names.push_back(model.program + ": " + model.name);
    return names;
  }

  const std::string home_ = mneme::test::process_folder() + "/found_models";
};

TEST_F(FoundModelsTest, WhereEachProgramKeepsThem) {
  write(".lmstudio/models/lmstudio-community/Qwen-GGUF/qwen2.5-3b-q4_k_m.gguf", "1234567");
  write(".local/share/nomic.ai/GPT4All/Phi-3.gguf", "1");
  write(".local/share/Jan/data/llamacpp/models/gemma-3-4b/model.gguf", "1");
  write(".cache/llama.cpp/smollm2.gguf", "1");
  write("Downloads/mistral.gguf", "1");
  write("Downloads/invoice.pdf", "1");
  write("models/llama/llama-3.gguf", "1");
  EXPECT_THAT(names(), ElementsAre("Downloads: mistral", "GPT4All: Phi-3", "Jan: gemma-3-4b",
                                   "LM Studio: qwen2.5-3b-q4_k_m", "llama.cpp: smollm2", "models: llama-3"));
  EXPECT_EQ(find()[3].bytes, 7U);
}

TEST_F(FoundModelsTest, OllamaHasThemByManifest) {
  const std::string blob = write(std::string(".ollama/models/blobs/sha256-") + kDigest, "weights");
  write_ollama("library/llama3.2/3b", kDigest);
  write_ollama("somebody/llama3.2/mine", kDigest);
  write_ollama("library/gone/latest", std::string(64, 'f'));
  const std::vector<FoundModel> models = find();
  ASSERT_EQ(models.size(), 1U) << "two names of one file are one model, and a blob that is not there is none";
  EXPECT_EQ(models[0].path, blob);
  EXPECT_EQ(models[0].program, "Ollama");
  EXPECT_EQ(models[0].bytes, 7U);
  EXPECT_TRUE(models[0].name == "llama3.2:3b" || models[0].name == "somebody/llama3.2:mine") << models[0].name;
}

TEST_F(FoundModelsTest, ManifestsAreNotTrusted) {
  write("secret", "1");
  write(".ollama/models/blobs/sha256-", "1");
  const std::string folder = ".ollama/models/manifests/registry.ollama.ai/library/bad/";
  write_ollama("library/bad/path", "../../../../secret");
  write(folder + "text", "weights");
  write(folder + "empty", "");
  write(folder + "list", "[1, 2]");
  write(folder + "number", R"({"layers": 7})");
  write(folder + "layers",
        R"({"layers": [7, null, {"mediaType": 3}, {"mediaType": "application/vnd.ollama.image.model"}]})");
  write(folder + "long", std::string(2 << 20, ' '));
  EXPECT_THAT(find(), IsEmpty());
}

TEST_F(FoundModelsTest, FilesOfTheHubAreLinks) {
  const std::string repository = ".cache/huggingface/hub/models--Qwen--Qwen3-GGUF/";
  const std::string blob = write(repository + "blobs/abc", "1234");
  fs::create_directories(home_ + "/" + repository + "snapshots/1/sub");
  fs::create_symlink(blob, home_ + "/" + repository + "snapshots/1/qwen3.gguf");
  fs::create_symlink(blob, home_ + "/" + repository + "snapshots/1/sub/again.gguf");
  fs::create_symlink(home_ + "/nowhere", home_ + "/" + repository + "snapshots/1/dangling.gguf");
  const std::vector<FoundModel> models = find();
  ASSERT_EQ(models.size(), 1U) << "each file once";
  EXPECT_EQ(models[0].program, "Hugging Face");
  EXPECT_EQ(models[0].bytes, 4U);
}

TEST_F(FoundModelsTest, PartsAreOneModelAndProjectorsNone) {
  write("models/big-00001-of-00002.gguf", "123");
  write("models/big-00002-of-00002.gguf", "45");
  write("models/coming-00001-of-00002.gguf", "123");
  write("models/mmproj-model-f16.gguf", "1");
  const std::vector<FoundModel> models = find();
  ASSERT_EQ(models.size(), 1U) << "one of which a part is missing is still on its way";
  EXPECT_EQ(models[0].name, "big");
  EXPECT_EQ(models[0].bytes, 5U);
  EXPECT_TRUE(models[0].path.ends_with("big-00001-of-00002.gguf"));
}

TEST_F(FoundModelsTest, VariablesMoveThem) {
  write("ollama/blobs/sha256-" + std::string(kDigest), "1");
  write("ollama/manifests/registry.ollama.ai/library/qwen3/latest",
        std::string(R"({"layers":[{"mediaType":"application/vnd.ollama.image.model","digest":"sha256:)") + kDigest +
            "\"}]}");
  write("hub/models--a--b/snapshots/1/hub.gguf", "1");
  write("cache/cpp.gguf", "1");
  const std::vector<FoundModel> models =
      find({{"OLLAMA_MODELS", home_ + "/ollama"}, {"HF_HUB_CACHE", home_ + "/hub"}, {"LLAMA_CACHE", home_ + "/cache"}});
  ASSERT_EQ(models.size(), 3U);
  EXPECT_EQ(models[0].name, "hub");
  EXPECT_EQ(models[1].name, "qwen3:latest");
  EXPECT_EQ(models[2].name, "cpp");
}

TEST(ModelFiles, AreThePathOrAllPartsByTheirNames) {
  EXPECT_THAT(model_files("/m/qwen.gguf"), ElementsAre("/m/qwen.gguf"));
  EXPECT_THAT(model_files("/m/qwen-00002-of-00002.gguf"),
              ElementsAre("/m/qwen-00001-of-00002.gguf", "/m/qwen-00002-of-00002.gguf"));
}

TEST_F(FoundModelsTest, OneIsFoundByTheNameThatTheListGivesIt) {
  const std::string first = write(".local/share/nomic.ai/GPT4All/mistral.gguf", "1");
  write("models/mistral.gguf", "1");
  write("models/odd.gguf.gguf", "1");
  const std::vector<ModelPlace> places{{"models", home_ + "/models", 1},
                                       {"GPT4All", home_ + "/.local/share/nomic.ai/GPT4All", 1}};
  const std::optional<FoundModel> model = find_model(places, "mistral");
  ASSERT_TRUE(model.has_value());
  EXPECT_EQ(model->path, first) << "the list is sorted by program";
  EXPECT_FALSE(find_model(places, "Mistral").has_value());
  EXPECT_FALSE(find_model(places, "odd.gguf").has_value()) << "what can only be a file is not looked for";
}

TEST_F(FoundModelsTest, WithoutAHomeThereAreNone) {
  EXPECT_THAT(model_places([](const std::string&) { return std::string(); }), IsEmpty());
}

TEST_F(FoundModelsTest, CancellingEndsIt) {
  write("Downloads/mistral.gguf", "1");
  CancelToken cancel;
  cancel.cancel();
  EXPECT_THAT(find_models({{"Downloads", home_ + "/Downloads", 1}}, cancel), IsEmpty());
}

}  // namespace
}  // namespace mneme::rag
