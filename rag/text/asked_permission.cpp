#include "rag/text/asked_permission.h"

#include <algorithm>
#include <vector>

#include "rag/text/phrases.h"
#include "rag/text/words.h"

namespace mneme::rag {

namespace {

constexpr double kOtherRule = 0.5;

constexpr std::string_view kPermits[] = {"allowed",  "permitted", "forbidden", "prohibited", "erlaubt",
                                         "verboten", "gestattet", "zulassig",  "untersagt"};

// "may", "must not", "is not permitted": what somebody may do or may not.
constexpr std::string_view kMayRules[] = {
    "can",         "kann",          "konnen",       "may",          "may not",    "must not",       "must never",
    "cannot",      "can not",       "can t",        "mustn t",      "allowed",    "permitted",      "prohibited",
    "forbidden",   "not permitted", "no longer",    "excluded",     "never",      "do not",         "don t",
    "consent",     "permission",    "at any time",  "not possible", "possible",   "tolerated",      "only with",
    "not insured", "not covered",   "not included", "darf",         "durfen",     "erlaubt",        "verboten",
    "gestattet",   "untersagt",     "zulassig",     "genehmigung",  "zustimmung", "ausgeschlossen", "nicht moglich"};
// What has to be done, or need not be.
constexpr std::string_view kMustRules[] = {"must",        "have to",    "has to",    "need to",        "needs to",
                                           "required",    "compulsory", "mandatory", "obligatory",     "necessary",
                                           "need not",    "needs no",   "need no",   "need the",       "needs the",
                                           "is to be",    "are to be",  "optional",  "voluntary",      "muss",
                                           "mussen",      "pflicht",    "notwendig", "erforderlich",   "verpflichtet",
                                           "nicht notig", "ist zu",     "sind zu",   "nicht brauchen", "braucht kein"};

// Deeds that every owner, tenant or guest does with a thing.
constexpr std::string_view kLightDeeds[] = {
    "keep", "have", "own",  "bring",  "take",  "use",    "get",      "put",    "give",      "make",       "do",
    "hold", "go",   "come", "halten", "haben", "nehmen", "benutzen", "nutzen", "mitnehmen", "mitbringen", "machen"};

bool begins_with_any(std::string_view folded, std::span<const std::string_view> beginnings) {
  return std::any_of(beginnings.begin(), beginnings.end(),
                     [&](std::string_view beginning) { return folded.starts_with(beginning); });
}

}  // namespace

Permission asked_permission(std::string_view question) {
  constexpr std::string_view kMay[] = {" can ",        " may ",           " am i allowed ",  " are we allowed ",
                                       " could i ",    " could we ",      " darf ",          " durfen ",
                                       " kann ich ",   " kann man ",      " konnen wir ",    " is it ok ",
                                       " is it okay ", " is it allowed ", " ist es erlaubt "};
  constexpr std::string_view kMust[] = {" do i have to ", " do we have to ", " do i need to ",    " do we need to ",
                                        " must ",         " have i to ",     " does it have to ", " should i ",
                                        " should we ",    " muss ",          " mussen ",          " brauche ich "};
  const std::string folded = " " + folded_text(question) + " ";
  if (begins_with_any(folded, kMust)) return Permission::kMust;
  if (begins_with_any(folded, kMay)) return Permission::kMay;
  constexpr std::string_view kBe[] = {" is ", " are ", " ist ", " sind "};
  const std::vector<std::string> words = words_of(question);
  const bool rules =
      std::any_of(words.begin(), words.end(), [](const std::string& word) { return one_of(word, kPermits); });
  const bool short_form = !words.empty() && words.size() <= 3 && one_of(words.back(), kPermits);  // "hühner erlaubt?"
  return rules && (begins_with_any(folded, kBe) || short_form) ? Permission::kMay : Permission::kNone;
}

double ruling_cue(std::string_view sentence, Permission asked) {
  if (asked == Permission::kNone) return 0.0;
  const std::string folded = " " + folded_text(sentence) + " ";
  const bool may = says_any(folded, kMayRules);
  const bool must = says_any(folded, kMustRules);
  const bool fits = asked == Permission::kMay ? may : must;
  return fits ? 1.0 : may || must ? kOtherRule : 0.0;
}

bool only_asks_permission(std::string_view folded, std::string_view deed) {
  return one_of(folded, kPermits) || (folded == deed && one_of(folded, kLightDeeds));
}

}  // namespace mneme::rag
