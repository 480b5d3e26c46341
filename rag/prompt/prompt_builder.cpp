#include "rag/prompt/prompt_builder.h"

#include <algorithm>

#include "base/utf8.h"
#include "engine/tokenizer/chat_template.h"
#include "engine/tokenizer/tokenizer.h"
#include "rag/text/languages/notes.h"

namespace mneme::rag {

namespace {

using engine::TokenId;

// Earlier turns may take this share of the room; the documents come first.
constexpr int kHistoryShare = 4;

void append(std::vector<TokenId>& ids, const std::vector<TokenId>& more) {
  ids.insert(ids.end(), more.begin(), more.end());
}

// Titles come from documents: one line, not too long.
std::string label_title(std::string_view title) {
  constexpr size_t kLongestTitle = 200;  // bytes
  std::string line(title.substr(0, utf8::floor_boundary(title, kLongestTitle)));
  std::replace_if(line.begin(), line.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
  return line;
}

class Builder {
 public:
  Builder(const engine::Tokenizer& tokenizer, const PromptFrame& frame, const PromptLayout& layout,
          const PromptRequest& request)
      : tokenizer_(tokenizer), frame_(frame), layout_(layout), request_(request) {}

  Result<Prompt> build() {
    prompt_.prefix = frame_.prefix;
    prompt_.plan.prefix_tokens = static_cast<int>(frame_.prefix.size());
    std::vector<TokenId> tail = encode(layout_.question.fill({{"text", request_.question}}));
    append(tail, frame_.suffix);
    std::vector<TokenId> middle;
    if (!request_.instructions.empty()) middle = encode(request_.instructions + "\n");
    if (request_.short_answer) append(middle, encode(layout_.short_instruction));
    room_ = request_.budget_tokens - static_cast<int>(frame_.prefix.size() + tail.size() + middle.size());
    if (room_ < 0) {
      return resource_error("the question needs more tokens than the model's context holds; ask a shorter one");
    }
    std::vector<TokenId> earlier = history();
    passages();
    if (!middle.empty()) prompt_.plan.segments.push_back({std::move(middle), -1, false});
    if (!earlier.empty()) {
      prompt_.history_segment = static_cast<int>(prompt_.plan.segments.size());
      prompt_.plan.segments.push_back({std::move(earlier), -1, false});
    }
    prompt_.plan.segments.push_back({std::move(tail), -1, true});
    return std::move(prompt_);
  }

 private:
  std::string note(Note note, std::initializer_list<NoteFilling> fillings) const {
    return note_for(request_.question, note, fillings);
  }

  std::vector<TokenId> encode(std::string_view text) const { return tokenizer_.encode_continuation(text); }

  // The newest turns that fit into their share.
  std::vector<TokenId> history() {
    std::vector<std::vector<TokenId>> turns;
    int left = room_ / kHistoryShare;
    size_t dropped = request_.history.size();
    for (size_t i = request_.history.size(); i-- > 0;) {
      std::vector<TokenId> ids = turn_ids(tokenizer_, layout_, request_.history[i]);
      if (static_cast<int>(ids.size()) > left) break;
      left -= static_cast<int>(ids.size());
      room_ -= static_cast<int>(ids.size());
      turns.push_back(std::move(ids));
      dropped = i;
    }
    if (dropped > 0) prompt_.notes.push_back(note(&NoteTexts::turns_left_out, {{"n", std::to_string(dropped)}}));
    std::vector<TokenId> joined;
    for (size_t i = turns.size(); i-- > 0;) append(joined, turns[i]);
    return joined;
  }

  void passages() {
    const std::vector<TokenId> end = encode(layout_.chunk_end);
    for (size_t i = 0; i < request_.passages.size(); ++i) {
      const PromptPassage& passage = request_.passages[i];
      const std::string n = std::to_string(i + 1);
      std::vector<TokenId> label = encode(layout_.label.fill({{"n", n}, {"title", label_title(passage.title)}}));
      std::vector<TokenId> chunk = chunk_token_ids(tokenizer_, passage.text);
      const int needed = static_cast<int>(label.size() + chunk.size() + end.size());
      if (needed > room_) {
        const int fits = room_ - static_cast<int>(label.size() + end.size());
        if (i > 0 || fits <= 0) {
          prompt_.notes.push_back(
              note(&NoteTexts::passages_left_out, {{"n", std::to_string(request_.passages.size() - i)},
                                                   {"all", std::to_string(request_.passages.size())}}));
          return;
        }
        prompt_.notes.push_back(
            note(&NoteTexts::passage_cut, {{"n", std::to_string(fits)}, {"all", std::to_string(chunk.size())}}));
        chunk.resize(static_cast<size_t>(fits));
      }
      room_ -= static_cast<int>(label.size() + chunk.size() + end.size());
      prompt_.chunk_tokens += static_cast<int>(chunk.size());
      prompt_.plan.segments.push_back({std::move(label), -1, false});
      // An empty passage has no rows to cache.
      if (!chunk.empty()) prompt_.plan.segments.push_back({std::move(chunk), static_cast<int>(i), false});
      if (!end.empty()) prompt_.plan.segments.push_back({end, -1, false});
      prompt_.text_hashes.push_back(xxh3_128(as_bytes(request_.passages[i].text)));
      prompt_.n_passages = static_cast<int>(i) + 1;
    }
  }

  const engine::Tokenizer& tokenizer_;
  const PromptFrame& frame_;
  const PromptLayout& layout_;
  const PromptRequest& request_;
  Prompt prompt_;
  int room_ = 0;
};

}  // namespace

std::vector<TokenId> Prompt::all_ids() const {
  std::vector<TokenId> ids = prefix;
  for (const engine::PromptSegment& segment : plan.segments) append(ids, segment.ids);
  return ids;
}

int Prompt::n_before_history() const {
  const size_t n_after = history_segment >= 0 ? plan.segments.size() - static_cast<size_t>(history_segment) : 1;
  size_t n = prefix.size();
  for (size_t i = 0; i + n_after < plan.segments.size(); ++i) n += plan.segments[i].ids.size();
  return static_cast<int>(n);
}

int Prompt::n_with_history() const {
  if (history_segment < 0) return n_before_history();
  return n_before_history() + static_cast<int>(plan.segments[static_cast<size_t>(history_segment)].ids.size());
}

std::vector<TokenId> turn_ids(const engine::Tokenizer& tokenizer, const PromptLayout& layout, const Turn& turn) {
  std::vector<TokenId> ids = tokenizer.encode_continuation(layout.history_question.fill({{"text", turn.question}}));
  append(ids, tokenizer.encode_continuation(layout.history_answer.fill({{"text", turn.answer}})));
  return ids;
}

std::vector<TokenId> chunk_token_ids(const engine::Tokenizer& tokenizer, std::string_view text) {
  return tokenizer.encode(text);
}

Result<PromptFrame> prompt_frame(const engine::Tokenizer& tokenizer, const engine::ChatTemplate* chat_template,
                                 const PromptLayout& layout) {
  PromptFrame frame;
  if (chat_template != nullptr) {
    MNEME_ASSIGN_OR_RETURN(engine::ChatTemplate::Frame around, chat_template->frame(layout.system, tokenizer));
    frame.prefix = std::move(around.before);
    frame.suffix = std::move(around.after);
    frame.has_template = true;
    frame.thinking = around.thinking;
    return frame;
  }
  if (tokenizer.add_bos() && tokenizer.bos() != engine::kNoToken) frame.prefix.push_back(tokenizer.bos());
  append(frame.prefix, tokenizer.encode(layout.system + "\n"));
  frame.suffix = tokenizer.encode_continuation(layout.answer_header);
  return frame;
}

Result<Prompt> build_prompt(const engine::Tokenizer& tokenizer, const PromptFrame& frame, const PromptLayout& layout,
                            const PromptRequest& request) {
  return Builder(tokenizer, frame, layout, request).build();
}

}  // namespace mneme::rag
