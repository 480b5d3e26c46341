// Any bytes as the JSON that comes from outside: question sets of every format, and the saved details of a message.
#include "app/eval/eval_set.h"
#include "tests/fuzz/fuzz_input.h"
#include "ui/view_model/message_view.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using mneme::app::EvalFormat;
  static constexpr EvalFormat kFormats[] = {EvalFormat::kAuto, EvalFormat::kSquad, EvalFormat::kMusique,
                                            EvalFormat::kLongchat, EvalFormat::kJsonl};
  mneme::fuzz::Input input(data, size);
  const uint8_t what = input.byte();
  if (what % 6 == 5) {
    mneme::ui::MessageView message;
    mneme::ui::read_details(std::string(input.rest()), message);
    mneme::ui::ConversationView chat;
    chat.messages.push_back(std::make_shared<mneme::ui::MessageView>(std::move(message)));
    mneme::fuzz::require(!mneme::ui::export_json(chat).empty() && !mneme::ui::export_markdown(chat).empty());
    return 0;
  }
  const auto set = mneme::app::parse_eval_set(input.rest(), kFormats[what % 6], "fuzz");
  mneme::fuzz::require(set.ok() || !set.status().message().empty());
  if (!set.ok()) return 0;
  const mneme::app::EvalCorpus corpus = mneme::app::corpus_of(*set);
  for (const mneme::app::EvalQuestion& question : set->questions) {
    (void)mneme::app::split_title(question);
    (void)mneme::app::pad_with_distractors(question, corpus, 4, 1);
  }
  return 0;
}
