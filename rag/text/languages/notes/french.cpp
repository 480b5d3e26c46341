// French.
#include "rag/text/languages/notes.h"

namespace mneme::rag::notes {

const NoteTexts kFrench = {
    .digit_groups = "\u202f",
    .not_said = "Les documents n’en disent rien.",
    .parts_not_said = "Les documents n’en disent rien : {parts}",
    .rows_not_reckoned = "Des lignes sont citées, aucun calcul n’en est fait",
    .rows_added_up = "Lignes additionnées : {n}",
    .rows_counted_once = "Lignes présentes dans plusieurs documents, comptées une fois : {n}",
    .payments_compared = "Paiements comparés : {n}",
    .payments_averaged = "Paiements dont la moyenne est faite : {n}",
    .bills_added_up = "Factures additionnées : {n}",
    .no_payments = "ni tableaux ni factures ne mentionnent de tels paiements",
    .only_quoted = "Citations seulement : {why}",
    .no_such_source = "La réponse renvoie à [{n}], qui n’est pas une source",
    .listed_about = "{n} documents sur {all} qui en parlent ; `mneme search` trouve les autres",
    .listed_dated = "{n} documents sur {all}",
    .listed_tasks = "{n} tâches sur {all}",
    .no_task_open = "Il n’en reste aucune à faire",
    .by_file_date =
        "« modifié » : le document n’indique pas de date, c’est celle de la dernière modification du fichier",
    .dated = "daté du {date}",
    .named = "d’après son nom {date}",
    .changed = "modifié le {date}",
    .taken_in = "ajouté le {date}",
    .held = "{collection} : documents : {documents}, passages : {passages}, de {folders}.",
    .gist_read = "{n} des {all} passages de {document} ont été lus : le début, et d’autres à intervalles égaux",
    .also_called = "Portent aussi ce nom : {others}",
    .which_document = "Le document visé n’est pas clair ; indiquez son titre ou son fichier",
    .no_page = "{document} n’a pas de page {page}",
    .not_all_with = "Rien ne répond à toute la question avec « {word} » ; recherche faite avec « {other} »",
    .no_passage_says = "Aucun passage ne contient « {word} » ; recherche faite avec « {other} »",
    .looked_for = "Recherche faite avec « {other} »",
    .no_vectors =
        "La collection {collection} n’a pas encore de vecteurs de {embedder} ; la recherche se fait par les mots seuls "
        "en attendant ; `mneme index` les calcule tout de suite",
    .not_reranked = "Non reclassé par {by} : {why}",
    .no_date = "{filter} n’est pas une date (AAAA-MM-JJ, AAAA-MM ou AAAA), la recherche a donc porté sur ces mots",
    .no_filter = "{filter} n’indique rien à filtrer, la recherche a donc porté sur ces mots",
    .repeats_left_out = "Passages écartés parce qu’ils en répètent presque de meilleurs : {n}",
    .no_match = "Aucun document ne correspond à {filters}",
    .either = " ou à ",
    .no_match_of_all = "Aucun document ne correspond à la fois à {filters}",
    .no_passage_of_match = "Dans les documents qui correspondent à {filters}, aucun passage ne convient à ces mots",
    .nothing_goes_with = "Rien ne convient à ces mots ; essayez-en d’autres.",
    .collection_empty = "La collection {collection} ne contient encore aucun document.",
    .nothing_indexed = "Aucun document n’est encore indexé ; `mneme index DOSSIER` en ajoute.",
    .welcome = "Avec plaisir.",
    .greeting = "Bonjour ! Que voulez-vous savoir ?",
    .caches_not_measured =
        "Les caches de ce modèle n’ont pas encore été mesurés, tout a donc été calculé ; `mneme model add FICHIER` les "
        "mesure une fois pour toutes",
    .being_tried_out =
        "Ce modèle est en cours d’essai, tout a donc été calculé ; les réponses suivantes commenceront plus tôt",
    .caches_differ =
        "Ce modèle répond autrement à partir de caches réparés (KL {kl}, {percent} % des jetons les plus probables "
        "identiques pour une part de {share}), tout est donc calculé ; --recompute R passe outre",
    .goal_had_no_say = "L’objectif de temps est resté sans effet, puisque tout a été calculé",
    .ends_in_middle = "La réponse s’arrête au milieu : {why}",
    .still_thinking =
        "Le modèle n’a pas abouti à une réponse avec les {n} jetons dont il dispose pour réfléchir ; posez une "
        "question plus étroite, ou prenez un modèle qui répond tout de suite",
    .turns_left_out = "Échanges précédents écartés faute de place : {n}",
    .passages_left_out = "{n} passages sur {all} n’ont pas tenu dans le contexte du modèle et ont été écartés",
    .passage_cut = "Le premier passage a été réduit à {n} jetons sur {all} pour tenir dans le contexte du modèle",
    .cache_recomputed = "Un cache KV enregistré était inutilisable et a été recalculé : {why}",
};

}  // namespace mneme::rag::notes
