// Turkish.
#include "rag/text/languages/language_facts.h"

namespace mneme::rag::languages {

const LanguageFacts kTurkish = {
    .language = Language::kTurkish,
    .grammar = "ne ve bir bu mi zaman nerede kac nasil benim",
    .own_grammar =
        "veya o mu mı mü nereye kim kimin neden hangi için ile kadar bizim var yok olan gibi daha en çok kimdir nedir "
        "nelerdir kaçta kaça kaçtır nerde nereden neye niye niçin biz ben siz sen onlar şu de da ki her ya ama sonra "
        "önce göre olarak oluyor olur olacak oldu lazım gerek gerekiyor gerekir mümkün miyim miyiz mıyız musun olursa "
        "varsa neler hangisi kime kimi kimden",
    .telling = "su",
    .marked_letters = "çğışöü",
    .notes = &notes::kTurkish,
    .documents = &documents::kTurkish,
    .papers = &papers::kTurkish,
    .thanks = "teşekkürler, teşekkür ederim, çok teşekkürler, sağ ol, sağol, tamam",
    .greetings = "merhaba, selam, günaydın, iyi akşamlar",
    .numbers = "iki alti yedi sekiz üç dört beş dokuz yirmi otuz yüz",
    .months = {{{"", "ocak"},
                {"subat"},
                {"", "mart"},
                {"nisan"},
                {"mayis"},
                {"haziran"},
                {"temmuz"},
                {"agustos"},
                {"eylul"},
                {"", "ekim"},
                {"kasim"},
                {"aralik"}}},
    .weekdays = "pazartesi, çarşamba, perşembe, cumartesi",
    .time_units = "dakika, saat, gün, hafta, yıl, ay, ayı, ayın, dakikada, saniye",
    .often = "günde",
    .within = "içinde, en geç",
    .until = "en geç, son ödeme, kadar, içinde, bitiş tarihi",
    .before_hour = "saat",
    .asking_hour = "saat kacta, kaçta, saat kaç",
    .asking_deadline = "ne zamana kadar, hangi tarihe kadar, en geç ne zaman, kaçına kadar",
    .asking =
        {
            .date = "ne zaman, hangi gun, saat kacta",
            .number = "kac, ne kadar",
            .duration = "ne kadar surer, kac gun",
            .frequency = "ne siklikla",
            .person = "kim",
            .place = "nerede, nereye",
            .reason = "neden, nicin",
        },
    .own_asking =
        {.date = "kaçta, hangi tarihte, hangi tarihe, ne zamana, saat kaç, ayın kaçında",
         .number = "kaç lira, kaç para, kaç tane, tutarı",
         .duration = "ne kadar sürüyor, kaç dakika, kaç saat, kaç ay, kaç yıl, kaç hafta, ne kadar önce, kaç gün "
                     "içinde, ne kadar süre, kaç aylık",
         .frequency = "ne kadar sıklıkla, kaç günde bir",
         .person = "kimin, kime, kimi, kimden, kimdir",
         .place = "nereden, nerde, neresi, nereyi",
         .reason = "niye",
         .manner = "nasıl",
         .steps = "ne yapmalıyım, ne yapmalıyız, ne yapacağız, ne yapayım",
         .list = "malzemeler, malzemeleri, yanına ne, yanında ne, ne almalı, ne getirmeli, neler gerekiyor, ne alacak",
         .definition = "ne demek, ne anlama"},
    .how = "kadar",
    .measures = "büyük uzun yüksek geniş ağır eski",
    .large = "büyük",
    .areas = "metrekare alan alanı m2",
    .heat = "derece sıcaklık sıcaklığı",
    .values = "tutar tutarı miktar miktarı bedel",
    .sums = "kira depozito prim muafiyet maaş aidat",
    .date_labels = "tarih tarihi",
    .place_labels = "yer adres nerede",
    .codes = "hata kodu kod arıza",
    .lasting = "geçerli sürer sürüyor geçerlidir",
    .percent = "yüzde",
    .rents = "kira kirası",
    .currencies = "lira, TL, lirası, liradır",
    .price = {.asking = "ne kadar tutuyor"},
    .own_price = {.asking =
                      "ne kadar tutuyor, ne kadar tuttu, kaç lira, kaç para, fiyatı ne, fiyatı kaç, kaça, ne kadar "
                      "ödüyoruz, ne kadar ödüyorum, ne kadar geldi",
                  .how_much = "ne kadar, kaç",
                  .words = "tutuyor tuttu ödüyoruz ödüyorum ödeyeceğiz ödedik para lira fiyat fiyatı geldi"},
    .own_rules = {.permits = "yasak serbest izinli",
                  .may_rules = "yasak, yasaktır, serbest, serbesttir, izin, izni, iznine, izniyle, bağlı, bağlıdır, "
                               "edilemez, veremez, yapılamaz, edilebilir, olabilir",
                  .must_rules = "zorunlu, zorunludur, gerekir, gereklidir, gerekli, şart, lazım, malıdır, melidir",
                  .light_deeds = "besleyebilir bakabilir kullanabilir içilir"},
    .causes = "çünkü, nedeniyle, dolayı, yüzünden, diye, sebebiyle, olduğu için",
    .contact = {.asking = "telefon numarası, telefonu, hangi numarayı, nereyi arayacağız, nereyi aramalıyım, nereyi "
                          "arayacağım, kimi arayalım, kimi arayacağız",
                .words = "telefon telefonu numarası numara numarayı arayın arayacağız aramalıyım"},
    .talk = {.continuing = "peki ve ya ama",
             .pronouns = "onu onun ona bunu bunun bunlar onlar",
             .asking = "nerede nasıl neden"},
    .forms = {.endings =
                  "a e i u yi yu ya ye da de ta te dan den tan ten in un nin nun si su im um imiz umuz miz iniz unuz "
                  "lar ler lari leri na ne ni nu nda nde ndan nden yla yle la le dir dur tir tur m n k iz siz sin li "
                  "lu lik luk yor iyor uyor acak ecek mak mek di du ti tu mis mus ar er ir ur r dik tik digi tigi ma "
                  "me il ilir nir inir masi mesi iyoruz iyorum arim abilir ebilir g gi gu ga ge",
              .most_endings = 3},
    .families =
        "başladı başlıyor başlar başlangıç başlayacak, bitiyor biter bitecek bitiş sona, dönüş dönüyor dönecek döner, "
        "iade geri verilir, kalkıyor kalkacak kalkış kalkar, bozuk bozulursa arıza arızası, onarım onarımı onarımları "
        "tamir, getirmek getirebilir getirebilirler getirmeli, ödemek ödeme ödenir ödemeli ödememiz ödüyoruz ödüyor "
        "ödeyen öder, vermek verir vermeliyiz verilir vermeli, çıkmadan ayrılmadan, almak alacak alır almalı "
        "almalıdır, köpek köpeği, depozito depozitosu",
    .synonyms =
        "sahibi malik kiraya, köpek hayvan, kedi hayvan, depozito teminat, çocuklar öğrenciler, çocuk öğrenci, araba "
        "otomobil araç, fatura tutar, ev daire, doktor hekim, maaş ücret, bitiyor bitiş sona, başlıyor başlangıç, "
        "danışman temsilci, öğretmen öğretmeni hoca",
    .asking_state =
        "# nesi var, # ne sorunu var, # neyi bozuk, # sorunu ne, # sorunu nedir, ne bozuk, # nesi bozuk, # hangi "
        "kusurları var, # ne durumda",
    .payments = {.spent = "harcadım, harcadık, harcandı, toplam harcama, toplam gider",
                 .received = "kazandım, kazandık, toplam gelir",
                 .otherwise = "ortalama, en çok, en az",
                 .average = "ortalama, ortalama olarak",
                 .weekly = "haftada, haftalık, her hafta",
                 .monthly = "ayda, aylık, her ay",
                 .yearly = "yılda, yıllık, her yıl",
                 .most = "en çok, en pahalı, en büyük, en yüksek",
                 .least = "en az, en ucuz, en küçük, en düşük",
                 .expenses = "harcama harcamam harcamamız gider giderim alışveriş ödeme ödemem fatura",
                 .paid = "ödedim ödedik harcadım harcadık aldım",
                 .spending = "harcıyorum, harcıyoruz",
                 .amount_columns = "tutar toplam fiyat gider borç",
                 .balance_columns = "bakiye",
                 .received_columns = "alacak gelir"},
    .periods =
        {
            .today = "bugün, bugünkü",
            .yesterday = "dün, dünkü",
            .current = "bu",
            .past = "geçen son",
            .days = "gün günün",
            .weeks = "hafta haftanın haftaki",
            .months = "ay ayın ayki",
            .years = "yıl yılın yılı yılından yılında yılına yılki yıldan",
            .around = "ait ten den tan dan te de ta da",
            .since = "beri",
            .until = "önce önceki",
            .after = "sonra sonraki",
            .numbers = "bir iki üç dört beş altı yedi sekiz dokuz on onbir oniki",
            .weekdays = "pazartesi, salı, çarşamba, perşembe, cuma, cumartesi, pazar",
        },
};

}  // namespace mneme::rag::languages
