// French.
#include "rag/text/languages/document_words.h"

namespace mneme::rag::documents {

const DocumentWords kFrench = {
    .kinds = {.document = {"document fichier", "documents fichiers"},
              .text = {"texte livre page chapitre lettre", "textes livres pages"},
              .invoice = {"facture", "factures"},
              .receipt = {"reçu quittance", "reçus quittances"},
              .contract = {"contrat", "contrats"},
              .accord = {"accord", "accords"},
              .lease = {"bail", "baux"},
              .letter = {"lettre courrier", "lettres courriers"},
              .mail = {"courriel message mail", "courriels messages mails"},
              .report = {"rapport", "rapports"},
              .article = {"article", "articles"},
              .certificate = {"certificat attestation", "certificats attestations"},
              .statement = {"relevé", "relevés"},
              .minutes = {"procès-verbal"},
              .manual = {"manuel", "manuels"},
              .offer = {"devis offre", "offres"},
              .note = {"note", "notes"},
              .recipe = {"recette", "recettes"},
              .form = {"formulaire", "formulaires"},
              .presentation = {"présentation", "présentations"},
              .spreadsheet = {"tableur", "tableurs"},
              .cv = {"curriculum"},
              .notice = {"avis"},
              .payslip = {"bulletin", "bulletins"}},
    .lead =
        "quel quelle quels quelles est sont montre montre-moi moi donne donne-moi trouve ouvre liste lister affiche "
        "le la les l mon ma mes notre nos tous toutes tout toute s il te vous plaît de des d du dans",
    .closing = "s'il te plaît vous plait",
    .articles = "le la les l un une mon ma mes du des",
    .joins = "de du des d la le les l par sur pour à au aux avec que qui dans datent date datant sont est en un une",
    .of = "de du des d",
    .asking = "quand qui comment pourquoi où que quoi quel quelle",
    .newest =
        "plus récent, plus récente, plus récents, plus récentes, dernier, dernière, derniers, dernières, le plus "
        "récent, la plus récente, les plus récents, les plus récentes, plus nouvelle, plus nouveau",
    .oldest =
        "plus ancien, plus ancienne, plus anciens, plus anciennes, le plus ancien, la plus ancienne, les plus "
        "anciens, les plus anciennes, plus vieux, plus vieille",
    .told = "total montant numéro date prix solde nom auteur titre page pages somme loyer salaire adresse tva",
    .changed =
        "modifié modifiés modifiée modifiées changé changés changées édité édités écrit écrits écrites "
        "enregistré enregistrés créé créés créées",
    .taken_in = "ajouté ajoutés ajoutée ajoutées indexé indexés importé importés",
    .doing = "ai je j nous avons que qui ont été t on a",
    .last_done = "dernièrement récemment dernier",
    .listing = "liste lister montre affiche tous toutes",
    .how_many = "combien de, combien d",
    .have = "ai je, j ai, avons nous, y a t il, il y a, est ce que j ai",
    .held =
        "combien de # ai je, combien de # y a t il, quels # as tu, quels # y a t il, liste tous les #, montre tous "
        "les #",
    .which = "quels quelles quel quelle liste montre trouve dans",
    .telling =
        "mentionnent, mentionne, parlent de, parlent du, parlent des, parlent d, parle de, parle du, contiennent, "
        "traitent de, traitent du, évoquent, concernent, sur, au sujet de, à propos de",
    .where_mentioned = "où est, où sont",
    .mentioned = "mentionné mentionnée mentionnés mentionnées",
    .finding = "trouve, ouvre, montre moi, montre, affiche, où est, où sont, où se trouve, où ai je mis",
    .writers =
        "qui m a écrit au sujet de #, qui m a écrit à propos de #, qui m a écrit pour #, qui m a écrit concernant #, "
        "qui m a écrit sur #, qui nous a écrit au sujet de #, qui nous a écrit à propos de #, qui nous a écrit pour #, "
        "qui nous a écrit concernant #, qui m a envoyé un mail au sujet de #, qui m a envoyé une lettre au sujet de #, "
        "qui m a contacté au sujet de #, qui m a écrit au sujet du #, qui m a écrit à propos du #, qui m a écrit au "
        "sujet des #, qui m a écrit à propos des #, qui nous a écrit au sujet du #, qui nous a écrit au sujet des #, "
        "qui m a écrit, qui nous a écrit",
    .gist =
        "de quoi parle #, de quoi parlent #, de quoi s agit il dans #, de quoi traite #, résume moi #, résumer #, "
        "résume le #, résume la #, résume les #, résume l #, résume ce #, résume mon #, résume ma #, résumé de #, "
        "résumé du #, que dit #, que contient #",
    .around = "s il te vous plaît peux tu pouvez en bref un court",
    .this_one = "ce cela ça il elle",
    .sections = "section chapitre article paragraphe alinéa clause",
    .annexes = "annexe",
    .place_asking = "que dit, que contient, que prévoit, qu y a t il",
    .page = "page",
    .showing = "lis montre dit contenu contient montre-moi et y plus",
    .ordinals =
        "premier première, deuxième second seconde, troisième, quatrième, cinquième, sixième, septième, huitième",
    .last_one = "dernier dernière",
    .numbered = "numéro",
    .tasks = {.tasks = "tâches, liste de tâches, liste des tâches, choses à faire, à faire, to do list, todo list, "
                       "todo, todos, checklist",
              .headings = "à faire, tâches à faire, reste à faire, actions à mener, points ouverts, todo, to do",
              .open = "ouvertes ouverte restantes restante encore inachevées non reste restent",
              .done = "faites terminées terminée finies accomplies achevées réalisées cochées fait terminé fini déjà",
              .all = "toutes tous",
              .around = "ai je nous avons il y a t on en ce qui que qu est sont sur ma mes nos dois doit devons faire "
                        "à chose choses",
              .asking_open = "que reste t il à faire, qu est ce qu il reste à faire, qu est ce qui reste à faire, qu "
                             "ai je encore à faire, que dois je encore faire, que dois je faire, que devons nous "
                             "encore faire, qu est ce que je dois encore faire, qu est ce que je dois faire, qu y a t "
                             "il à faire, que faut il encore faire, il reste à faire, reste à faire",
              .asking_done =
                  "qu ai je fait, qu ai je déjà fait, qu ai je terminé, qu est ce que j ai fait, qu est ce que j ai "
                  "déjà fait, qu est ce que j ai terminé, qu est ce qui est fait, qu avons nous fait"},
};

}  // namespace mneme::rag::documents
