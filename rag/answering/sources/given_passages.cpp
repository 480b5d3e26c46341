#include "rag/answering/sources/given_passages.h"

#include <utility>

#include "base/hash.h"
#include "rag/document.h"
#include "rag/indexing/file_loader.h"
#include "rag/indexing/file_walker.h"
#include "rag/readers/process/reader_worker.h"
#include "rag/readers/reader.h"

namespace mneme::rag {
namespace {

// Nothing was searched: it is as good as can be.
constexpr double kGivenScore = 1.0;

Hit whole_file(std::string path, Document document) {
  Hit hit;
  hit.document = std::move(path);
  hit.title = document.title;
  hit.form = form_of(document.format);
  hit.score = kGivenScore;
  hit.byte_end = document.text.size();
  if (!document.blocks.empty()) {
    hit.line_start = document.blocks.front().line_begin;
    hit.line_end = document.blocks.back().line_end;
    hit.page = document.blocks.front().page;
  }
  hit.chunk = xxh3_128(as_bytes(document.text)).hex();
  hit.text = std::move(document.text);
  while (hit.text.ends_with('\n')) hit.text.pop_back();
  return hit;
}

}  // namespace

Hit given_passage(const ContextPassage& passage) {
  Hit hit;
  hit.document = passage.document;
  hit.title = passage.title;
  hit.text = passage.text;
  hit.score = kGivenScore;
  hit.byte_end = passage.text.size();
  hit.chunk = xxh3_128(as_bytes(passage.text)).hex();
  return hit;
}

Result<std::vector<Hit>> passages_of_file(const std::string& path, const CancelToken& cancel) {
  const std::string absolute = absolute_path(path);
  readers::ReadLimits limits;
  limits.cancel = &cancel;
  std::vector<Hit> hits;
  MNEME_RETURN_IF_ERROR(readers::read_file_apart(absolute, limits, [&](readers::ReadItem item) -> Status {
    MNEME_RETURN_IF_ERROR(item.status);
    hits.push_back(whole_file(member_path(absolute, item.member), std::move(item.document)));
    return {};
  }));
  return hits;
}

}  // namespace mneme::rag
