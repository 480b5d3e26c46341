// Turkish.
#include "rag/text/languages/document_words.h"

namespace mneme::rag::documents {

const DocumentWords kTurkish = {
    .kinds = {.document = {"belge belgeyi belgem dosya dosyayı dosyam",
                           "belgeler belgeleri belgelerim belgelerimi belgelerde dosyalar dosyaları dosyalarım "
                           "dosyalarımı dosyalarda"},
              .text = {"metin kitap kitabı sayfa bölüm", "metinler kitaplar sayfalar"},
              .invoice = {"fatura faturam faturamı faturayı faturası",
                          "faturalar faturaları faturalarım faturalarımı faturalarını"},
              .receipt = {"fiş fişi makbuz", "fişler fişleri makbuzlar"},
              .contract = {"sözleşme sözleşmem sözleşmeyi sözleşmesi",
                           "sözleşmeler sözleşmeleri sözleşmelerim sözleşmelerini"},
              .letter = {"mektup mektubu mektubum mektubumu", "mektuplar mektupları mektuplarım"},
              .mail = {"ileti mesaj mesajı mesajım eposta", "iletiler mesajlar mesajları mesajlarım epostalar"},
              .report = {"rapor raporu raporum", "raporlar raporları raporlarım"},
              .article = {"makale makaleyi", "makaleler makaleleri"},
              .policy = {"poliçe poliçem poliçeyi", "poliçeler"},
              .certificate = {"sertifika belgesi", "sertifikalar"},
              .statement = {"ekstre ekstresi", "ekstreler"},
              .minutes = {"tutanak tutanağı", "tutanaklar"},
              .manual = {"kılavuz kılavuzu", "kılavuzlar"},
              .offer = {"teklif teklifi", "teklifler teklifleri"},
              .note = {"not notu notum", "notlar notları notlarım notlarımı"},
              .recipe = {"tarif tarifi", "tarifler tarifleri tariflerim"},
              .form = {"form formu", "formlar"},
              .presentation = {"sunum sunumu", "sunumlar"},
              .cv = {"özgeçmiş"}},
    .own_kinds = "not notu form formu tarif tarifi tarifler fiş fişi ad",
    .lead = "bana hangi hangileri benim bizim tüm bütün var olan lütfen",
    .closing = "hangisi hangileri göster gösterir misin listele nedir ne aç bul lütfen sırala",
    .articles = "benim bizim bir",
    .joins = "ait ile olan nın nin nun nün ın in un ün",
    .of = "ait",
    .asking = "kim nasıl neden nerede ne",
    .names_first = true,
    .newest = "en son, en yeni, en güncel",
    .oldest = "en eski",
    .last = "son",
    .told = "toplam tutar numara tarih fiyat bakiye ad yazar başlık sayfa kira maaş adres kdv",
    .changed =
        "değiştirdim değiştirdik değiştirilen düzenledim düzenlenen yazdım kaydettim oluşturdum güncelledim "
        "değiştirildi düzenlendi kaydedildi güncellendi değişti",
    .taken_in = "ekledim eklenen",
    .doing = "ben biz hangi",
    .last_done = "son",
    .listing = "listele göster sırala",
    .how_many = "kaç, kaç tane, kaç adet",
    .have = "var, var mı, bende var",
    .held = "kaç # var, hangi # var, tüm # listele, bütün # listele, tüm # göster",
    .which = "hangi hangileri",
    .telling =
        "bahsediliyor, bahsediyor, geçiyor, söz ediyor, hakkında, içeriyor, anlatıyor, hakkındaki, ilgili, bahseden, "
        "geçen",
    .finding = "",
    .writers =
        "# hakkında bana kim yazdı, bana # hakkında kim yazdı, bize # hakkında kim yazdı, # hakkında bize kim yazdı, # "
        "konusunda bana kim yazdı, bana # konusunda kim yazdı, # için bana kim yazdı, bana kim yazdı, bize kim yazdı",
    .gist = "# ne hakkında, # ne hakkındadır, # neyle ilgili, # konusu ne, # özetle, # özeti, # özet",
    .around = "lütfen kısaca bana",
    .this_one = "bu o",
    .sections = "bölüm bölümde madde maddede maddesi paragraf",
    .annexes = "ek",
    .place_asking = "ne diyor, ne yazıyor, ne var",
    .page = "sayfa sayfada",
    .showing = "göster oku yazıyor diyor var ne",
    .ordinals =
        "birinci birinciyi ilk, ikinci ikinciyi, üçüncü üçüncüyü, dördüncü dördüncüyü, beşinci beşinciyi, altıncı, "
        "yedinci, sekizinci",
    .last_one = "sonuncu",
    .numbered = "numara",
    .tasks = {.tasks = "görevler, görevlerim, görev listesi, görev listem, yapılacaklar, yapılacaklar listesi, "
                       "yapılacaklar listem, yapılacak işler, yapılacak işlerim, todo",
              .headings = "yapılacaklar, yapılacak işler, açık görevler, todo",
              .open = "açık kalan bitmemiş bekleyen tamamlanmamış",
              .done = "tamamlanan tamamlanmış biten bitmiş yapılan yapılmış",
              .all = "tüm bütün",
              .around = "hangi hangileri neler ne var benim için hala henüz hangisi nelerdir",
              .asking_open =
                  "yapmam gereken ne kaldı, yapacak ne kaldı, ne yapmam gerekiyor, neler yapmam gerekiyor, daha ne "
                  "yapmam gerekiyor, ne yapılması gerekiyor, yapılacak ne var, yapılacak ne kaldı, ne kaldı",
              .asking_done = "neleri yaptım, ne yaptım, neleri bitirdim, neleri tamamladım, neler yapıldı, ne yapıldı"},
};

}  // namespace mneme::rag::documents
