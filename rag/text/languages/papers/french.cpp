// French.
#include "rag/text/languages/paper_words.h"

namespace mneme::rag::papers {

const PaperWords kFrench = {
    .salutations = "cher, chère, chers, chères, madame, monsieur, mesdames, messieurs, bonjour, salut",
    .closings =
        "cordialement, bien cordialement, sincères salutations, meilleures salutations, salutations distinguées, "
        "veuillez agréer, veuillez recevoir, je vous prie d'agréer, nous vous prions d'agréer, bien à vous, bien à "
        "toi, amicalement, bises, gros bisous, bisous, je t'embrasse, je vous embrasse, affectueusement, amitiés",
    .totals =
        "total, total ttc, montant total, net à payer, total à payer, montant à payer, somme à payer, total général, "
        "montant dû, montant ttc, total eur",
    .defects =
        "cassé, cassée, cassés, cassées, défectueux, défectueuse, défaut, défauts, abîmé, abîmée, endommagé, "
        "endommagée, fissure, fissuré, fissurée, fuit, fuite, fuites, goutte, desserré, desserrée, manque, manquant, "
        "manquante, bloqué, bloquée, coincé, coincée, bouché, bouchée, clignote, grince, vibre, sent mauvais, rouillé, "
        "rouillée, moisi, moisissure, usé, usée, déchiré, déchirée, rayé, rayée, rayure, tache, taches, ne marche, ne "
        "marche plus, ne marche pas, ne fonctionne, ne ferme, ne s'ouvre, ne s'allume, en panne, hors service, "
        "surchauffe, baisse, se détache, mort, morte, à signaler, crevé, crevée, grillée, grillé",
};

}  // namespace mneme::rag::papers
