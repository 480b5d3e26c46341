// Made-up documents for measuring the index: words distributed as in language (Zipf), the commonest of them real
// English function words, so that questions hold stop words as people's do. The same seed gives the same corpus.
// Threads: one at a time per Random.
#pragma once

#include <memory>
#include <string>

#include "app/context.h"
#include "app/output/progress.h"
#include "base/random.h"
#include "base/status.h"
#include "rag/indexing/indexer.h"
#include "rag/workspace.h"

namespace mneme::app {

// `words` words in sentences of twelve.
std::string synthetic_text(Random& random, int words);

// A folder of Markdown files with `chunks` passages of about 512 tokens, ten to a file, a thousand files to a folder.
// A folder that already holds such a corpus of this size is left as it is; kUsage for one of another size.
Status write_synthetic_corpus(const std::string& folder, int chunks, uint64_t seed);

// A workspace in a home of its own, with the embedder the user chose and no language model.
Result<std::unique_ptr<rag::Workspace>> bench_workspace(const Context& context, const std::string& home);

// Indexes a folder; `bar` may be null. kCancelled when interrupted.
Result<rag::IndexReport> bench_index_folder(Context& context, rag::Workspace& workspace, const std::string& folder,
                                            Progress* bar);

}  // namespace mneme::app
