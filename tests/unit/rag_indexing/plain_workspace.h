// A home for tests of indexing and retrieval; most need neither a language model nor a trained embedder.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "rag/workspace.h"

namespace mneme::rag {

// Null, and the test has failed, when it can't be opened.
inline std::unique_ptr<Workspace> open_plain_workspace(const std::string& home, int n_threads = 1,
                                                       const std::string& embedder = "hashed",
                                                       const std::string& model = "none") {
  WorkspaceOptions options;
  options.home = home;
  options.model = model;
  options.embedder = embedder;
  options.n_threads = n_threads;
  auto opened = Workspace::open(options);
  EXPECT_TRUE(opened.ok()) << opened.status().message();
  return opened.ok() ? *std::move(opened) : nullptr;
}

}  // namespace mneme::rag
