// English.
#include "rag/text/languages/document_words.h"

namespace mneme::rag::documents {

const DocumentWords kEnglish = {
    .kinds =
        {.document = {"document file", "documents files"},
         .text = {"text page chapter book story essay pdf paper article note notes manual report letter mail email",
                  "texts pages books stories essays pdfs papers articles reports letters mails emails"},
         .invoice = {"invoice bill", "invoices bills"},
         .receipt = {"receipt", "receipts"},
         .contract = {"contract agreement", "contracts agreements"},
         .accord = {"agreement", "agreements"},
         .lease = {"lease tenancy", "leases tenancies"},
         .licence = {"license licence", "licenses licences"},
         .letter = {"letter", "letters"},
         .mail = {"mail email message", "mails emails messages"},
         .report = {"report", "reports"},
         .article = {"paper article essay", "papers articles essays"},
         .policy = {"policy", "policies"},
         .certificate = {"certificate", "certificates"},
         .statement = {"statement", "statements"},
         .minutes = {"minutes"},
         .manual = {"manual handbook guide", "manuals handbooks guides"},
         .offer = {"offer quote quotation estimate", "offers quotes quotations estimates"},
         .note = {"note notes"},
         .recipe = {"recipe", "recipes"},
         .form = {"form", "forms"},
         .presentation = {"presentation slides", "presentations"},
         .spreadsheet = {"spreadsheet table", "spreadsheets tables"},
         .cv = {"cv resume", "cvs resumes"},
         .chat = {"chat conversation", "chats conversations"},
         .notice = {"notice", "notices"},
         .payslip = {"payslip paystub", "payslips paystubs"},
         .prescription = {"prescription", "prescriptions"},
         .plan = {"plan timetable schedule agenda", "plans timetables schedules agendas"},
         .newsletter = {"newsletter", "newsletters"},
         .transcript = {"transcript scan", "transcripts scans"},
         .pdf = {"pdf", "pdfs"}},
    .lead =
        "what which s is are was were show me find open get give list please can could you the my our all where "
        "tell there and only a an any of in",
    .closing = "please",
    .articles = "the my a an our",
    .joins = "from of by about for to with that which on in at an the my our are there do i we have",
    .of = "from of by",
    .asking = "when who how why whose what which where about",
    .before_deed = "to",
    .newest = "newest, latest, most recent",
    .oldest = "oldest, earliest",
    .last = "last",
    .told =
        "total sum amount number date price status version due balance name author title page pages change changes "
        "items rent salary address tax vat",
    .changed =
        "change changed edit edited modify modified write wrote written update updated save saved touch touched "
        "create created",
    .taken_in = "add added index indexed import imported",
    .doing = "did have has i we were was been that which",
    .last_done = "last latest recently most",
    .first_done = "first",
    .listing = "list show all",
    .how_many = "how many",
    .have = "do i have, do we have, are there, have i",
    .held =
        "how many # are there, how many # do i have, how many # do you have, how many # do you know, how many # are "
        "indexed, how many # have you read, what # do you have, what # are there, what # do you know, which # do "
        "you have, which # are there, which # do you know, which # are indexed, list all #, list all my #, list my "
        "#, list the #, show all #, show me all #, what is indexed, what have you indexed, what have you read",
    .which = "which what list show find give are in",
    .telling =
        "mention, mentions, mentioning, mentioned, contain, contains, containing, talk about, talks about, speak "
        "of, speak about, are about, is about, about, deal with, deals with, discuss, discusses, describe, "
        "describes, cover, covers, refer to, regarding, concerning, say something about",
    .where_mentioned = "where is, where are, where was",
    .mentioned = "mentioned",
    .finding =
        "find, open, show me, show, locate, where is, where s, where are, where did i put, where can i find, "
        "where do i find, get me",
    .writers =
        "who wrote to me about #, who wrote to us about #, who wrote me about #, who wrote me a letter about #, who "
        "has written to me about #, who has written to us about #, who sent me a letter about #, who sent me a mail "
        "about #, who sent me an email about #, who sent me mail about #, who mailed me about #, who emailed me about "
        "#, who emailed us about #, who sent me something about #, who sent us something about #, who contacted me "
        "about #, who contacted us about #, who asked me about #, who wrote to me, who wrote to us, who has written to "
        "me, who wrote me, who wrote to me because of #, who wrote to us because of #",
    .gist =
        "what is # all about, what is # about, what s # all about, what s # about, what are # about, what was # about, "
        "what does # say, what does # deal with, what does # contain, what do # say, summarize #, summarise #, sum up "
        "#, summary of #, overview of #, outline of #, gist of #, tell me about #, tell me more about #, main points "
        "of #, main points in #, key points of #, key points in #, main idea of #, tl dr of #, tldr of #, summary #, # "
        "summary, overview #, # overview, tldr #, # tldr, synopsis #, # synopsis",
    .around =
        "can could you please give me a an the short brief briefly quick write make for in few one two three five "
        "sentence sentences words points bullet quickly shortly want i need some of paragraph detail general then now "
        "and so",
    .this_one = "it this that these those them",
    .sections = "section sections clause paragraph chapter article §",
    .annexes = "annex appendix schedule exhibit",
    .place_asking = "what does, what s in, what is in, what stands in, what is said in, what do we find in, what is",
    .page = "page pages",
    .showing =
        "show tell read quote stands stand say says said written about contain contains content contents text please "
        "see display let to look at more too again does then now",
    .ordinals = "first 1st, second 2nd, third 3rd, fourth 4th, fifth 5th, sixth 6th, seventh 7th, eighth 8th",
    .last_one = "last",
    .numbered = "number no",
    .tasks =
        {.tasks = "tasks, task list, to do list, to do lists, to dos, to do, todo list, todo lists, todo, todos, "
                  "action items, action points, checklist, check list",
         .headings = "action items, action points, to do, todo, todos, to dos, open points, open tasks, still to do",
         .open = "open left remaining outstanding unfinished pending undone still",
         .done = "done finished completed closed ticked",
         .all = "all every",
         .around =
             "does should must need have has had yet already on own anything something everything what which mine",
         .asking_open =
             "what is left to do, what s left to do, what is still to do, what s still to do, what is there to do, "
             "what is there still to do, what is there left to do, what do i still have to do, what do i still need to "
             "do, what else do i have to do, what else do i need to do, what do i have to do, what do i need to do, "
             "what have i still to do, what must i still do, what do we still have to do, what do we still need to do, "
             "what do we have to do, what do we need to do, what needs to be done, what still needs to be done, what "
             "needs doing, what still needs doing, what remains to be done, what is to be done, what has to be done, "
             "what still has to be done, anything left to do, what is still open, what is not done yet, what is not "
             "yet done, what isn t done yet, what have i not done yet, what haven t i done yet",
         .asking_done = "what have i done, what have i already done, what have i finished, what have i already "
                        "finished, what have i completed, what did i finish, what did i complete, what did i get done, "
                        "what is done, what is already done, what has been done, what has already been done, what have "
                        "we done, what have we finished, what did we finish"},
};

}  // namespace mneme::rag::documents
