// Which candidates tell of something else than what is asked about: without its sign, its name, its number, or where
// nothing tells of it at all. What kind of thing must be told: quote_filters.h. Threads: pure functions.
#pragma once

#include "rag/quoting/asked_passages.h"
#include "rag/quoting/quote_candidate.h"

namespace mneme::rag {

// A sign that is asked about is the matter of the question: where it occurs, nothing else answers.
void keep_with_symbols(const QuoteQuestion& question, QuoteCandidates& candidates);
// What is called by a name is looked for where that name stands: in its own document, else in sentences that bear the
// name or follow one that does. "Who wrote PEP 20?" is not answered by the author of PEP 8.
void keep_with_names(const AskedPassages& asked, QuoteCandidates& candidates);
// "What does exit status 6 mean?" is told where the 6 stands, in the sentence or above it: of 4 something else is.
void keep_with_code(const AskedPassages& asked, QuoteCandidates& candidates);
// Who wrote or signed something is told where a sentence, what stands right before it or its heading says so.
void keep_with_author(const AskedPassages& asked, QuoteCandidates& candidates);
// Of "the default timeout" tells only what says that it is one, itself, by the name of its column or its heading, or
// what says all else that is asked with a number.
void keep_with_default(const AskedPassages& asked, QuoteCandidates& candidates);
// Where something that is asked about is told of nowhere ("How much does the conductor earn?"), what does not even hold
// the kind of thing asked for answers nothing.
void drop_untold(const AskedPassages& asked, QuoteCandidates& candidates);
// "When did I sow carrots?", of which only the sowing is told: everything, where no passage tells of what something is
// said to happen to.
void drop_of_other_things(const AskedPassages& asked, QuoteCandidates& candidates);
// "Ruth Amsel's blood pressure" is not that of whom she examined: a line under a label is not hers whom the passage
// names in another such line alone ("Examined by: Ruth Amsel"), and neither title nor headings.
void drop_of_others(const AskedPassages& asked, QuoteCandidates& candidates);
// Of a number that is asked of a thing ("How large is a page of KV?"), or what somebody has, tells only what speaks of
// it, itself or by what stands above or before it.
void keep_with_subject(const AskedPassages& asked, QuoteCandidates& candidates);
// Of what is to be done in something ("How do I report a bug in bash?") tells only what names it, or stands under its
// name.
void drop_of_other_places(const AskedPassages& asked, QuoteCandidates& candidates);
// Drops, where a part of something is asked for ("the warranty of the washing machine"): what stands in a passage
// that tells of nothing by that name.
void drop_of_other_wholes(const AskedPassages& asked, QuoteCandidates& candidates);
// Of what something is asked of that no passage speaks of ("Who is the mayor of Utrecht?"), only what stands under its
// name in other words is told.
void drop_without_subject(const AskedPassages& asked, QuoteCandidates& candidates);

}  // namespace mneme::rag
