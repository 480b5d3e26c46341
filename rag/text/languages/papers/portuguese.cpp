// Portuguese.
#include "rag/text/languages/paper_words.h"

namespace mneme::rag::papers {

const PaperWords kPortuguese = {
    .salutations =
        "caro, cara, caros, caras, querido, querida, exmo, exma, exmos, prezado, prezada, prezados, estimado, "
        "estimada, olá, bom dia, boa tarde",
    .closings =
        "com os melhores cumprimentos, melhores cumprimentos, cumprimentos, atenciosamente, atentamente, cordialmente, "
        "um abraço, abraços, beijos, beijinhos, com carinho, saudações",
    .totals = "total, total a pagar, valor total, montante total, valor a pagar, total geral, total da fatura",
    .defects =
        "partido, partida, avariado, avariada, avaria, estragado, estragada, defeituoso, defeituosa, defeito, "
        "defeitos, danificado, danificada, dano, quebrado, quebrada, rachado, rachada, fenda, pinga, verte, fuga, "
        "vazamento, solto, solta, falta, faltam, encravado, encravada, bloqueado, entupido, entupida, pisca, chia, "
        "cheira, ferrugem, enferrujado, bolor, gasto, gasta, riscado, riscada, mancha, manchas, não funciona, não "
        "fecha, já não, cai, fundida, furado",
};

}  // namespace mneme::rag::papers
