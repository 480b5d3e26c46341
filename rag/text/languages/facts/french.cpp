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
    .notes = &notes::kFrench,
    .documents = &documents::kFrench,
    .papers = &papers::kFrench,
    .thanks = "merci, merci beaucoup, d'accord, très bien, parfait",
    .greetings = "bonjour, bonsoir",
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
    .date_labels = "date quand",
    .place_labels = "lieu adresse où",
    .takes_time = "dure",
    .free_of_charge =
        "gratuit, gratuite, gratuits, gratuites, compris, comprise, offert, rien à payer, à ma charge, à sa charge, à "
        "notre charge",
    .percent = "pour cent",
    .rents = "loyer loyers",
    .price = {.asking = "combien coûte, combien coûtent, combien s élève, combien s élèvent, quel prix, quel est le "
                        "prix, quel montant, quel est le montant",
              .how_much = "combien",
              .words = "coûte coûtent coût élève élèvent payer paye payons",
              .earning = "gagne gagner",
              .reckoning = "en tout, somme, moyenne, dépensé"},
    .rules = {.asking_may =
                  "puis je, peut on, on peut, je peux, pouvons nous, est ce que je peux, est ce qu on peut, est ce que "
                  "on peut, est ce que nous pouvons, ai je le droit, a t on le droit, est il permis, est il possible",
              .asking_must =
                  "dois je, doit on, faut il, devons nous, est ce que je dois, est ce qu il faut, est ce qu on doit",
              .permits =
                  "autorisé autorisés autorisée autorisées permis permise interdit interdits interdite interdites",
              .may_rules =
                  "peut, peuvent, interdit, interdits, interdite, interdites, autorisé, autorisés, autorisée, "
                  "autorisées, permis, toléré, tolérés, tolérée, tolérées, accord écrit, accord du, exclu, exclue",
              .must_rules = "doit, doivent, obligatoire, obligatoires, faut, nécessaire, facultatif, facultative, "
                            "obligé, tenu de, rien à payer",
              .light_deeds = "avoir tenir mettre utiliser prendre amener apporter"},
    .asking_state =
        "qu est ce qui ne va pas avec #, qu est ce qui ne va pas dans #, qu est ce qui cloche avec #, qu est ce qui ne "
        "marche pas dans #, qu est ce qui ne marche plus dans #, qu est ce qui ne fonctionne pas dans #, qu est ce qui "
        "est cassé dans #, qu est ce qui est cassé sur #, qu est ce qui est cassé, quel est le problème avec #, quel "
        "est le problème de #, quels défauts a #, quels sont les défauts de #, dans quel état est #, qu est ce qu il y "
        "a avec #, qu a #",
    .payments = {.spent =
                     "dépensé, payé en tout, payé au total, dépenses totales, total des dépenses, somme des dépenses",
                 .received = "gagné, encaissé, reçu en tout, reçu au total, total des recettes, recettes totales",
                 .otherwise = "moyenne, en moyenne, le plus, le moins",
                 .average = "moyenne, en moyenne",
                 .weekly = "par semaine, chaque semaine",
                 .monthly = "par mois, chaque mois, mensuellement, mensuel",
                 .yearly = "par an, par année, chaque année, annuellement",
                 .most = "le plus, plus grosse, plus gros, plus grande, plus grand, plus cher, plus chère, plus "
                         "élevée, plus élevé, plus importante, plus forte",
                 .least = "le moins, plus petite, plus petit, moins cher, moins chère, plus faible, plus basse",
                 .expenses = "dépense dépenses achat achats paiement paiements facture débit",
                 .paid = "payé dépensé acheté",
                 .spending = "dépensons nous, je dépense, dépense t on, nous dépensons, dépensons",
                 .paying = "ai je payé, avons nous payé, j ai payé, on a payé, nous avons payé",
                 .paying_for = "pour",
                 .amount_columns = "montant somme total prix coût débit dépense",
                 .balance_columns = "solde",
                 .received_columns = "crédit recette recettes entrée"},
    .periods =
        {
            .today = "aujourd'hui",
            .yesterday = "hier",
            .current = "ce cette cet",
            .past = "dernier dernière derniers dernières passé passée",
            .days = "jour jours",
            .weeks = "semaine semaines",
            .months = "mois",
            .years = "an ans année années",
            .last_year = "l'an dernier, l'an passé",
            .around = "de du d des en le la l les au à pendant datant datent datés",
            .since = "depuis",
            .until = "avant antérieurs antérieures jusqu'à",
            .after = "après",
            .numbers = "un deux trois quatre cinq six sept huit neuf dix onze douze",
            .weekdays = "lundi, mardi, mercredi, jeudi, vendredi, samedi, dimanche",
        },
};

}  // namespace mneme::rag::languages
