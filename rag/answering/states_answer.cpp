#include "rag/answering/states_answer.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rag/answering/sources/matter_words.h"
#include "rag/quoting/outline/passage_outline.h"
#include "rag/quoting/outline/sentence_shapes.h"
#include "rag/retrieval/retriever.h"
#include "rag/text/asked/state.h"
#include "rag/text/documents/document_names.h"
#include "rag/text/languages/language.h"
#include "rag/workspace.h"

namespace mneme::rag {
namespace {

constexpr int kSearched = 30;      // passages that are looked at
constexpr size_t kMostQuoted = 6;  // parts

struct ToldState {
  size_t hit = 0;  // index
  Stretch span;
  std::string text;
};

struct ToldStates {
  std::vector<ToldState> named;  // of the thing itself
  std::vector<ToldState> under;  // under its name
};

bool may_tell(const OutlinePart& part) {
  return !part.span.is_heading() && part.span.kind != SentenceKind::kTableHead && !is_question(part.raw);
}

// A sentence, an item or a row says it of the thing that it names.
void look_at(const Hit& hit, size_t index, const MatterWords& thing, Language language, ToldStates& told) {
  const std::string context = called_by_path(hit.document, hit.names) + "\n" + hit.title + "\n" + hit.heading_path;
  const PassageOutline outline(hit.text, context, hit.title, hit.form);
  if (outline.form() == TextForm::kSource) return;
  const bool titled = thing.are_in(context);
  for (size_t i = 0; i < outline.parts().size(); ++i) {
    const OutlinePart& part = outline.parts()[i];
    const std::string text = outline.text_of(i);
    if (!may_tell(part) || !tells_defect(text, language)) continue;
    ToldState state{index, {part.span.byte_begin, part.span.byte_end}, text};
    const std::string heading = part.heading >= 0 ? outline.heading_text(part) : std::string();
    if (thing.are_in(text)) {
      told.named.push_back(std::move(state));
    } else if (titled || (!heading.empty() && thing.are_in(heading + "\n" + text))) {
      if (!heading.empty() && !titled) state.text.insert(0, heading + ": ");
      told.under.push_back(std::move(state));
    }
  }
}

void write(const std::vector<ToldState>& states, std::vector<Hit>& hits, Answer& answer) {
  std::vector<int> numbers(hits.size(), 0);
  for (size_t i = 0; i < std::min(states.size(), kMostQuoted); ++i) {
    const ToldState& state = states[i];
    int& n = numbers[state.hit];
    if (n == 0) {
      n = static_cast<int>(answer.sources.size()) + 1;
      Hit hit = std::move(hits[state.hit]);
      hit.rank = n;
      answer.sources.push_back({n, std::move(hit), true, true});
    }
    answer.sources[static_cast<size_t>(n - 1)].quotes.push_back(state.span);
    answer.text += (answer.text.empty() ? "" : "\n") + state.text + " [" + std::to_string(n) + "]";
  }
}

}  // namespace

Result<bool> answer_by_states(Workspace& workspace, const Asked& asked, Answer& answer) {
  if (!asked.options.passages.empty() || !asked.options.context_files.empty()) return false;
  const std::string wanted = thing_in_question_of_state(asked.question);
  if (wanted.empty()) return false;
  const Language language = language_of(asked.question);
  const MatterWords thing(wanted, language);
  if (thing.empty()) return false;
  SearchOptions search = asked.options.search;
  search.top_k = kSearched;
  MNEME_ASSIGN_OR_RETURN(SearchResult result, Retriever(workspace).search(wanted, search, asked.cancel));
  ToldStates told;
  for (size_t i = 0; i < result.hits.size(); ++i) look_at(result.hits[i], i, thing, language, told);
  const std::vector<ToldState>& states = told.named.empty() ? told.under : told.named;
  if (states.empty()) return false;
  write(states, result.hits, answer);
  return true;
}

}  // namespace mneme::rag
