#include "rag/text/variants/trade_groups.h"

#include <unordered_map>

#include "rag/text/words/word_groups.h"

namespace mneme::rag {

namespace {

// Words of one trade a line, folded: any stands for any other.
constexpr std::string_view kTrades[] = {
    // English
    "plumber plumbers plumbing",
    "electrician electricians electrics electricity",
    "dentist dental dentistry",
    "vet veterinarian veterinary",
    "accountant accountants accountancy accounting",
    "insurer insurance insured",
    "gardener gardening",
    "cleaner cleaning",
    "painter painting decorating",
    "tuner tunes tuning",
    "optician optics",
    "roofer roofing",
    "carpenter carpentry joinery joiner",
    "baker bakery",
    "butcher butchery",
    // German
    "klempner klempnerei installateur sanitar",
    "elektriker elektrikerin elektro elektrik",
    "zahnarzt zahnarztin zahnarzte zahnarztpraxis",
    "tierarzt tierarztin tierarztpraxis",
    "hausarzt hausarztin arztpraxis",
    "hausverwalter hausverwalterin hausverwaltung verwalter",
    "steuerberater steuerberaterin steuerberatung steuerkanzlei",
    "versicherer versicherung versichert",
    "anwalt anwaltin rechtsanwalt rechtsanwaltin anwaltskanzlei",
    "gartner gartnerin gartnerei",
    "schreiner schreinerei tischler tischlerei",
    "maler malerin malerbetrieb",
    "optiker optikerin optik",
    "dachdecker dachdeckerei",
    "backer backerei",
    "schornsteinfeger schornsteinfegerin kaminkehrer",
    "putzfrau putzhilfe reinigung",
    "klavierstimmer klavierstimmerin",
    // French
    "plombier plomberie",
    "electricien electricienne electricite",
    "dentiste dentaire",
    "veterinaire veterinaires",
    "comptable comptabilite",
    "assureur assurance",
    "jardinier jardinage",
    "menuisier menuiserie",
    "peintre peinture",
    "opticien opticienne optique",
    "chauffagiste chauffage",
    "serrurier serrurerie",
    "boulanger boulangerie",
    // Spanish
    "fontanero fontaneria",
    "electricista electricidad",
    "dentista dental",
    "veterinario veterinaria",
    "asesor asesoria gestoria gestor",
    "aseguradora seguro seguros",
    "jardinero jardineria",
    "carpintero carpinteria",
    "pintor pintura",
    "cerrajero cerrajeria",
    // Italian
    "idraulico idraulica",
    "elettricista elettricita",
    "dentista dentistico odontoiatra",
    "veterinario veterinaria",
    "commercialista commercialisti",
    "assicuratore assicurazione",
    "giardiniere giardinaggio",
    "falegname falegnameria",
    "fabbro ferramenta",
    "amministratore amministrazione amministrazioni",
    // Portuguese
    "canalizador canalizacao encanador",
    "eletricista eletricidade",
    "contabilista contabilidade",
    "seguradora seguro",
    "jardineiro jardinagem",
    "carpinteiro carpintaria",
    // Dutch
    "loodgieter loodgieterij loodgieters",
    "elektricien elektra elektriciteit",
    "tandarts tandartspraktijk",
    "dierenarts dierenkliniek",
    "huisarts huisartsenpraktijk",
    "verzekeraar verzekering",
    "tuinman tuinier hovenier",
    "schilder schildersbedrijf",
    "boekhouder boekhouding",
    // Swedish, Danish, Norwegian
    "rormokare vvs",
    "tandlakare tandvard",
    "veterinar djurklinik",
    "rorlegger vvs",
    "blikkenslager vvs",
    "tandlaege tandklinik",
    "tannlege tannklinikk",
    "dyrlaege dyreklinik",
    "revisor revision",
    // Polish, Czech
    "hydraulik hydrauliczny hydraulika",
    "elektryk elektryczny elektryka",
    "dentysta dentystka stomatolog",
    "weterynarz weterynaryjna weterynaria",
    "ksiegowy ksiegowa ksiegowosc",
    "instalater instalaterstvi",
    "elektrikar elektro",
    "zubar zubni",
    "veterinar veterinarni",
    "ucetni ucetnictvi",
    // Russian, Ukrainian
    "сантехник сантехника",
    "электрик электрика",
    "стоматолог стоматология",
    "ветеринар ветеринарная",
    "бухгалтер бухгалтерия",
    "сантехнік сантехніка",
    "електрик електрика",
    "бухгалтер бухгалтерія",
};

}  // namespace

std::vector<std::string_view> words_of_trade(std::string_view folded) {
  static const std::unordered_multimap<std::string_view, std::string_view> kLines = [] {
    std::unordered_multimap<std::string_view, std::string_view> lines;
    for (const std::string_view line : kTrades)
      for_each_word(line, [&](std::string_view word) { lines.emplace(word, line); });
    return lines;
  }();
  std::vector<std::string_view> words;
  const auto [first, last] = kLines.equal_range(folded);
  for (auto at = first; at != last; ++at) {
    for_each_word(at->second, [&](std::string_view word) {
      if (word != folded) words.push_back(word);
    });
  }
  return words;
}

}  // namespace mneme::rag
