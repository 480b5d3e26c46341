// Which candidates cannot answer as long as others can: those without the number, the address, the quality that is
// asked for, and those that ask themselves. What they must be about: thing_filters.h. Threads: pure functions.
#pragma once

#include "rag/quoting/asked_passages.h"
#include "rag/quoting/quote_candidate.h"

namespace mneme::rag {

// Where something is counted or measured, what holds no such number answers nothing as long as something else does.
void keep_with_quantity(const AskedPassages& asked, QuoteCandidates& candidates);
// ... and where a telephone number or an address is asked for, what holds none.
void keep_with_contact(const QuoteQuestion& question, QuoteCandidates& candidates);
// "What colour is the sofa?" is not answered by "300 g red lentils": a word of the kind that is asked for counts beside
// another word of the question, or under one.
void keep_with_quality(const AskedPassages& asked, QuoteCandidates& candidates);
// The head of a mail ("From: ...; Subject: ...") names much and says nothing of it.
void drop_letterheads(QuoteCandidates& candidates);
// A sentence that speaks of what is asked only where it quotes a question ("Ask it \"When is the bin emptied?\"", as
// what describes this program does) is no answer, whatever else there is.
void drop_quoted_questions(const AskedPassages& asked, QuoteCandidates& candidates);
// A question that the text asks itself is no answer, as long as anything else is worth quoting.
void keep_statements(QuoteCandidates& candidates);
// What stands first under the name of a thing says what it is, unless it does not speak of it and another sentence
// there does: "An externality is ..." behind "Private markets offer ...".
void prefer_naming_definitions(const QuoteQuestion& question, QuoteCandidates& candidates);
// What is written in other letters than the question comes behind what is written in the same.
void prefer_same_letters(std::string_view question, QuoteCandidates& candidates);
// "Date: 16 May" says when it is of which the document is, "Departure: 8:40" only a part of it; so with "Price: 1,250".
void prefer_labelled_kind(QuoteCandidates& candidates);
// "title: Observability", above a document of that title, says no more than its name.
void drop_titles(const AskedPassages& asked, QuoteCandidates& candidates);
// Of what a conversation is about, what answers the question at hand (QuotedSentence::fits).
void keep_fitting(const QuoteQuestion& question, QuoteCandidates& candidates);

// Whether it answers what is asked, not only what the conversation is about.
bool fits_question(const AskedPassages& asked, const QuoteCandidate& candidate);

}  // namespace mneme::rag
