#include "rag/text/languages/word_forms.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>

#include "rag/text/languages/german_verbs.h"
#include "rag/text/words/phrases.h"
#include "rag/text/words/word_groups.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

constexpr size_t kFormLetters = 5;
constexpr size_t kLeastOfCompound = 4;  // letters
constexpr size_t kCompoundEnding = 2;

// Each line: words of which any stands for any other. Regular endings are left to the stemmers.
constexpr std::string_view kGroups[] = {
    "own owns owned owner ownership",
    "execute executes executable execution",
    "use used usage",
    "permit permission",
    "write wrote written writer author authored",
    "sing sang sung singer vocals vocalist",
    "invent inventor invention",
    "found founded founder",
    "create created creator author",
    "direct director",
    "make made maker",
    "begin began begun start beginning commence effective force",
    "win won winner",
    "build built builder",
    "die died death",
    "born birth birthplace",
    "play portray",
    "buy bought purchase",
    "sell sold sale",
    "teach taught teacher",
    "lead led leader",
    "lose lost loss",
    "speak spoke spoken speaker",
    "choose chose chosen choice",
    "cost price",
    "people population inhabitants",
    "high height higher",
    "tall height taller",
    "long length longer",
    "deep depth deeper",
    "wide width wider",
    "weigh weight heavy heavier mass",
    "fast speed",
    "old age aged",
    "far distance",
    "big size bigger",
    "large size larger",
    "thick thickness thicker",
    "tight tightening torque",
    "hot temperature",
    "hoch hohe",
    "schneiden schneide schneidet schnitt geschnitten",
    "fahren fahre fahrt gefahren abfahrt",
    "fliegen fliege fliegt geflogen flug abflug ruckflug hinflug",
    "gehen gehe geht ging gegangen",
    "kommen komme kommt kam gekommen ankunft",
    "geben gebe gibt gab gegeben",
    "nehmen nehme nimmt nahm genommen mitnehmen",
    "bringen bringe bringt brachte gebracht mitbringen",
    "rufen rufe ruft rief gerufen anrufen",
    "holen hole holt holte geholt abholen",
    "essen esse isst gegessen",
    "trinken trinke trinkt getrunken",
    "sprechen spreche spricht gesprochen",
    "treffen treffe trifft getroffen",
    "schreiben schreibe schreibt schrieb geschrieben",
    "finden finde findet fand gefunden",
    "beginnen beginnt begann begonnen beginn",
    "schliessen schliesst geschlossen schliessung",
    "giessen giesst gegossen",
    "steigen steigt stieg gestiegen",
    "sinken sinkt sank gesunken",
    "heben hebt gehoben",
    "laufen lauft lief gelaufen",
    "lesen liest las gelesen",
    "werfen wirft geworfen",
    "tragen tragt trug getragen",
    "treten trete tritt trat getreten",
    "wachsen wachst gewachsen",
    "backen backt gebacken",
    "waschen wascht gewaschen",
    "bieten bietet geboten angebot",
    "verlieren verliert verloren verlust",
    "kundigen kundigt gekundigt kundigung",
    "weisen weist wies wiesen gewiesen",
    "uberweisen uberweist uberwies uberwiesen uberweisung",
    "unterschreiben unterschreibt unterschrieb unterschrieben unterschrift",
    "verschreiben verschreibt verschrieb verschrieben",
    "beschreiben beschreibt beschrieb beschrieben beschreibung",
    "versprechen verspricht versprach versprochen",
    "verstehen versteht verstand verstanden",
    "stehen steht gestanden",
    "entscheiden entscheidet entschied entschieden entscheidung",
    "beschliessen beschliesst beschloss beschlossen beschluss",
    "verbieten verbietet verboten verbot",
    "bleiben bleibt blieb geblieben",
    "leihen leiht lieh geliehen",
    "verleihen verleiht verlieh verliehen",
    "erhalten erhalt erhielt",
    "halten halt hielt gehalten",
    "lassen lasst liess gelassen",
    "fangen fangt fing gefangen",
    "schlafen schlaft schlief geschlafen",
    "fallen fallt fiel gefallen",
    "ziehen zieht zog gezogen",
    "fliessen fliesst floss geflossen",
    "gewinnen gewinnt gewann gewonnen",
    "binden bindet gebunden",
    "singen singt gesungen",
    "helfen hilft half geholfen hilfe",
    "sterben stirbt starb gestorben",
    "brechen bricht brach gebrochen",
    "messen misst gemessen messung",
    "sehen sieht sah gesehen",
    "liegen liegt lag gelegen",
    "sitzen sitzt sass gesessen",
    "denken denkt dachte gedacht",
    "kennen kennt kannte gekannt",
    "nennen nennt nannte genannt",
    "brennen brennt brannte gebrannt",
    "senden sendet sandte gesandt gesendet",
    "wissen weiss wusste gewusst",
    "laden ladt lud geladen",
    "schlagen schlagt schlug geschlagen",
    "liefern liefert geliefert lieferung",
    "mieten mietet gemietet miete",
    "kosten kostet kostete preis",
    "schwer gewicht wiegt",
    "grow grew grown growth",
    "come came",
    "go goes went gone",
    "give gave given",
    "take took taken",
    "know knew known",
    "see saw seen",
    "eat ate eaten",
    "drink drank drunk",
    "fall fell fallen",
    "fly flew flown flight",
    "hold held",
    "keep kept",
    "leave left",
    "meet met",
    "pay paid payment",
    "partir part partons depart",
    "payer paye payes payee payable paiement versement",
    "bezahlen zahlen zahlt bezahlt zahlbar zahlung",
    "pagar paga pagan pago pagos pagara pagaran",
    "платить платим платят платит оплатить оплачивает оплата плата уплата уплаты вносится выплачивается выплата",
    "rendre rend rendu rendue recuperer recupere restituer restitue restituee restitution rembourser rembourse",
    "tenir tient tenu tenue",
    "venir vient viendra venu passe passera passer",
    "finir finit fin termine terminer",
    "servir sert fournir fourni fournis fournie fournies",
    "devolver devuelve devuelto devolucion recuperar recupera reembolso restituir",
    "venir viene vendra vino ira ir va",
    "cerrar cierra cerrado cierre",
    "empezar empieza comienza inicio abre abrir apertura",
    "poder puede pueden podra",
    "restituire restituito restituita restituzione rimborso rimborsare",
    "venire viene verra venuto",
    "devolver devolvido devolucao reembolso",
    "вернуть вернут вернется возвращается возвращают возврат",
    "прийти придет приедет приходит придут",
    "отключить отключат отключена отключено отключение",
    "включить включат включена включено включение",
    "закончиться заканчивается действует окончание истекает",
    "начаться начинается начало начнется",
    "состояться состоится будет проходит",
    "استرد يسترد استرداد يعاد اعاده يرد",
    "ينتهي تنتهي انتهاء نهايه ينته تنته",
    "يبدا تبدا بدايه ابتداء",
    "ياتي سياتي ياتون يات سيات وصول يصل",
    "يدفع تدفع ندفع دفعنا دفع الدفع",
    "fehlen fehlt fehlte gefehlt entschuldigt abwesend",
    "verdienen verdient verdiene gehalt lohn stundenlohn grundgehalt nettolohn vergutung",
    "gagner gagne salaire remuneration paie",
    "ganar gana cobrar cobra cobro sueldo salario nomina liquido",
    "guadagnare guadagna stipendio",
    "ganhar ganha salario ordenado",
    "зарабатывать зарабатывает получает зарплата оклад",
    "run ran",
    "send sent",
    "shoot shot",
    "sit sat",
    "spend spent",
    "stand stood",
    "steal stole stolen",
    "swim swam swum",
    "tell told",
    "think thought",
    "throw threw thrown",
    "wear wore worn",
    "rise rose risen",
    "bring brought",
    "catch caught",
    "draw drew drawn",
    "drive drove driven driver",
    "feed fed",
    "fight fought",
    "forget forgot forgotten",
    "get got gotten",
    "hear heard",
    "hide hid hidden",
    "lay laid",
    "ride rode ridden rider",
    "ring rang rung",
    "say said",
    "seek sought",
    "shake shook shaken",
    "show shown",
    "sleep slept",
    "strike struck",
    "tear tore torn",
    "understand understood",
    "wake woke woken",
    "break broke broken",
    "freeze froze frozen",
    "bite bit bitten",
    "blow blew blown",
    "breed bred",
    "burn burnt",
    "deal dealt",
    "dig dug",
    "hang hung",
    "bind bound",
    "find found",
    "become became",
    "feel felt",
    "learn learnt",
    "beat beaten",
    "bend bent",
    "flee fled",
    "slide slid",
    "undertake undertook undertaken",
    "sink sank sunk sunken",
    "overcome overcame",
    "smell smelt",
    "shine shone",
    "withdraw withdrew withdrawn withdrawal",
    "dream dreamt",
    "forgive forgave forgiven",
    "leap leapt",
    "weep wept",
    "spin spun",
    "stick stuck",
    "creep crept",
    "swell swollen",
    "forbid forbade forbidden",
    "bleed bled",
    "spit spat",
    "undergo underwent undergone",
    "mistake mistook mistaken",
    "shrink shrank shrunk shrunken",
    "repay repaid repayment",
    "kneel knelt",
    "weave wove woven",
    "spoil spoilt",
    "spill spilt",
    "arise arose arisen",
    "swing swung",
    "tread trod trodden",
    "melt molten",
    "withhold withheld",
    "foresee foresaw foreseen",
    "rebuild rebuilt",
    "rewrite rewrote rewritten",
    "oversee oversaw overseen",
    "resell resold resale",
    "mean meant meaning",
    "lend lent",
    "light lit",
    "spell spelt spelling",
    "swear swore sworn",
    "sweep swept",
    "win won victory victor",
    "marry married marriage husband wife spouse",
    "rule ruler reign",
    "discover discovery discoverer",
    "govern governor government",
    "movie film",
    "mom mum mother",
    "dad father",
    "film filmed filming",
    "elect elected election",
    "construct construction built",
    "perform performance performer",
    "voice voiced",
    "air aired premiere premiered",
    "allergic allergy allergies",
    "refill fill",
    "restart start",
    "reinstall install",
    "reheat heat",
    "recharge charge",
    "rebuild build",
    "reconnect connect",
    "renew renewal",
    "insure insured insurance",
    "invite invited invitation",
    "reserve reserved reservation",
    "arrive arrived arrival",
    "depart departed departure",
    "expire expired expiry expiration",
    "deliver delivered delivery",
    "warrant warranty",
    "email mail",
};

using LinesOfWords = std::unordered_multimap<std::string_view, size_t>;

// Which lines of the table a word stands in.
const LinesOfWords& lines_of_words() {
  static const LinesOfWords kLines = [] {
    LinesOfWords lines;
    for (size_t i = 0; i < std::size(kGroups); ++i) {
      for_each_word(kGroups[i], [&](std::string_view word) { lines.emplace(word, i); });
    }
    return lines;
  }();
  return kLines;
}

// "geputzt" of "putzen", "gemietet" of "mieten".
bool is_german_participle_of(std::string_view participle, std::string_view verb) {
  constexpr std::string_view kEndings[] = {"et", "t", "en"};
  constexpr size_t kLeastRoot = 4;
  constexpr size_t kEnding = 2;  // letters of "-en"
  if (!participle.starts_with("ge")) return false;
  return std::any_of(std::begin(kEndings), std::end(kEndings), [&](std::string_view ending) {
    if (!participle.ends_with(ending) || participle.size() < 2 + kLeastRoot + ending.size()) return false;
    const std::string_view root = participle.substr(2, participle.size() - 2 - ending.size());
    return verb.starts_with(root) && verb.size() <= root.size() + kEnding;
  });
}

// "collection" of "collect".
bool is_noun_of(std::string_view noun, std::string_view verb) {
  constexpr std::string_view kEndings[] = {"ion", "ation", "ment"};
  if (verb.size() < kFormLetters || !noun.starts_with(verb)) return false;
  const std::string_view ending = noun.substr(verb.size());
  return std::find(std::begin(kEndings), std::end(kEndings), ending) != std::end(kEndings);
}

// How many letters of a compound a word, or what it is derived from, begins with; 0: none.
size_t begun_by(std::string_view compound, std::string_view first) {
  constexpr std::string_view kEndings[] = {"ei", "in"};
  constexpr size_t kLeastRoot = 6;
  if (compound.starts_with(first)) return first.size();
  for (const std::string_view ending : kEndings) {
    if (!first.ends_with(ending) || first.size() < kLeastRoot + ending.size()) continue;
    const std::string_view root = first.substr(0, first.size() - ending.size());
    if (compound.starts_with(root)) return root.size();
  }
  return 0;
}

bool is_inflected_from(std::string_view inflected, std::string_view word) {
  constexpr std::string_view kVowels = "aeiouy";
  constexpr size_t kLeast = 3;
  if (word.size() < kLeast || word.find_first_of(kVowels) == std::string_view::npos) return false;
  const bool silent = word.ends_with('e') && !word.ends_with("ee");  // "seed" is no form of "see"
  const std::string_view base = silent ? word.substr(0, word.size() - 1) : word;
  if (!inflected.starts_with(base)) return false;
  std::string_view ending = inflected.substr(base.size());
  const bool doubled =
      !silent && ending.starts_with(word.back()) && kVowels.find(word.back()) == std::string_view::npos;
  if (doubled) ending.remove_prefix(1);
  return ending == "ed" || ending == "ing" || (doubled && ending.empty());
}

}  // namespace

bool is_inflection(std::string_view a, std::string_view b) {
  return a.size() < b.size() ? is_inflected_from(b, a) : is_inflected_from(a, b);
}

namespace {

bool is_cyrillic(std::string_view word) {
  return word.size() > 1 &&
         (static_cast<unsigned char>(word[0]) == 0xD0 || static_cast<unsigned char>(word[0]) == 0xD1);
}

bool shares_most(std::string_view a, std::string_view b) {
  const auto common = static_cast<size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
  return common >= kFormLetters && common * 4 >= 3 * std::max(a.size(), b.size());
}

// Endings are long in Russian: what they are taken off is compared.
bool is_cyrillic_form(std::string_view a, std::string_view b) {
  constexpr size_t kLetter = 2;  // bytes
  if (a.substr(0, kLetter) != b.substr(0, kLetter)) return false;
  const std::string of_a = stem_of(a);
  const std::string of_b = stem_of(b);
  return of_a == of_b || (of_a.size() > kLetter * kFormLetters && shares_most(of_a, of_b)) || shares_most(a, b);
}

}  // namespace

bool is_form(std::string_view a, std::string_view b) {
  if (a.empty() || static_cast<unsigned char>(a.front()) >= 0xE0) return false;
  if (is_cyrillic(a)) return is_cyrillic_form(a, b);
  if (is_inflection(a, b)) return true;
  if (is_german_participle_of(a, b) || is_german_participle_of(b, a)) return true;
  if (is_noun_of(a, b) || is_noun_of(b, a) || is_german_verb_form(a, b)) return true;
  const auto stem = [](std::string_view word) { return word.substr(0, word.size() - 1); };
  const bool y_and_i = (a.ends_with('y') && b.ends_with('i')) || (a.ends_with('i') && b.ends_with('y'));
  if (y_and_i && a.size() >= kFormLetters && stem(a) == stem(b)) return true;  // "carry" and "carri(ed)"
  return shares_most(a, b);
}

bool may_begin_compound(std::string_view compound, std::string_view first) {
  return first.size() >= kLeastOfCompound && begun_by(compound, first) > 0;
}

bool is_compound_of(std::string_view compound, std::string_view first, std::string_view second) {
  constexpr std::string_view kLinks[] = {"", "s", "n", "en", "es", "er"};  // "Geburtstag", "Sonnenschirm"
  if (second.size() < kLeastOfCompound || !may_begin_compound(compound, first)) return false;
  const std::string_view behind = compound.substr(begun_by(compound, first));
  return std::any_of(std::begin(kLinks), std::end(kLinks), [&](std::string_view link) {
    if (!behind.starts_with(link)) return false;
    const std::string_view rest = behind.substr(link.size());
    return rest.starts_with(second) && rest.size() - second.size() <= kCompoundEnding;  // "-kastens", "-kasten"
  });
}

// "Rise" for "go up": a verb and its particle, and words that say the same.
std::vector<std::string> said_in_one_word(const std::vector<std::string>& verbs, std::string_view particle) {
  struct Phrasal {
    std::string_view verb;
    std::string_view particle;
    std::string_view words;
  };
  constexpr Phrasal kPhrasals[] = {{"go", "up", "rise rises increase increases raised"},
                                   {"go", "down", "fall falls decrease reduced"},
                                   {"give", "back", "return returned"},
                                   {"bring", "back", "return returned"},
                                   {"send", "back", "return returned"},
                                   {"take", "back", "return returned"},
                                   {"come", "back", "return returns"},
                                   {"get", "back", "refund refunded repaid return returned"},
                                   {"pay", "back", "refund refunded repaid"},
                                   {"hand", "in", "submit submitted"},
                                   {"send", "in", "submit submitted"},
                                   {"call", "off", "cancel cancelled"},
                                   {"put", "off", "postpone postponed"},
                                   {"pick", "up", "collect collected fetch"},
                                   {"throw", "away", "dispose disposal"},
                                   {"sign", "up", "register registration"}};
  std::vector<std::string> words;
  for (const Phrasal& phrasal : kPhrasals) {
    const bool is_it =
        phrasal.particle == particle && std::find(verbs.begin(), verbs.end(), phrasal.verb) != verbs.end();
    if (is_it) for_each_word(phrasal.words, [&](std::string_view word) { words.emplace_back(word); });
  }
  return words;
}

std::vector<JoinedVerb> joined_verbs(std::string_view text) {
  constexpr std::string_view kParticles[] = {"down", "in", "out", "up", "off", "on", "over", "away", "back"};
  std::vector<JoinedVerb> joined;
  std::string verb;  // the word before
  for (const std::string& word : words_of(text)) {
    if (!verb.empty() && one_of(word, kParticles)) {
      std::vector<std::string> forms = {verb, stem_of(verb)};
      for (const std::string_view form : related_words(verb)) forms.emplace_back(form);
      for (const std::string& form : forms) joined.push_back({verb, form + word});
      for (std::string& one : said_in_one_word(forms, word)) joined.push_back({verb, std::move(one)});
    }
    verb = word;
  }
  return joined;
}

std::vector<std::string_view> related_words(std::string_view folded) {
  std::vector<std::string_view> related;
  std::string stem = stem_of(folded);
  auto [first, last] = lines_of_words().equal_range(folded);
  if (first == last) std::tie(first, last) = lines_of_words().equal_range(stem);  // "lends"
  if (first == last && stem.ends_with('i')) {
    stem.back() = 'y';  // "deliveries"
    std::tie(first, last) = lines_of_words().equal_range(stem);
  }
  if (first == last && folded.ends_with('e')) {
    std::tie(first, last) = lines_of_words().equal_range(std::string(folded) + "n");  // "backe"
  }
  for (auto at = first; at != last; ++at) {
    for_each_word(kGroups[at->second], [&](std::string_view word) {
      if (word != folded) related.push_back(word);
    });
  }
  return related;
}

bool is_participle(std::string_view folded) {
  if (folded.size() > kFormLetters && folded.ends_with("ed")) return true;
  constexpr std::string_view kIrregular[] = {"en", "wn", "rn", "ught", "ung", "ost", "old", "uilt", "ept", "aid"};
  const bool irregular = std::any_of(std::begin(kIrregular), std::end(kIrregular),
                                     [&](std::string_view ending) { return folded.ends_with(ending); });
  return irregular && !related_words(folded).empty();
}

}  // namespace mneme::rag
