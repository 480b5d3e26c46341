// English: what the others are translations of; placeholders stand for what is filled in.
#include "rag/text/languages/notes.h"

namespace mneme::rag::notes {

const NoteTexts kEnglish = {
    .digit_groups = ",",
    .not_said = "The documents do not say.",
    .parts_not_said = "the documents do not say: {parts}",
    .rows_not_reckoned = "rows are quoted, nothing is reckoned from them",
    .rows_added_up = "Rows added up: {n}",
    .rows_counted_once = "Rows that several documents hold, counted once: {n}",
    .payments_compared = "Payments compared: {n}",
    .payments_averaged = "Payments averaged: {n}",
    .bills_added_up = "Bills added up: {n}",
    .no_payments = "neither tables nor bills tell of such payments",
    .only_quoted = "quotations only: {why}",
    .no_such_source = "the answer names [{n}], which is no source",
    .listed_about = "{n} of {all} documents that speak of it; `mneme search` finds the others",
    .listed_dated = "{n} of {all} documents",
    .listed_tasks = "{n} of {all} tasks",
    .no_task_open = "Nothing of this is open any more",
    .by_file_date = "\"changed\": the document tells no date, that of its file's last change stands for it",
    .dated = "dated {date}",
    .named = "named {date}",
    .changed = "changed {date}",
    .taken_in = "taken in {date}",
    .held = "{collection}: documents: {documents}, passages: {passages}, from {folders}.",
    .gist_read = "{n} of the {all} passages of {document} were read: its beginning, and others at equal distances",
    .also_called = "also called so: {others}",
    .which_document = "which document is meant is not clear; name it by its title or its file",
    .no_page = "{document} has no page {page}",
    .not_all_with = "nothing answers it all with \"{word}\"; looked for \"{other}\" instead",
    .no_passage_says = "no passage says \"{word}\"; looked for \"{other}\" instead",
    .looked_for = "looked for \"{other}\" instead",
    .no_vectors =
        "the collection {collection} has no vectors of the embedder {embedder} yet; found by words alone while they "
        "are made; `mneme index` makes them at once",
    .not_reranked = "not reranked by {by}: {why}",
    .no_date = "{filter} is no date (YYYY-MM-DD, YYYY-MM or YYYY), so it was searched for as words",
    .no_filter = "{filter} names nothing to filter by, so it was searched for as words",
    .repeats_left_out = "left out, since they nearly repeat better passages: {n}",
    .no_match = "no indexed document matches {filters}",
    .either = " or ",
    .no_match_of_all = "no indexed document matches all of {filters}",
    .no_passage_of_match = "no passage of the documents that match {filters} goes with these words",
    .nothing_goes_with = "nothing that is indexed goes with these words; try others.",
    .collection_empty = "the collection {collection} holds no documents yet.",
    .nothing_indexed = "no document is indexed yet; `mneme index FOLDER` reads one in.",
    .welcome = "You are welcome.",
    .greeting = "Hello! What would you like to know?",
    .caches_not_measured =
        "this model's caches were not measured yet, so everything was computed; `mneme model add FILE` measures them "
        "once",
    .being_tried_out = "this model is being tried out, so everything was computed; later answers begin sooner",
    .caches_differ =
        "this model answers differently from repaired caches (KL {kl}, {percent} % of the likeliest tokens equal at a "
        "share of {share}), so everything is computed; --recompute R overrides that",
    .goal_had_no_say = "the time goal had no say, since everything was computed",
    .ends_in_middle = "the answer ends in the middle: {why}",
    .still_thinking =
        "the model came to no answer within the {n} tokens that it may think; ask a narrower question, or use a model "
        "that answers at once",
    .turns_left_out = "earlier turns left out, since they did not fit: {n}",
    .passages_left_out = "{n} of {all} passages did not fit into the model's context and were left out",
    .passage_cut = "the first passage was cut to {n} of {all} tokens to fit the model's context",
    .cache_recomputed = "a stored KV cache could not be used and was computed again: {why}",
};

}  // namespace mneme::rag::notes
