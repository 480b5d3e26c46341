// Which candidates cannot answer as long as others can: those without the sign, the name, the number, the address that
// is asked for, and those that ask themselves. Threads: pure functions.
#pragma once

#include <vector>

#include "rag/quoting/asked_passages.h"
#include "rag/quoting/quote_candidate.h"

namespace mneme::rag {

using QuoteCandidates = std::vector<QuoteCandidate>;

// A sign that is asked about is the matter of the question: where it occurs, nothing else answers.
void keep_with_symbols(const QuoteQuestion& question, QuoteCandidates& candidates);
// What is called by a name is looked for where that name stands: in its own document, else in sentences that bear the
// name or follow one that does. "Who wrote PEP 20?" is not answered by the author of PEP 8.
void keep_with_names(const AskedPassages& asked, QuoteCandidates& candidates);
// Where something is counted or measured, what holds no such number answers nothing as long as something else does.
void keep_with_quantity(const AskedPassages& asked, QuoteCandidates& candidates);
// ... and where a telephone number or an address is asked for, what holds none.
void keep_with_contact(const QuoteQuestion& question, QuoteCandidates& candidates);
// "What colour is the sofa?" is not answered by "300 g red lentils": a word of the kind that is asked for counts beside
// another word of the question, or under one.
void keep_with_quality(const AskedPassages& asked, QuoteCandidates& candidates);
// The head of a mail ("From: ...; Subject: ...") names much and says nothing of it.
void drop_letterheads(QuoteCandidates& candidates);
// Where something that is asked about is told of nowhere ("How much does the conductor earn?"), what does not even hold
// the kind of thing asked for answers nothing.
void drop_untold(const AskedPassages& asked, QuoteCandidates& candidates);
// Of what something is asked of that no passage speaks of ("Who is the mayor of Utrecht?"), only what stands under its
// name in other words is told.
void drop_without_subject(const AskedPassages& asked, QuoteCandidates& candidates);
// A question that the text asks itself is no answer, as long as anything else is worth quoting.
void keep_statements(QuoteCandidates& candidates);
// "title: Observability", above a document of that title, says no more than its name.
void drop_titles(const AskedPassages& asked, QuoteCandidates& candidates);
// Of what a conversation is about, what answers the question at hand (QuotedSentence::fits).
void keep_fitting(const QuoteQuestion& question, QuoteCandidates& candidates);

// Whether it answers what is asked, not only what the conversation is about.
bool fits_question(const AskedPassages& asked, const QuoteCandidate& candidate);

}  // namespace mneme::rag
