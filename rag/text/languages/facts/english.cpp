// English.
#include "rag/text/languages/language_facts.h"

namespace mneme::rag::languages {

const LanguageFacts kEnglish = {
    .language = Language::kEnglish,
    .grammar =
        "a about after all also am an and any are as at be because been before being but by can could did do does "
        "doing for from had has have having he her here hers him his how i if in into is it its just me more most my "
        "no nor not of on once only or other our out over own s same she should so some such t than that the their "
        "them then there these they this those to too under up us very was we were what when where which while who "
        "whom whose why will with would you your please tell many much kind type name may might shall must upon "
        "between during happen happens happened",
    .telling = "done without",
    .words_of_others =
        "die das den dem des der am an war hat man also bis her in so er ob dies son par pour plus est ton sous on es "
        "con sin me no la le un come dove chi per sole do com mail as van over is was op met zonder uit bent ten to "
        "we los las ma sa za od po co mi ne o a i e u y s c d l n ai en sur sera mine via",
    .notes = &notes::kEnglish,
    .documents = &documents::kEnglish,
    .papers = &papers::kEnglish,
    .thanks =
        "thanks, thank you, thank you very much, many thanks, thanks a lot, great, perfect, ok, okay, ok thanks, okay "
        "thanks, great thanks, thank you so much",
    .greetings = "hello, hi, good morning, good evening",
    .numbers =
        "one two three four five six seven eight nine ten eleven twelve dozen hundred thousand million billion once "
        "twice half",
    .months = {{{"january", "jan"},
                {"february", "feb"},
                {"march", "mar"},
                {"april", "apr"},
                {"may"},
                {"june", "jun"},
                {"july", "jul"},
                {"august", "aug"},
                {"september", "sep sept"},
                {"october", "oct"},
                {"november", "nov"},
                {"december", "dec"}}},
    .other_dates = "century, centuries",
    .weekdays =
        "monday, tuesday, wednesday, thursday, friday, saturday, sunday, mondays, tuesdays, wednesdays, thursdays, "
        "fridays, saturdays, sundays, weekend, weekdays",
    .recurring_days =
        "working day, business day, day of the month, day of each month, day of every month, end of the month, "
        "end of each month",
    .time_units =
        "second, seconds, minute, minutes, min, mins, hour, hours, day, days, week, weeks, month, months, year, "
        "years, decade, decades, season, seasons",
    .often =
        "every, each, once, twice, times, per, hourly, daily, weekly, monthly, quarterly, yearly, annually, regularly",
    .within = "within, no later than",
    .until = "by, until, till, due, latest, deadline, no later, before, within, expires, closes, valid",
    .asking_hour = "what time, which hour",
    .asking_deadline = "until when, till when, by when, by what date, by which date, deadline, latest date",
    .asking =
        {
            .date = "what time, what year, which year, what date, what day, what month, which date, which day, which "
                    "month, "
                    "which weekday, what weekday",
            .in_which_case = "when should i, when should you, when should we, when do i, when do you, when do we, when "
                             "to, when can i",
            .number = "how many, how much, how long, how old, how far, how tall, how big, how high, how fast, maximum, "
                      "minimum, "
                      "limit",
            .duration = "how long",
            .frequency = "how often, how frequently, how many times a",
            .person = "who, whom, whose",
            .place = "where, what city, which city, what country, which country",
            .reason = "why, purpose, reason, what for, how come",
            .manner = "how",
            .steps = "steps of, steps to, steps for, what should i do, what do i do, what to do, what must i do, "
                     "what can i do, what should we do",
            .list = "ingredient, ingredients, list the, what do i need, what comes, what is in, what does it contain, "
                    "come with, comes with, what goes in, what goes into, which kinds, what kinds, which types, what "
                    "types, "
                    "which tools, what tools",
            .definition =
                "what is, what are, what was, what does, what do, what s, define, meaning of, stand for, stands for",
            .deed = "what do i, what do you, what do we, what do they, what does he, what does she, what did i, what "
                    "did you, "
                    "what did we, what did they, what did he, what did she",
            .difference = "difference between, differences between, differ from, differs from, differ, versus, vs",
        },
    .sums =
        "rent fee fees salary wage wages rate premium deposit excess refund price bill bonus fine pay charge costs "
        "discount balance",
    .date_labels = "date when day",
    .place_labels = "place where location venue address",
    .takes_time = "last lasts take takes run runs valid term",
    .terms = "term duration lasts valid expires",
    .free_of_charge =
        "free, gratis, complimentary, no charge, without charge, at no cost, no fee, included, waived, there is no, "
        "there are no",
    .percent = "percent, per cent",
    .rents = "rent rents",
    .currencies =
        "dollar, dollars, cents, euro, euros, pound, pounds, pence, yen, yuan, francs, rupee, rupees, usd, eur, gbp, "
        "chf, jpy, cny, inr, cent, crowns, kroner, kronor, kr, ct",
    .price = {.asking = "how much is, how much are, how much was, how much were, how expensive, what is the price of, "
                        "what was the price of, what is the cost of, what was the cost of",
              .how_much = "how much",
              .words = "cost costs price pay paid charge charged",
              .reckoning = "sum of, sum up, add up, in total, altogether, average, did we spend, did i spend, have we "
                           "spent, how many times, how many rows"},
    .rules =
        {.asking_may = "can, may, am i allowed, are we allowed, could i, could we, is it ok, is it okay, is it allowed",
         .asking_must = "do i have to, do we have to, do i need to, do we need to, must, have i to, does it have to, "
                        "should i, should we",
         .permits_closing = "allowed permitted forbidden prohibited",
         .may_rules =
             "can, may, may not, must not, must never, cannot, can not, can t, mustn t, allowed, permitted, "
             "prohibited, forbidden, not permitted, no longer, excluded, never, do not, don t, consent, permission, at "
             "any time, not possible, possible, tolerated, only with, not insured, not covered, not included",
         .must_rules =
             "must, have to, has to, need to, needs to, required, compulsory, mandatory, obligatory, necessary, need "
             "not, needs no, need no, need the, needs the, is to be, are to be, optional, voluntary",
         .light_deeds = "keep have own bring take use get put give make do hold go come"},
    .asking_state =
        "what is wrong with #, what s wrong with #, what was wrong with #, what is the matter with #, what s the "
        "matter with #, what is broken in #, what is broken on #, what is broken at #, what is the problem with #, "
        "what s the problem with #, what is broken, what s broken, what is defective in #, what is faulty in #, what "
        "does not work in #, what doesn t work in #, what is damaged in #, in what state is #, what state is # in, "
        "what condition is # in, what is wrong in #, what defects does # have, which defects does # have, what faults "
        "does # have",
    .payments = {.spent = "did i spend, did we spend, have i spent, have we spent, do i spend, do we spend, i spent, "
                          "we spent, was spent, were spent, did i pay in total, did we pay in total, did i pay "
                          "altogether, did we pay altogether, total expenses, total spending, sum of expenses",
                 .received = "did i earn, did we earn, have i earned, have we earned, did i receive in total, did we "
                             "receive in total, did we take in, total income, sum of income",
                 .otherwise = "average, on average, the most, the least",
                 .average = "average, on average, averagely",
                 .weekly = "a week, per week, each week, every week, weekly",
                 .monthly = "a month, per month, each month, every month, monthly",
                 .yearly = "a year, per year, each year, every year, yearly, annually",
                 .most = "the most, most expensive, biggest, largest, highest, greatest, dearest, costliest",
                 .least = "the least, cheapest, least expensive, smallest, lowest",
                 .expenses = "expense expenses purchase purchases payment payments expenditure outlay spending bill",
                 .paid = "paid pay spent spend bought",
                 .paying = "did i pay, did we pay, have i paid, have we paid, went to, did # charge me, did # charge "
                           "us, has # charged me",
                 .paying_for = "for",
                 .amount_columns = "amount sum total price cost gross paid debit withdrawal spent expense out",
                 .balance_columns = "balance running",
                 .received_columns = "received credit deposit income in earned"},
    .periods =
        {
            .today = "today",
            .yesterday = "yesterday",
            .current = "this current",
            .past = "last past previous",
            .days = "day days",
            .weeks = "week weeks",
            .months = "month months",
            .years = "year years",
            .around = "in on from of the dated during",
            .since = "since",
            .until = "before until",
            .after = "after",
            .numbers = "one two three four five six seven eight nine ten eleven twelve",
            .weekdays = "monday, tuesday, wednesday, thursday, friday, saturday, sunday",
        },
};

}  // namespace mneme::rag::languages
