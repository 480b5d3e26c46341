// Turkish.
#include "rag/text/languages/notes.h"

namespace mneme::rag::notes {

const NoteTexts kTurkish = {
    .digit_groups = ".",
    .not_said = "Belgeler bu konuda bir şey söylemiyor.",
    .parts_not_said = "Belgeler bu konuda bir şey söylemiyor: {parts}",
    .rows_not_reckoned = "Satırlar alıntılanır, onlarla hesap yapılmaz",
    .rows_added_up = "Toplanan satır sayısı: {n}",
    .rows_counted_once = "Birden fazla belgede bulunan ve bir kez sayılan satır sayısı: {n}",
    .payments_compared = "Karşılaştırılan ödemeler: {n}",
    .payments_averaged = "Ortalaması alınan ödemeler: {n}",
    .bills_added_up = "Toplanan faturalar: {n}",
    .no_payments = "ne tablolar ne de faturalar böyle ödemelerden söz ediyor",
    .only_quoted = "Yalnızca alıntılar: {why}",
    .no_such_source = "Yanıt [{n}] diyor, bu bir kaynak değil",
    .listed_about = "Bundan söz eden {all} belgeden {n} tanesi; ötekileri `mneme search` bulur",
    .listed_dated = "{all} belgeden {n} tanesi",
    .listed_tasks = "{all} görevden {n} tanesi",
    .no_task_open = "Bunların hiçbiri açık değil",
    .by_file_date = "“değişme”: belge tarih söylemiyor, onun yerinde dosyanın son değiştiği gün duruyor",
    .dated = "tarihi {date}",
    .named = "adına göre {date}",
    .changed = "değişme {date}",
    .taken_in = "eklenme {date}",
    .held = "{collection}: belgeler: {documents}, bölümler: {passages}, yer: {folders}.",
    .gist_read = "{document} içindeki {all} bölümden {n} tanesi okundu: başı ve eşit aralıklarla ötekiler",
    .also_called = "Bu adı taşıyan başkaları: {others}",
    .which_document = "Hangi belgenin kastedildiği belli değil; başlığını ya da dosyasını söyleyin",
    .no_page = "{document} içinde {page}. sayfa yok",
    .not_all_with = "“{word}” ile sorunun tümünü yanıtlayan bir şey yok; yerine “{other}” arandı",
    .no_passage_says = "Hiçbir bölümde “{word}” geçmiyor; yerine “{other}” arandı",
    .looked_for = "Yerine “{other}” arandı",
    .no_vectors =
        "{collection} koleksiyonunun {embedder} vektörleri henüz yok; oluşana dek yalnızca sözcüklerle aranıyor; "
        "`mneme index` hemen oluşturur",
    .not_reranked = "{by} yeniden sıralamadı: {why}",
    .no_date = "{filter} bir tarih değil (YYYY-AA-GG, YYYY-AA ya da YYYY), bu yüzden sözcük olarak arandı",
    .no_filter = "{filter} süzülecek bir şey söylemiyor, bu yüzden sözcük olarak arandı",
    .repeats_left_out = "Daha iyilerini neredeyse yinelediği için çıkarılan bölümler: {n}",
    .no_match = "Hiçbir belge şuna uymuyor: {filters}",
    .either = " ya da ",
    .no_match_of_all = "Hiçbir belge bunların hepsine uymuyor: {filters}",
    .no_passage_of_match = "Şuna uyan belgelerde bu sözcüklerle bölüm yok: {filters}",
    .nothing_goes_with = "Bu sözcüklere uyan bir şey yok; başkalarını deneyin.",
    .collection_empty = "{collection} koleksiyonunda henüz belge yok.",
    .nothing_indexed = "Henüz hiçbir belge okunmadı; `mneme index KLASÖR` okur.",
    .welcome = "Rica ederim.",
    .greeting = "Merhaba! Ne öğrenmek istersiniz?",
    .caches_not_measured =
        "Bu modelin önbellekleri henüz ölçülmedi, bu yüzden her şey hesaplandı; `mneme model add DOSYA` bir kez ölçer",
    .being_tried_out =
        "Bu model şu anda deneniyor, bu yüzden her şey hesaplandı; sonraki yanıtlar daha erken başlayacak",
    .caches_differ =
        "Bu model onarılmış önbelleklerden başka türlü yanıt veriyor (KL {kl}, {share} payda en olası belirteçlerin "
        "%{percent} kadarı aynı), bu yüzden her şey hesaplanıyor; --recompute R bunu geçersiz kılar",
    .goal_had_no_say = "Her şey hesaplandığı için süre hedefinin etkisi olmadı",
    .ends_in_middle = "Yanıt yarıda kesiliyor: {why}",
    .still_thinking =
        "Model düşünebileceği {n} belirteçle bir yanıta varamadı; daha dar bir soru sorun ya da hemen yanıt veren bir "
        "model kullanın",
    .turns_left_out = "Sığmadığı için çıkarılan önceki konuşmalar: {n}",
    .passages_left_out = "{all} bölümden {n} tanesi modelin bağlamına sığmadı ve çıkarıldı",
    .passage_cut = "Modelin bağlamına sığması için ilk bölüm {all} belirteçten {n} belirtece kısaltıldı",
    .cache_recomputed = "Saklanan bir KV önbelleği kullanılamadı ve yeniden hesaplandı: {why}",
};

}  // namespace mneme::rag::notes
