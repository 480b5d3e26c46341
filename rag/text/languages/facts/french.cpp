// French.
#include "rag/text/languages/language_facts.h"

namespace mneme::rag::languages {

const LanguageFacts kFrench = {
    .language = Language::kFrench,
    .grammar =
        "le la les un une du et ou est sont dans sur pour par pas que qui quoi quel quelle comment ce ces cette il "
        "elle ils au aux avec ne se de en son combien quand pourquoi je tu nous vous mon ma mes notre votre vos leur "
        "leurs ai avons avez ont dois doit doivent devons faut peut peux etait sera sous chez quels quelles lequel "
        "sans qu avoir etre faire pouvoir puis peuvent signifie",
    .telling = "des elles ton ta tes sa ses nos cet on c d l n s y plus a",
    .marked_letters = "éèêàâçîôûœùïë",
    .refusal = "Les documents n’en disent rien.",
    .numbers = "deux trois quatre cinq huit neuf dix onze douze quinze vingt trente cent mille",
    .months = {{{"janvier"},
                {"fevrier"},
                {"", "mars"},
                {"avril"},
                {"mai"},
                {"juin"},
                {"juillet"},
                {"aout"},
                {"septembre"},
                {"octobre"},
                {"novembre"},
                {"decembre"}}},
    .months_beside_numbers = "mars",
    .weekdays = "lundi, mardi, mercredi, jeudi, vendredi, samedi, dimanche",
    .recurring_days = "jour du mois, fin du mois, de chaque mois",
    .time_units = "seconde, secondes, heure, heures, jour, jours, semaine, semaines, mois, an, ans, annee, annees",
    .often =
        "chaque, tous les, toutes les, fois, par jour, par semaine, par mois, par an, quotidien, hebdomadaire, "
        "mensuel, annuel, quotidiennement, mensuellement, annuellement",
    .within = "dans les, dans un delai, sous, avant",
    .until = "jusqu, au plus tard, avant, delai, dans les, echeance, valable",
    .asking_hour = "quelle heure",
    .asking_deadline = "jusqu a quand, jusqu a quelle date, avant quand, avant quelle date",
    .asking =
        {
            .date = "quand, quelle date, quelle heure, quel jour, quelle annee, quel mois",
            .number =
                "combien, quel montant, quel prix, quel taux, quel est le montant, quel est le prix, quel est le taux",
            .duration = "combien de temps, quelle duree, quelle est la duree",
            .frequency = "quelle frequence, combien de fois par, tous les combien",
            .person = "qui",
            .place = "^ou, d ou",
            .reason = "pourquoi",
            .manner = "comment",
            .steps = "que faire",
            .list = "que faut il, quels ingredients, que dois je apporter, que doit on apporter, que doivent",
            .definition = "que signifie, qu est ce",
            .difference = "difference entre",
        },
    .free_of_charge = "gratuit, gratuite, gratuits, gratuites, compris, comprise, offert",
    .percent = "pour cent",
    .rents = "loyer loyers",
};

}  // namespace mneme::rag::languages
