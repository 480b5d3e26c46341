// What the window has been asked to index and has not finished yet. Kept in the catalogue, so that it goes on at the
// next start. Threads: values.
#pragma once

#include <deque>
#include <string>
#include <vector>

namespace mneme::ui {

struct IndexRequest {
  std::string collection;
  std::vector<std::string> paths;
  bool recognise = false;      // scans by OCR
  bool remember_roots = true;  // the paths are what the collection is made from; false: only files of it, read again
  bool operator==(const IndexRequest&) const = default;
};

std::string requests_to_json(const std::deque<IndexRequest>& requests);
// Also reads the one request that earlier versions kept. What is damaged is left out.
std::deque<IndexRequest> requests_from_json(const std::string& text);

}  // namespace mneme::ui
