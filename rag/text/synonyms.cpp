#include "rag/text/synonyms.h"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "rag/text/german.h"
#include "rag/text/stop_words.h"
#include "rag/text/word_groups.h"
#include "rag/text/words.h"

namespace mneme::rag {

namespace {

// Each line: words of which any stands for any other, folded (rag/text/words.h). A word may stand in several.
constexpr std::string_view kGroups[] = {
    // English: things and people
    "warranty guarantee",
    "car automobile vehicle",
    "bike bicycle",
    "lorry truck",
    "ship boat vessel",
    "engine motor",
    "petrol gasoline fuel",
    "phone telephone",
    "cellphone mobile smartphone",
    "television tv",
    "fridge refrigerator",
    "tap faucet",
    "lift elevator",
    "flat apartment",
    "shop store",
    "garbage rubbish trash waste",
    "lamp light",
    "screen display monitor",
    "wire cable",
    "bring need needs",
    "altogether total sum",
    "insgesamt gesamtbetrag gesamtsumme rechnungsbetrag endbetrag",
    "button key",
    "filter strainer",
    "smell odour odor",
    "picture image photo photograph",
    "movie film",
    "book volume",
    "present gift",
    "autumn fall",
    "road street",
    "town city",
    "nation country",
    "doctor physician",
    "lawyer attorney solicitor",
    "boss manager supervisor",
    "employee worker staff",
    "teacher instructor",
    "pupil student",
    "kid child",
    "owner proprietor",
    "buyer purchaser customer client",
    "seller vendor supplier",
    "tenant lodger lessee",
    "landlord lessor",
    "firm company business",
    "king monarch",
    "medicine drug medication tablet tablets pill pills",
    "wear dress clothes clothing outfit",
    "owe bill invoice",
    "illness disease sickness",
    "accident crash collision",
    "trip journey",
    "luggage baggage bag bags suitcase",
    "flight outbound departure",
    "leave depart departure",
    "arrive arrival",
    "guide manual handbook",
    "meeting session",
    "vote suffrage ballot",
    "religion faith creed",
    "terrain landscape",
    "coastline coast shoreline",
    "airport airfield",
    "railway railroad",
    "army military",
    "spending expenditure",
    "parliament legislature",
    "law statute",
    "rule regulation",
    "agreement contract",
    "bill invoice",
    "due payable",
    "tax duty levy",
    "discount reduction rebate",
    "salary wage",
    "rent lease",
    "price cost fee charge",
    "holiday vacation leave",
    "job occupation profession",
    "goal aim purpose objective",
    "danger hazard risk",
    "damage harm",
    "noise sound",
    "weight mass",
    // English: doing
    "buy purchase acquire",
    "begin start commence",
    "end finish conclude",
    "stop halt cease",
    "repair fix mend",
    "cancel annul revoke terminate",
    "refund reimburse repay",
    "help aid assist support",
    "answer reply respond",
    "allow permit",
    "forbid prohibit ban",
    "need require",
    "show display",
    "choose select pick",
    "change modify alter edit",
    "keep retain",
    "get obtain receive",
    "give provide supply",
    "use employ utilise utilize",
    "make create produce",
    "join connect attach",
    "split divide separate",
    "clean wash",
    "heat warm",
    "cool chill",
    "bake roast",
    "fry saute",
    "boil simmer",
    "chop cut dice slice",
    "mix stir blend combine",
    "throw toss hurl",
    "hire recruit employ",
    "fire dismiss sack",
    "resign quit",
    "die decease",
    "marry wed",
    // English: qualities
    "big large",
    "small little tiny",
    "fast quick rapid",
    "broken defective faulty",
    "old ancient",
    "rich wealthy",
    "safe secure",
    "wrong incorrect",
    "right correct",
    "hard difficult",
    "easy simple",
    "yearly annual",
    "mandatory compulsory obligatory required",
    "optional voluntary",
    // English: computers
    "folder directory",
    "delete remove erase",
    "copy duplicate clone",
    "search find locate",
    "list enumerate",
    "run execute launch",
    "kill terminate",
    "error exception failure fault",
    "bug defect",
    "program application app",
    "function method routine",
    "argument parameter",
    "option flag switch setting",
    "update upgrade",
    "download fetch",
    "password passphrase",
    "login signin",
    "immutable constant unchangeable",
    "mutable changeable modifiable",
    "inheritance subclassing",
    "deprecated obsolete",
    "loop iteration",
    "compress zip",
    "extract unpack unzip",
    "print output",
    "discontinued retired sunset",
    // German
    "garantie gewahrleistung",
    "auto wagen fahrzeug",
    "fahrrad rad",
    "kaufen erwerben",
    "loschen entfernen",
    "arzt doktor",
    "beginnen anfangen",
    "urlaub ferien",
    "bild foto",
    "anwalt rechtsanwalt",
    "lohn gehalt",
    "preis kosten",
    "mull abfall",
    "anleitung handbuch",
    "benutzen verwenden nutzen",
    "ordner verzeichnis",
    "andern verandern",
    "schnell rasch",
    "grosse umfang",
    "handy mobiltelefon",
    "rechner computer",
    "fehler storung",
    "kundigen kundigung",
    "reparieren instandsetzen",
    "zeigen anzeigen",
    "vermieter vermieterin hausbesitzer hauswirt",
    "mieter mieterin",
    "miete grundmiete kaltmiete nettomiete warmmiete mietzins",
    "kaution mietkaution sicherheit",
    "nebenkosten betriebskosten",
    "wohnung mietwohnung",
    "saubermachen reinigen putzen saubern",
    "tuv hauptuntersuchung",
    "operiert operation eingriff",
    "medikament medikamente arznei arzneimittel medikation",
    "krankenhaus klinik spital",
    "kosten betrag summe",
    "insgesamt gesamt gesamtbetrag",
    "mehrwertsteuer mwst umsatzsteuer",
    "rabatt nachlass",
    "versammlung sitzung treffen besprechung",
    "teilnehmer anwesend anwesende",
    "abfahren abfahrt abreise",
    "ankommen ankunft",
    "buchen reservieren buchung reservierung",
    "stornieren stornierung storno",
    "bezahlen zahlen zahlung uberweisen",
    "kind kinder schuler",
    "lehrer lehrerin klassenlehrer klassenlehrerin",
    "feiern feiert feier fest",
    "chef chefin leiter leiterin vorgesetzter",
    // French
    "voiture automobile vehicule",
    "acheter acquerir",
    "supprimer effacer",
    "medecin docteur",
    "commencer debuter",
    "vacances conges",
    "prix cout tarif",
    "avocat juriste",
    "velo bicyclette",
    "erreur faute",
    "dossier repertoire",
    "utiliser employer",
    "reparer depanner",
    "proprietaire bailleur bailleresse",
    "locataire preneur",
    "appartement logement",
    "caution depot garantie",
    "medicament medicaments traitement",
    "prescrire prescrit ordonnance traitement",
    "avion vol",
    "partir depart",
    "arriver arrivee",
    "rembourser remboursement mensualite",
    "resilier resiliation",
    "ecole classe",
    "ecoliers eleves enfants",
    "salaire paie remuneration",
    "courriel mail email",
    "consommer consomme consommation",
    "cuire cuit cuisson",
    "reunion assemblee seance",
    "hopital clinique",
    "reserver reservation",
    "annuler annulation",
    "assurer assurance",
    "nettoyer nettoyage entretien",
    // Spanish
    "coche automovil carro",
    "comprar adquirir",
    "borrar eliminar",
    "medico doctor",
    "empezar comenzar iniciar",
    "precio coste costo",
    "abogado letrado",
    "ordenador computadora",
    "carpeta directorio",
    "usar utilizar",
    "reparar arreglar",
    "movil celular",
    "casero casera arrendador arrendadora propietario propietaria",
    "inquilino inquilina arrendatario arrendataria",
    "alquiler renta arrendamiento",
    "piso vivienda apartamento",
    "fianza deposito",
    "luz electricidad",
    "colegio escuela",
    "ninos alumnos hijos",
    "factura recibo",
    "medicina medicamento medicamentos",
    "sueldo salario nomina",
    "alojarse alojamos alojamiento hotel",
    "viaje excursion",
    "vuelo avion",
    "salir salida",
    "llegar llegada",
    "reunion junta asamblea",
    "seguro poliza",
    "caducar caduca vence vencimiento",
    "gastar gastamos consumo consumida consumir",
    "limpiar limpieza",
    // Italian
    "affitto canone locazione",
    "padrone padrona proprietario proprietaria locatore locatrice",
    "inquilino inquilina conduttore conduttrice",
    "cauzione deposito",
    "casa appartamento abitazione",
    "rifare rifacimento",
    "bolletta fattura",
    "medico dottore dottoressa",
    "macchina auto automobile",
    "ferie vacanze",
    "stipendio salario",
    "scadere scade scadenza",
    "consumare consumato consumo",
    "partire partenza",
    "arrivare arriva arrivo",
    "bambini alunni figli",
    "medicina farmaco medicinale",
    "pagare pagata pagamento versare",
    "comprare acquistare",
    "riparare aggiustare",
    "lasciare recedere disdire disdetta",
    // Portuguese
    "senhorio senhoria proprietario locador",
    "inquilino inquilina arrendatario locatario",
    "renda aluguel arrendamento",
    "caucao deposito",
    "carro automovel viatura",
    "medico doutor doutora",
    "ordenado salario vencimento",
    "telemovel celular",
    "comboio trem",
    "autocarro onibus",
    "gastar gastamos consumo consumir",
    "cozer cozinhar cozedura",
    "voo aviao",
    "alojados alojamento hospedagem",
    // Russian: words are compared by their stems
    "аренда наем найм съем",
    "арендовать снимать",
    "арендодатель наймодатель хозяин хозяйка сдает сдавать",
    "арендатор наниматель съемщик жилец",
    "залог депозит",
    "аренда наем плата",
    "всего итого",
    "страховка полис страхование",
    "электричество электроэнергия",
    "лекарство препарат медикамент",
    "врач доктор",
    "машина автомобиль авто",
    "зарплата оклад",
    "цена стоимость",
    "гостиница отель",
    "купить приобрести",
    "ремонт починка",
    "чинить ремонтировать",
    "собрание совещание заседание",
    "взнос платеж оплата",
    "продлить продление",
    "отправляться отправление выезд",
    "прибывать прибытие",
    "вернуться возвращаться обратно возвращение",
    "сломаться поломка неисправность",
    "истекать заканчиваться окончание",
    "дети ребенок ученики",
    // Chinese
    "保修 质保",
    "电脑 计算机",
    "价格 价钱",
    "自行车 单车",
    "土豆 马铃薯",
    "西红柿 番茄",
    "出租车 计程车",
    "医生 大夫",
    "妻子 太太 夫人",
    "父亲 爸爸",
    "母亲 妈妈",
    "原料 材料 食材 配料",
    "步骤 做法",
    "删除 移除",
    "文件夹 目录",
    "软件 程序",
    "薪水 工资",
    "房租 租金",
    "合同 协议",
    "假期 休假",
    "房东 出租方 出租人 甲方",
    "房客 租客 承租方 承租人 乙方",
    "退租 解约",
    "押金 保证金",
    "药 药物 药品",
    "飞机 航班",
    "汽车 车辆",
    "过敏 过敏史",
    "吃饭 用餐 聚餐 开席",
    "过生日 生日 大寿 寿宴",
    "电费 电价",
    "老板 经理",
    "维修 修理",
    "酒店 宾馆 旅馆 客栈",
    "学费 课时费",
    // Japanese
    "値段 価格",
    "医者 医師",
    "給料 給与",
    "写真 画像",
    "作り方 手順",
    "材料 原料",
    "会社 企業",
    "始まる 開始",
    "家賃 賃料",
    "大家 貸主 家主 賃貸人",
    "借主 賃借人 入居者",
    "電気代 電気料金 請求予定金額 請求金額",
    "水道代 水道料金",
    "ガス代 ガス料金",
    "薬 内服薬 処方",
    "飛行機 便",
    "切符 チケット 乗車券",
    "泊まる 宿泊 宿",
    "修理 修繕",
    "引っ越し 転居",
    "会議 打ち合わせ 総会",
    "解約 退去",
    "車 自動車",
    "掃除 清掃 洗浄",
    "休み 休暇 休業",
};

bool is_wide(std::string_view word) {
  return static_cast<unsigned char>(word.front()) >= 0xE0;
}

// Lines of the table by the stem of a word with spaces around it, or by the whole of one without.
struct Index {
  std::unordered_multimap<std::string_view, size_t> by_stem;
  std::vector<std::pair<std::string_view, size_t>> wide;  // the longest first

  Index() {
    for (size_t line = 0; line < std::size(kGroups); ++line) {
      for_each_word(kGroups[line], [&](std::string_view word) {
        if (is_wide(word)) {
          wide.emplace_back(word, line);
        } else {
          by_stem.emplace(stem_of(word), line);
        }
      });
    }
    std::stable_sort(wide.begin(), wide.end(),
                     [](const auto& a, const auto& b) { return a.first.size() > b.first.size(); });
  }
};

const Index& index() {
  static const Index kIndex;
  return kIndex;
}

void add_line(size_t line, std::string_view but, std::vector<std::string_view>& synonyms) {
  for_each_word(kGroups[line], [&](std::string_view word) {
    const bool itself = is_wide(word) ? word == but : stem_of(word) == stem_of(but);
    if (!itself && std::find(synonyms.begin(), synonyms.end(), word) == synonyms.end()) synonyms.push_back(word);
  });
}

void add_wide_spots(std::string_view text, std::vector<SynonymSpot>& spots) {
  for (const auto& [word, line] : index().wide) {
    for (size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + word.size())) {
      const size_t end = at + word.size();
      const bool taken = std::any_of(spots.begin(), spots.end(),
                                     [&](const SynonymSpot& spot) { return spot.begin < end && at < spot.end; });
      if (taken) continue;
      SynonymSpot spot{at, end, {}};
      add_line(line, word, spot.synonyms);
      spots.push_back(std::move(spot));
    }
  }
}

}  // namespace

std::vector<std::string_view> synonyms_of(std::string_view folded) {
  std::vector<std::string_view> synonyms;
  const auto [first, last] = index().by_stem.equal_range(stem_of(folded));
  for (auto at = first; at != last; ++at) add_line(at->second, folded, synonyms);
  return synonyms;
}

std::vector<SynonymSpot> synonym_spots(std::string_view text) {
  std::vector<SynonymSpot> spots;
  const bool nouns_begin_large = is_german(text);
  WordScanner scanner(text);
  Word word;
  for (bool first = true; scanner.next(word); first = false) {
    const char begin = text[word.byte_begin];
    const bool is_name = !nouns_begin_large && !first && begin >= 'A' && begin <= 'Z';
    if (word.pair || is_stop_word(word.text) || is_name) continue;
    std::vector<std::string_view> synonyms = synonyms_of(word.text);
    if (!synonyms.empty()) spots.push_back({word.byte_begin, word.byte_end, std::move(synonyms)});
  }
  add_wide_spots(text, spots);
  std::sort(spots.begin(), spots.end(), [](const SynonymSpot& a, const SynonymSpot& b) { return a.begin < b.begin; });
  return spots;
}

}  // namespace mneme::rag
