// Spanish.
#include "rag/text/languages/paper_words.h"

namespace mneme::rag::papers {

const PaperWords kSpanish = {
    .salutations =
        "querido, querida, queridos, queridas, estimado, estimada, estimados, estimadas, muy señor mío, muy señores "
        "míos, hola, buenos días, buenas tardes, apreciado, apreciada",
    .closings =
        "atentamente, un cordial saludo, cordialmente, saludos cordiales, saludos, un saludo, reciba un cordial "
        "saludo, le saluda atentamente, un abrazo, un fuerte abrazo, besos, muchos besos, con cariño, afectuosamente",
    .totals = "total, importe total, total a pagar, importe a pagar, total factura, total general, suma total",
    .defects =
        "roto, rota, rotos, rotas, averiado, averiada, avería, defectuoso, defectuosa, defecto, defectos, dañado, "
        "dañada, daño, grieta, grietas, agrietado, gotea, pierde, fuga, suelto, suelta, falta, faltan, atascado, "
        "atascada, bloqueado, bloqueada, obstruido, parpadea, chirría, pita, huele, oxidado, oxidada, moho, gastado, "
        "gastada, rayado, rayada, mancha, manchas, no funciona, no cierra, no abre, no enciende, ya no, flojo, floja, "
        "se cae, fundida, fundido, pinchado, pinchada",
};

}  // namespace mneme::rag::papers
