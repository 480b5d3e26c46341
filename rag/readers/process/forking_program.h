// Runs a program of one document, as run_child() does, without starting it for each: started once, it forks a child
// where it would open the document (preload/fork_at_document.cpp). Linking pdftotext's thirty libraries and building
// its tables takes as long as reading two pages. Children have the limits and the sandbox of run_child(); in addition
// they can start nothing, so that nothing of a document outlives it. The program itself sees no document. Few documents
// share a memory layout, and none comes behind one that crashed: layouts cannot be tried out.
// Ownership: each thread has a program of its own, which ends with the thread. Threads: any number of calls.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "rag/readers/process/child_process.h"

namespace mneme::readers {

// As run_child(), for a program that opens /dev/stdin for its document, a file that can be opened anew. One that cannot
// be kept (it never opens /dev/stdin, is linked statically, takes no libraries) is run by run_child().
Result<ChildResult> run_forked_child(const std::vector<std::string>& argv, int stdin_fd, const ChildLimits& limits,
                                     const std::function<Status(std::string_view)>& on_output);

}  // namespace mneme::readers
