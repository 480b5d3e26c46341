// Arabic.
#include "rag/text/languages/notes.h"

namespace mneme::rag::notes {

const NoteTexts kArabic = {
    .digit_groups = ",",
    .not_said = "لا تذكر الوثائق ذلك.",
    .parts_not_said = "لا تذكر الوثائق ذلك: {parts}",
    .rows_not_reckoned = "تُقتبس الصفوف كما هي ولا يُحسب منها شيء",
    .rows_added_up = "عدد الأسطر المجموعة: {n}",
    .rows_counted_once = "أسطر موجودة في عدة مستندات حُسبت مرة واحدة: {n}",
    .payments_compared = "الدفعات المقارنة: {n}",
    .payments_averaged = "الدفعات في المتوسط: {n}",
    .bills_added_up = "الفواتير المجموعة: {n}",
    .no_payments = "لا الجداول ولا الفواتير تذكر دفعات كهذه",
    .only_quoted = "اقتباسات فقط: {why}",
    .no_such_source = "يذكر الجواب [{n}] وليس ذلك مصدرًا",
    .listed_about = "{n} من {all} من الوثائق التي تتحدث عن ذلك؛ والباقي يجده `mneme search`",
    .listed_dated = "{n} من {all} من الوثائق",
    .listed_tasks = "{n} من {all} مهمة",
    .no_task_open = "لم يبقَ شيء من هذا للتنفيذ",
    .by_file_date = "«عُدّلت»: لا تذكر الوثيقة تاريخًا، وهذا تاريخ آخر تعديل للملف",
    .dated = "بتاريخ {date}",
    .named = "بحسب اسم الملف {date}",
    .changed = "عُدّلت {date}",
    .taken_in = "أُضيفت {date}",
    .held = "{collection}: الوثائق: {documents}، المقاطع: {passages}، من {folders}.",
    .gist_read = "قُرئ {n} من {all} من مقاطع {document}: البداية ومقاطع أخرى على مسافات متساوية",
    .also_called = "تحمل الاسم نفسه: {others}",
    .which_document = "ليس واضحًا أي وثيقة هي المقصودة؛ اذكر عنوانها أو ملفها",
    .no_page = "ليس في {document} صفحة {page}",
    .not_all_with = "لا شيء يجيب عن السؤال كله بكلمة «{word}»؛ جرى البحث عن «{other}» بدلًا منها",
    .no_passage_says = "لا يرد «{word}» في أي مقطع؛ جرى البحث عن «{other}» بدلًا منه",
    .looked_for = "جرى البحث عن «{other}» بدلًا من ذلك",
    .no_vectors =
        "ليس للمجموعة {collection} متجهات من {embedder} بعد؛ يجري البحث بالكلمات وحدها إلى أن تُنشأ؛ ينشئها `mneme "
        "index` فورًا",
    .not_reranked = "لم يُعد الترتيب بواسطة {by}: {why}",
    .no_date = "{filter} ليس تاريخًا (YYYY-MM-DD أو YYYY-MM أو YYYY)، لذلك جرى البحث عنه ككلمات",
    .no_filter = "{filter} لا يحدد ما يُصفّى، لذلك جرى البحث عنه ككلمات",
    .repeats_left_out = "مقاطع تُركت لأنها تكاد تكرر مقاطع أفضل منها: {n}",
    .no_match = "لا وثيقة توافق {filters}",
    .either = " أو ",
    .no_match_of_all = "لا وثيقة توافق هذه معًا: {filters}",
    .no_passage_of_match = "في الوثائق التي توافق {filters} لا مقطع يناسب هذه الكلمات",
    .nothing_goes_with = "لا شيء يناسب هذه الكلمات؛ جرّب غيرها.",
    .collection_empty = "لا تضم المجموعة {collection} أي وثائق بعد.",
    .nothing_indexed = "لم تُقرأ أي وثيقة بعد؛ الأمر `mneme index FOLDER` يقرؤها.",
    .welcome = "عفوًا.",
    .greeting = "مرحبًا! ماذا تريد أن تعرف؟",
    .caches_not_measured =
        "لم تُقَس ذواكر هذا النموذج بعد، لذلك حُسب كل شيء؛ الأمر `mneme model add FILE` يقيسها مرة واحدة",
    .being_tried_out = "يُجرَّب هذا النموذج الآن، لذلك حُسب كل شيء؛ ستبدأ الإجابات اللاحقة أسرع",
    .caches_differ =
        "يجيب هذا النموذج من الذواكر المرمّمة على نحو مختلف (KL {kl}، و{percent} % من الرموز الأرجح متساوية عند حصة "
        "{share})، لذلك يُحسب كل شيء؛ الخيار --recompute R يتجاوز ذلك",
    .goal_had_no_say = "لم يكن للوقت المطلوب أثر، لأن كل شيء حُسب",
    .ends_in_middle = "ينقطع الجواب في منتصفه: {why}",
    .still_thinking =
        "لم يصل النموذج إلى جواب ضمن {n} من الرموز المتاحة للتفكير؛ اسأل سؤالًا أضيق أو استخدم نموذجًا يجيب فورًا",
    .turns_left_out = "أسئلة وأجوبة سابقة تُركت لضيق المكان: {n}",
    .passages_left_out = "{n} من {all} من المقاطع لم تتسع لها ذاكرة النموذج فتُركت",
    .passage_cut = "قُصّر المقطع الأول إلى {n} من {all} من الرموز ليتسع له سياق النموذج",
    .cache_recomputed = "تعذّر استخدام ذاكرة KV محفوظة فحُسبت من جديد: {why}",
};

}  // namespace mneme::rag::notes
