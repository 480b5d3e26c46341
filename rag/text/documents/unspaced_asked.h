// Questions for documents in languages that are read without regard to spaces (Chinese, Japanese, Korean): 最新的发票,
// 請求書は何枚, 지하실을 언급하는 문서. What is known is cut out of the question; the rest is a name. Threads: pure
// functions.
#pragma once

#include <chrono>
#include <string_view>

#include "rag/text/documents/asked_dated.h"
#include "rag/text/documents/asked_gist.h"
#include "rag/text/documents/asked_listing.h"
#include "rag/text/documents/asked_tasks.h"

namespace mneme::rag {

AskedDated unspaced_dated(std::string_view question, std::chrono::sys_days today);
AskedListing unspaced_listing(std::string_view question);
AskedGist unspaced_gist(std::string_view question);
AskedTasks unspaced_tasks(std::string_view question);
bool is_unspaced_task_heading(std::string_view text);

}  // namespace mneme::rag
