// English.
#include "rag/text/languages/paper_words.h"

namespace mneme::rag::papers {

const PaperWords kEnglish = {
    .salutations = "dear, to whom it may concern, hello, hi, my dear, dearest",
    .closings =
        "yours sincerely, yours faithfully, yours truly, sincerely, sincerely yours, kind regards, best regards, warm "
        "regards, regards, with kind regards, with best regards, best wishes, with best wishes, all good wishes, all "
        "the best, with love, with much love, much love, lots of love, love, yours, best, respectfully, cordially",
    .totals =
        "total, grand total, total due, amount due, total amount, balance due, amount payable, invoice total, total "
        "payable, to pay, amount paid, total paid",
    .defects =
        "broken, breaks, defective, defect, defects, faulty, fault, damaged, damage, cracked, crack, cracks, leak, "
        "leaks, leaking, leaky, drips, dead, loose, missing, stuck, jammed, jams, blocked, clogged, flickers, "
        "flickering, beeps, squeaks, rattles, noisy, smells, rusty, rotten, mould, mouldy, worn, worn out, torn, "
        "scratched, scratch, scratches, stain, stains, comes off, comes loose, fell off, falls off, came off, does "
        "not, doesn t, do not, don t, did not, didn t, won t, will not, cannot, can t, no longer, not working, out of "
        "order, too hot, too cold, overheats, slips, only works, fails, failed, needs a new, needs new, to be "
        "replaced, burnt out, blown, dents, dent, peeling, wobbles, wobbly, spots",
};

}  // namespace mneme::rag::papers
