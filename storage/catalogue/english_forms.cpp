#include "storage/catalogue/english_forms.h"

#include <algorithm>
#include <bitset>
#include <span>
#include <string_view>
#include <unordered_map>

namespace mneme::storage {
namespace {

// Each line: a word, and its forms.
constexpr std::string_view kNouns[] = {
    "child children",
    "man men",
    "woman women",
    "foot feet",
    "tooth teeth",
    "goose geese",
    "mouse mice",
    "ox oxen",
    "knife knives",
    "wife wives",
    "half halves",
    "shelf shelves",
    "wolf wolves",
    "thief thieves",
    "loaf loaves",
    "calf calves",
    "scarf scarves",
    "hoof hooves",
    "elf elves",
    "dwarf dwarves",
    "wharf wharves",
    "handkerchief handkerchieves",
    "bus buses",
    "gas gases",
    "lens lenses",
    "bias biases",
    "alias aliases",
    "canvas canvases",
    "atlas atlases",
    "quiz quizzes",
    "menu menus",
    "guru gurus",
    "gpu gpus",
    "cpu cpus",
    "analysis analyses",
    "crisis crises",
    "thesis theses",
    "hypothesis hypotheses",
    "synthesis syntheses",
    "parenthesis parentheses",
    "diagnosis diagnoses",
    "prognosis prognoses",
    "oasis oases",
    "criterion criteria",
    "phenomenon phenomena",
    "bacterium bacteria",
    "curriculum curricula",
    "memorandum memoranda",
    "spectrum spectra",
    "stratum strata",
    "erratum errata",
    "addendum addenda",
    "symposium symposia",
    "millennium millennia",
    "ovum ova",
    "index indices",
    "matrix matrices",
    "vertex vertices",
    "vortex vortices",
    "appendix appendices",
    "cactus cacti",
    "fungus fungi",
    "nucleus nuclei",
    "radius radii",
    "stimulus stimuli",
    "alumnus alumni",
    "syllabus syllabi",
    "formula formulae",
    "antenna antennae",
    "larva larvae",
    "vertebra vertebrae",
    "nebula nebulae",
    "bureau bureaux",
    "plateau plateaux",
    "sky skies",
    "ski skis",
};

constexpr std::string_view kVerbs[] = {
    "arise arose arisen",
    "beat beaten",
    "become became",
    "begin began begun",
    "bend bent",
    "bite bitten",
    "blow blew blown",
    "break broke broken",
    "breed bred",
    "bring brought",
    "build built",
    "burn burnt",
    "buy bought",
    "catch caught",
    "choose chose chosen",
    "come came",
    "creep crept",
    "deal dealt",
    "die dying",
    "dig dug",
    "draw drew drawn",
    "dream dreamt",
    "drink drank drunk",
    "drive drove driven",
    "dye dyed dyeing",
    "eat ate eaten",
    "fall fallen",
    "fight fought",
    "flee fled",
    "fling flung",
    "fly flew flown",
    "forbid forbade forbidden",
    "forget forgot forgotten",
    "forgive forgave forgiven",
    "free freed",
    "freeze froze frozen",
    "get got gotten",
    "give gave given",
    "go goes went gone",
    "grow grew grown",
    "hang hung",
    "hear heard",
    "hide hid hidden",
    "hold held",
    "keep kept",
    "kneel knelt",
    "know knew known",
    "lay laid",
    "mislead misled",
    "lean leant",
    "leap leapt",
    "learn learnt",
    "lend lent",
    "lie lying",
    "lose lost",
    "make made",
    "mean meant",
    "meet met",
    "mistake mistook mistaken",
    "outgrow outgrew outgrown",
    "overcome overcame",
    "overtake overtook overtaken",
    "pay paid",
    "prove proven",
    "rebuild rebuilt",
    "rewrite rewrote rewritten",
    "ride rode ridden",
    "ring rang rung",
    "rise risen",
    "run ran",
    "say said",
    "see seen",
    "seek sought",
    "sell sold",
    "send sent",
    "sew sewn",
    "shake shook shaken",
    "shine shone",
    "show shown",
    "shrink shrank shrunk",
    "sing sang sung",
    "sink sank sunk",
    "sit sat",
    "sleep slept",
    "slide slid",
    "sow sown",
    "speak spoke spoken",
    "speed sped",
    "spend spent",
    "spill spilt",
    "spin spun",
    "spoil spoilt",
    "spring sprang sprung",
    "stand stood",
    "steal stole stolen",
    "stick stuck",
    "sting stung",
    "strike struck stricken",
    "strive strove striven",
    "swear swore sworn",
    "sweep swept",
    "swell swollen",
    "swim swam swum",
    "swing swung",
    "take took taken",
    "teach taught",
    "tear tore torn",
    "tell told",
    "throw threw thrown",
    "tie tying",
    "undergo underwent undergone",
    "understand understood",
    "undertake undertook undertaken",
    "uphold upheld",
    "wake woke woken",
    "wear wore worn",
    "weave wove woven",
    "weep wept",
    "win won",
    "withdraw withdrew withdrawn",
    "withhold withheld",
    "withstand withstood",
    "wring wrung",
    "write wrote written",
};

// These only look like forms of another word.
constexpr std::string_view kWhole =
    "news lens bias alias canvas atlas cosmos chaos christmas pancreas evening morning wedding ceiling pudding sibling "
    "earring herring inning outing lodging sky ski";

// Stems in British and American spelling.
constexpr std::string_view kSpellings[] = {
    "airplan aeroplan",
    "aluminum aluminium",
    "analog analogu",
    "analyz analys",
    "anemia anaemia",
    "anesthetic anaesthetic",
    "artifact artefact",
    "catalog catalogu",
    "catalyz catalys",
    "center centr",
    "centimeter centimetr",
    "counselor counsellor",
    "cozi cosi",
    "defens defenc",
    "dialog dialogu",
    "diarrhea diarrhoea",
    "disk disc",
    "distil distill",
    "draft draught",
    "encyclopedia encyclopaedia",
    "enrol enroll",
    "estrogen oestrogen",
    "fetus foetus",
    "fiber fibr",
    "fulfil fulfill",
    "gram gramm",
    "gray grey",
    "hemoglobin haemoglobin",
    "instil instill",
    "jeweler jeweller",
    "jewelri jewelleri",
    "judgment judgement",
    "kilogram kilogramm",
    "kilometer kilometr",
    "leukemia leukaemia",
    "licens licenc",
    "liter litr",
    "maneuv manoeuvr",
    "medieval mediaeval",
    "meter metr",
    "millimeter millimetr",
    "mold mould",
    "mustach moustach",
    "offens offenc",
    "orthopedic orthopaedic",
    "pajama pyjama",
    "paralyz paralys",
    "pediatric paediatric",
    "plow plough",
    "practic practis",
    "skeptic sceptic",
    "skillful skilful",
    "somber sombr",
    "sulfur sulphur",
    "theater theatr",
    "tire tyre",
    "traveler traveller",
    "yogurt yoghurt",
};

// "colour", "colourful", "favourite": whatever begins with one of these.
constexpr std::string_view kOurs[] = {
    "armour",  "ardour",  "behaviour", "candour", "clamour",   "colour", "demeanour", "endeavour", "favour",  "fervour",
    "flavour", "glamour", "harbour",   "honour",  "humour",    "labour", "neighbour", "odour",     "parlour", "rancour",
    "rigour",  "rumour",  "saviour",   "savour",  "splendour", "tumour", "valour",    "vapour",    "vigour",
};

// Verbs that get a second "l" before "ed" and "ing". Norwegian "bestilling" is of "bestille": a rule would part them.
constexpr std::string_view kDoubled =
    " annul bevel cancel channel chisel compel control counsel dial dispel duel enamel enrol equal excel expel extol "
    "fuel fulfil funnel grovel impel initial instil jewel label level libel marvel model panel parcel patrol pedal "
    "pencil propel quarrel rebel repel rival shovel shrivel signal snorkel spiral stencil swivel total towel travel "
    "tunnel unravel ";

// What words are forms of. Nearly every word that is looked for is in no table: its length and three of its letters say
// so before it is hashed.
class Bases {
 public:
  void add(std::string_view form, std::string_view base) {
    bases_.emplace(form, base);
    may_hold_.set(trait_of(form));
  }
  std::string_view of(std::string_view word) const {
    if (word.size() < kLeast || !may_hold_.test(trait_of(word))) return {};
    const auto found = bases_.find(word);
    return found == bases_.end() ? std::string_view() : found->second;
  }

 private:
  static constexpr size_t kLeast = 2;
  static constexpr size_t kTraits = 4096;

  static size_t trait_of(std::string_view word) {
    const auto letter = [&](size_t i) { return static_cast<size_t>(word[i]); };
    return (letter(0) * 961 + letter(1) * 31 + letter(word.size() - 1) * 7 + word.size() * 173) % kTraits;
  }

  std::unordered_map<std::string_view, std::string_view> bases_;
  std::bitset<kTraits> may_hold_;
};

std::string_view next_word(std::string_view& line) {
  const std::string_view word = line.substr(0, line.find(' '));
  line.remove_prefix(std::min(line.size(), word.size() + 1));
  return word;
}

void add_lines(std::span<const std::string_view> lines, Bases& bases) {
  for (std::string_view line : lines) {
    const std::string_view base = next_word(line);
    while (!line.empty()) bases.add(next_word(line), base);
  }
}

Bases irregular_bases() {
  Bases bases;
  add_lines(kNouns, bases);
  add_lines(kVerbs, bases);
  for (std::string_view rest = kWhole; !rest.empty();) {
    const std::string_view word = next_word(rest);
    bases.add(word, word);
  }
  return bases;
}

Bases american_spellings() {
  Bases bases;
  add_lines(kSpellings, bases);
  return bases;
}

bool begins_with_any(std::string_view word, std::span<const std::string_view> beginnings) {
  return std::any_of(beginnings.begin(), beginnings.end(),
                     [word](std::string_view beginning) { return word.starts_with(beginning); });
}

// "organis(e)" and "organiser", of a verb in a vowel and a consonant and more before them: German "Dienstreise" is
// none.
bool is_verb_with_z(std::string_view stem, std::string_view ending) {
  constexpr std::string_view kVowels = "aeiouy";
  constexpr size_t kLeast = 4;  // not "promis(e)"
  if (!stem.ends_with(ending) || stem.size() < kLeast + ending.size()) return false;
  const std::string_view root = stem.substr(0, stem.size() - ending.size());
  return kVowels.find(root[root.size() - 1]) == std::string_view::npos &&
         kVowels.find(root[root.size() - 2]) != std::string_view::npos;
}

void spell_with_z(std::string& stem) {
  constexpr size_t kLeastNoun = 9;
  if (const size_t noun = stem.size() < kLeastNoun ? std::string::npos : stem.find("isation");
      noun != std::string::npos) {
    stem[noun + 1] = 'z';
    return;
  }
  for (const std::string_view ending : {"is", "iser"}) {
    if (!is_verb_with_z(stem, ending)) continue;
    stem[stem.size() - ending.size() + 1] = 'z';
    return;
  }
}

}  // namespace

std::string_view base_of_irregular(std::string_view folded) {
  static const Bases kBases = irregular_bases();
  return kBases.of(folded);
}

bool is_doubled_l(std::string_view stem) {
  if (!stem.ends_with("ll")) return false;
  const std::string_view verb = stem.substr(0, stem.size() - 1);
  const size_t at = kDoubled.find(verb);
  return at != std::string_view::npos && kDoubled[at - 1] == ' ' && kDoubled[at + verb.size()] == ' ';
}

void spell_american(std::string& stem) {
  static const Bases kAmerican = american_spellings();
  if (const std::string_view american = kAmerican.of(stem); !american.empty()) {
    stem = american;
  } else if (const size_t our = stem.find("our"); our != std::string::npos && begins_with_any(stem, kOurs)) {
    stem.erase(our + 1, 1);
  } else {
    spell_with_z(stem);
  }
}

}  // namespace mneme::storage
