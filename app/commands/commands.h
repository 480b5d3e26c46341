// One function per command: declares its options on `root` and the action that runs it. The order stands in
// app/command_list.cpp. Threads: the main thread.
#pragma once

#include "app/cli/command_line.h"

namespace mneme::app {

void add_index(Command root);
void add_ask(Command root);
void add_chat(Command root);
void add_search(Command root);
void add_generate(Command root);
void add_tokenize(Command root);
void add_perplexity(Command root);
void add_eval(Command root);
void add_bench(Command root);
void add_model(Command root);
void add_collection(Command root);
void add_document(Command root);
void add_forget(Command root);
void add_status(Command root);
void add_verify(Command root);
void add_gc(Command root);
void add_encryption(Command root);
void add_reference(Command root);
void add_gui(Command root);
void add_serve(Command root);

}  // namespace mneme::app
