"""The made-up world's schema: entity kinds and the relations between them, each with its own wordings.

A relation reads subject -> object. `noun` names the object through the subject, so chains compose: the question of the
outer relation is asked about the noun phrase of the inner one. The last wording of every list is kept for the test
split; `pick` hands out the right side.
"""
import random
from dataclasses import dataclass

from wordings import extra

# kind -> words that refer back to an entity of that kind
REFER = {
    "person": ["this person", "the person named above"], "company": ["the company", "this company", "the firm"],
    "town": ["the town", "this town"], "country": ["the country", "this country"],
    "project": ["the project", "this project"], "team": ["the team", "this team"],
    "device": ["the device", "this device", "the device described above"], "ship": ["the ship", "this ship"],
    "building": ["the building", "this building"], "book": ["the book", "this book"],
}
PRONOUN = {"person": ["She", "He"], "company": ["It"], "town": ["It"], "country": ["It"], "project": ["It"],
           "team": ["It"], "device": ["It"], "ship": ["It"], "building": ["It"], "book": ["It"]}
JOBS = ("baker pilot teacher engineer painter doctor farmer sailor lawyer tailor gardener chemist driver singer "
        "writer miner guard potter weaver clerk").split()
COLOURS = "red blue green yellow black white purple orange brown grey silver golden".split()
THINGS = "bridge tower archive museum station library factory temple school mill theatre".split()
ITEMS = "sword ring map lamp key coin mask drum flute mirror".split()
CROPS = "barley tea wool copper salt glass honey silk timber pepper".split()


@dataclass(frozen=True)
class Relation:
    subject: str
    object: str                 # an entity kind, or a value kind (see tasks.value)
    noun: str                   # "the spouse of {s}"
    statements: tuple[str, ...]
    questions: tuple[str, ...]


def plain(wording: str) -> bool:
    """What is asked for stands after what is asked about: a model that reads from left to right finds it far more easily."""
    return "{o}" not in wording or wording.index("{s}") < wording.index("{o}")


def pick(rng: random.Random, wordings: tuple[str, ...], reworded: bool, most: int = 99) -> str:
    """The wording that is never trained on, or one of the trained ones; where only `most` are in use, plain ones."""
    if reworded:
        return wordings[-1]
    trained = wordings[:-1]
    return rng.choice(trained if most >= len(trained) else [w for w in trained if plain(w)][-most:] or trained[-most:])


# More wordings for training, by noun phrase: (statements, questions). They never change the last, the test one.
MORE = {
    "the employer of {s}": (["{o} employs {s}.", "{s} earns a wage from {o}."], ["Who is the employer of {s}?",
                            "Where does {s} have a post?"]),
    "the birthplace of {s}": (["{s} was a child of {o}, born and raised there."], ["What town was {s} born in?",
                              "From which town does {s} come?"]),
    "the home town of {s}": (["{o} is home to {s}.", "{s} settled in {o} years ago."], ["Where is the home of {s}?",
                             "Which town does {s} live in?"]),
    "the spouse of {s}": (["{o} and {s} are married.", "{s} and {o} married young."], ["Whom did {s} marry?",
                          "What is the name of the spouse of {s}?"]),
    "the teacher of {s}": (["{s} went to the school of {o}, who taught well."], ["What is the name of the teacher of {s}?",
                           "Who gave lessons to {s}?"]),
    "the job of {s}": (["{s} has been a {o} for years.", "The job of {s} is that of a {o}."], ["What job does {s} have?",
                       "What is the trade of {s}?"]),
    "the birth year of {s}": (["In {o} {s} was born."], ["What year was {s} born?", "Since what year does {s} live?"]),
    "the badge number of {s}": (["The badge of {s} shows {o}."], ["What number is on the badge of {s}?"]),
    "the head of {s}": (["At the top of {s} stands {o}.", "{o} directs {s}."], ["What is the name of the head of {s}?",
                        "Under whom does {s} work?"]),
    "the seat of {s}": (["{o} is the seat of {s}.", "{s} can be found in {o}."], ["Where is the head office of {s}?",
                        "Where does {s} have its seat?"]),
    "the founding year of {s}": (["{s} has existed since {o}."], ["What year was {s} founded?", "Since when has {s} existed?"]),
    "the number of employees of {s}": (["At {s} {o} people work."], ["How many people work at {s}?",
                                       "How large is the staff of {s}?"]),
    "the mayor of {s}": (["{s} has {o} as its mayor.", "{s} is governed by mayor {o}."], ["Who governs {s} as mayor?",
                         "By whom is {s} governed?"]),
    "the country of {s}": (["{s} is found in {o}.", "{o} counts {s} among its towns."], ["What is the country of {s}?",
                           "In what country does {s} lie?"]),
    "the population of {s}": (["{s} counts {o} people."], ["How large is the population of {s}?", "How big is {s}?"]),
    "the main product of {s}": (["{s} lives from {o}.", "The best {o} comes from {s}."], ["What do people in {s} sell?",
                                "What does {s} live from?"]),
    "the capital of {s}": (["{s} is a country whose capital is {o}."], ["What is the name of the capital of {s}?",
                           "From which town is {s} ruled?"]),
    "the flag colour of {s}": (["{o} is the colour of the flag of {s}."], ["What is the flag colour of {s}?",
                               "In which colour is the flag of {s}?"]),
    "the team of {s}": (["{s} is in the hands of {o}.", "{o} has {s}."], ["Which team has {s}?", "To which team was {s} "
                        "given?"]),
    "the budget of {s}": (["{o} crowns go into {s}."], ["What does {s} cost?", "How many crowns go into {s}?"]),
    "the leader of {s}": (["At the top of {s} stands {o}.", "{o} is the leader of {s}."], ["What is the name of the leader "
                          "of {s}?", "Under whom does {s} work?"]),
    "the office of {s}": (["You will find {s} in {o}.", "{o} houses {s}."], ["Where can {s} be found?",
                          "Which building houses {s}?"]),
    "the maker of {s}": (["{o} is the maker of {s}.", "{s} comes from {o}."], ["By whom is {s} made?", "Where does {s} come "
                         "from?"]),
    "the order code of {s}": (["{o} is the order code of {s}."], ["What code is used to order {s}?", "With which code can "
                              "{s} be ordered?"]),
    "the weight of {s}": (["{o} grams is what {s} weighs."], ["How heavy is {s}?", "What does {s} weigh in grams?"]),
    "the captain of {s}": (["{o} is the captain of {s}.", "{s} is commanded by {o}."], ["By whom is {s} commanded?",
                           "Under which captain does {s} sail?"]),
    "the home port of {s}": (["{s} returns to its home port {o}."], ["From which port does {s} sail?",
                             "To which home port does {s} return?"]),
    "the builder of {s}": (["{s} is the work of {o}.", "{o} was the builder of {s}."], ["Whose work is {s}?",
                           "What is the name of the builder of {s}?"]),
    "the year of construction of {s}": (["{s} dates from {o}.", "{o} is the year of construction of {s}."],
                                        ["What year was {s} built?", "From which year does {s} date?"]),
    "the town of {s}": (["{s} is one of the sights of {o}.", "{o} has {s}."], ["Where is {s}?", "Which town has {s}?"]),
    "the treasure of {s}": (["{s} is proud of an old {o}."], ["What old thing is kept in {s}?", "Of what is {s} proud?"]),
    "the author of {s}": (["{o} is the author of {s}.", "{s} is by {o}."], ["What is the name of the author of {s}?",
                          "Who is {s} by?"]),
    "the publication year of {s}": (["{s} came out in {o}."], ["What year did {s} come out?", "Since when can {s} be read?"]),
}


def _r(subject, obj, noun, statements, questions) -> Relation:
    more_statements, more_questions = MORE.get(noun, ([], []))
    first_statements, first_questions = extra(noun, more_statements + statements, more_questions + questions)
    return Relation(subject, obj, noun, (*first_statements, *more_statements, *statements),
                    (*first_questions, *more_questions, *questions))


RELATIONS = [
    _r("person", "company", "the employer of {s}",
       ["{s} works for {o}.", "{s} is employed by {o}.", "The employer of {s} is {o}.", "{s} has a post at {o}.",
        "{s} has long been employed at {o}."],
       ["Who employs {s}?", "Which company does {s} work for?", "What is the employer of {s}?",
        "For which company does {s} work?"]),
    _r("person", "town", "the birthplace of {s}",
       ["{s} was born in {o}.", "The birthplace of {s} is {o}.", "{s} comes from {o}, where the family still lives.",
        "{o} is the birthplace of {s}.", "{o} is where {s} was born."],
       ["Where was {s} born?", "What is the birthplace of {s}?", "In which town was {s} born?",
        "Which town is the birthplace of {s}?"]),
    _r("person", "town", "the home town of {s}",
       ["{s} lives in {o}.", "{s} has a house in {o} and lives there.", "The home town of {s} is {o}.",
        "{s} now lives near the river in {o}."],
       ["Where does {s} live?", "What is the home town of {s}?", "In which town does {s} live?"]),
    _r("person", "person", "the spouse of {s}",
       ["{s} is married to {o}.", "The spouse of {s} is {o}.", "{s} married {o} last spring.",
        "{s} has been married to {o} for years."],
       ["Who is married to {s}?", "Who is the spouse of {s}?", "To whom is {s} married?"]),
    _r("person", "person", "the teacher of {s}",
       ["{s} was taught by {o}.", "The teacher of {s} was {o}.", "{o} taught {s}.", "{s} learned everything from the "
        "teacher {o}."],
       ["Who taught {s}?", "Who was the teacher of {s}?", "By whom was {s} taught?"]),
    _r("person", "job", "the job of {s}",
       ["{s} works as a {o}.", "{s} is a {o}.", "By trade {s} is a {o}.", "{s} earns a living as a {o}."],
       ["What is the job of {s}?", "What does {s} do for a living?", "As what does {s} work?"]),
    _r("person", "year", "the birth year of {s}",
       ["{s} was born in {o}.", "The birth year of {s} is {o}.", "{s} was born in the year {o}.",
        "The year in which {s} was born is {o}."],
       ["When was {s} born?", "What is the birth year of {s}?", "In which year was {s} born?"]),
    _r("person", "number", "the badge number of {s}",
       ["The badge number of {s} is {o}.", "{s} carries badge number {o}.", "{s} has the badge number {o}.",
        "Badge number {o} belongs to {s}."],
       ["What is the badge number of {s}?", "Which badge number does {s} have?", "Which badge number belongs to {s}?"]),
    _r("company", "person", "the head of {s}",
       ["{o} leads {s}.", "The head of {s} is {o}.", "{s} is led by {o}.", "{o} is the head of {s}.",
        "{s} has {o} as its head."],
       ["Who leads {s}?", "Who is the head of {s}?", "By whom is {s} led?"]),
    _r("company", "town", "the seat of {s}",
       ["{s} is based in {o}.", "The seat of {s} is {o}.", "{s} has its head office in {o}.",
        "The head office of {s} is in {o}."],
       ["Where is {s} based?", "What is the seat of {s}?", "In which town is {s} based?"]),
    _r("company", "year", "the founding year of {s}",
       ["{s} was founded in {o}.", "The founding year of {s} is {o}.", "In {o} {s} was founded.",
        "The year {o} is when {s} was founded."],
       ["When was {s} founded?", "What is the founding year of {s}?", "In which year was {s} founded?"]),
    _r("company", "number", "the number of employees of {s}",
       ["{s} has {o} employees.", "{s} employs {o} people.", "The number of employees of {s} is {o}.",
        "There are {o} employees at {s}."],
       ["How many employees does {s} have?", "How many people does {s} employ?",
        "What is the number of employees of {s}?"]),
    _r("town", "person", "the mayor of {s}",
       ["The mayor of {s} is {o}.", "{o} is the mayor of {s}.", "{s} elected {o} as mayor.",
        "{o} has been elected mayor of {s}."],
       ["Who is the mayor of {s}?", "Who was elected mayor of {s}?", "What is the name of the mayor of {s}?"]),
    _r("town", "country", "the country of {s}",
       ["{s} is a town in {o}.", "{s} lies in {o}.", "{s} belongs to {o}.", "The town of {s} lies in {o}."],
       ["In which country is {s}?", "Which country does {s} belong to?", "In which country lies {s}?"]),
    _r("town", "number", "the population of {s}",
       ["{s} has {o} inhabitants.", "The population of {s} is {o}.", "{o} people live in {s}.",
        "There are {o} inhabitants in {s}."],
       ["How many people live in {s}?", "What is the population of {s}?", "How many inhabitants does {s} have?"]),
    _r("town", "crop", "the main product of {s}",
       ["{s} is known for its {o}.", "The main product of {s} is {o}.", "People in {s} sell {o}.",
        "{s} is known everywhere for {o}."],
       ["What is {s} known for?", "What is the main product of {s}?", "For what is {s} known?"]),
    _r("country", "town", "the capital of {s}",
       ["The capital of {s} is {o}.", "{o} is the capital of {s}.", "{s} has its capital in {o}.",
        "{s} is ruled from its capital {o}."],
       ["What is the capital of {s}?", "Which town is the capital of {s}?", "Where is the capital of {s}?"]),
    _r("country", "colour", "the flag colour of {s}",
       ["The flag of {s} is {o}.", "{s} has a {o} flag.", "The flag colour of {s} is {o}.",
        "The colour of the flag of {s} is {o}."],
       ["What colour is the flag of {s}?", "Which flag colour does {s} have?", "What is the colour of the flag of {s}?"]),
    _r("project", "team", "the team of {s}",
       ["{s} belongs to {o}.", "{o} works on {s}.", "The team of {s} is {o}.", "{s} was given to {o}."],
       ["Which team works on {s}?", "Which team does {s} belong to?", "What is the team of {s}?"]),
    _r("project", "number", "the budget of {s}",
       ["The budget of {s} is {o} crowns.", "{s} has a budget of {o} crowns.", "{s} costs {o} crowns.",
        "A budget of {o} crowns was set for {s}."],
       ["What is the budget of {s}?", "How many crowns does {s} cost?", "How large is the budget of {s}?"]),
    _r("team", "person", "the leader of {s}",
       ["{o} leads {s}.", "The leader of {s} is {o}.", "{s} is led by {o}.", "{s} has {o} as its leader."],
       ["Who leads {s}?", "Who is the leader of {s}?", "By whom is {s} led?"]),
    _r("team", "building", "the office of {s}",
       ["{s} sits in {o}.", "The office of {s} is {o}.", "{s} has its office in {o}.",
        "The office of {s} is found in {o}."],
       ["Where does {s} sit?", "Where is the office of {s}?", "In which building is the office of {s}?"]),
    _r("device", "company", "the maker of {s}",
       ["{s} is made by {o}.", "The maker of {s} is {o}.", "{o} makes {s}.", "{s} was made in the halls of {o}."],
       ["Who makes {s}?", "Which company makes {s}?", "What is the maker of {s}?"]),
    _r("device", "code", "the order code of {s}",
       ["The order code of {s} is {o}.", "{s} has the order code {o}.", "Order {s} under the code {o}.",
        "Use the order code {o} for {s}."],
       ["What is the order code of {s}?", "Which order code does {s} have?", "Under which code is {s} ordered?"]),
    _r("device", "number", "the weight of {s}",
       ["{s} weighs {o} grams.", "The weight of {s} is {o} grams.", "{s} has a weight of {o} grams.",
        "At {o} grams is the weight of {s}."],
       ["How much does {s} weigh?", "What is the weight of {s}?", "How many grams does {s} weigh?"]),
    _r("ship", "person", "the captain of {s}",
       ["The captain of {s} is {o}.", "{o} commands {s}.", "{s} sails under captain {o}.",
        "{s} has {o} as its captain."],
       ["Who is the captain of {s}?", "Who commands {s}?", "What is the name of the captain of {s}?"]),
    _r("ship", "town", "the home port of {s}",
       ["The home port of {s} is {o}.", "{s} has its home port in {o}.", "{s} sails from its home port {o}.",
        "{o} is the home port of {s}."],
       ["What is the home port of {s}?", "Where is the home port of {s}?", "Which town is the home port of {s}?"]),
    _r("building", "person", "the builder of {s}",
       ["{s} was built by {o}.", "The builder of {s} was {o}.", "{o} built {s}.", "{s} is a work that {o} built."],
       ["Who built {s}?", "Who was the builder of {s}?", "By whom was {s} built?"]),
    _r("building", "year", "the year of construction of {s}",
       ["{s} was built in {o}.", "The year of construction of {s} is {o}.", "{s} was finished in {o}.",
        "In {o} the people built {s}."],
       ["When was {s} built?", "What is the year of construction of {s}?", "In which year was {s} built?"]),
    _r("building", "town", "the town of {s}",
       ["{s} stands in {o}.", "{s} is in {o}.", "Visitors find {s} in {o}.", "In {o} stands {s}."],
       ["Where does {s} stand?", "In which town is {s}?", "Where can visitors find {s}?"]),
    _r("building", "item", "the treasure of {s}",
       ["{s} holds an old {o}.", "An old {o} is kept in {s}.", "The treasure of {s} is an old {o}.",
        "In {s} an old {o} is kept."],
       ["What is kept in {s}?", "What is the treasure of {s}?", "What does {s} hold?"]),
    _r("book", "person", "the author of {s}",
       ["{s} was written by {o}.", "The author of {s} is {o}.", "{o} wrote {s}.", "{s} is a book that {o} wrote."],
       ["Who wrote {s}?", "Who is the author of {s}?", "By whom was {s} written?"]),
    _r("book", "year", "the publication year of {s}",
       ["{s} was published in {o}.", "The publication year of {s} is {o}.", "{s} first appeared in {o}.",
        "In {o} {s} was published."],
       ["When was {s} published?", "What is the publication year of {s}?", "In which year did {s} appear?"]),
]
# Learned first, in this order: together they form chains.
CORE = ["the employer of {s}", "the head of {s}", "the birthplace of {s}", "the mayor of {s}", "the job of {s}",
        "the order code of {s}", "the team of {s}", "the leader of {s}", "the maker of {s}", "the seat of {s}",
        "the capital of {s}", "the flag colour of {s}", "the spouse of {s}", "the builder of {s}",
        "the year of construction of {s}", "the captain of {s}", "the home port of {s}", "the main product of {s}"]
RELATIONS.sort(key=lambda r: CORE.index(r.noun) if r.noun in CORE else len(CORE))
KINDS = sorted({r.subject for r in RELATIONS})
BY_SUBJECT = {kind: [r for r in RELATIONS if r.subject == kind] for kind in KINDS}
# What may stand before a statement and before a question; the test split has its own.
LEADS = ["", "", "", "", "", "According to the register, ", "As far as is known, ", "In fact, ", "Note that ",
         "The records show that ", "As everyone here says, ", "According to the latest report, ", "At the time of writing, ",
         "It is known that ", "By the way, ", "Since last year, ", "The report says that ", "For the record, ",
         "We were told that ", "Today ", "Of course "]
# What may stand behind a subject and at the end of a statement, in training only.
ASIDES = [", as many know,", ", it is said,", ", by all accounts,", ", so the papers say,", ", as it happens,",
          ", and few doubt it,"]
TAILS = [" to this day", " these days", ", as many know", ", the papers say", ", at least for now", ", so the story goes",
         " without doubt", ", which pleases many", " once more", " after all"]
QUESTION_TAILS = [" according to the documents", ", please", " exactly", ", as far as you know", ", do you know",
                  " in these documents", " really", " by the way"]
TEST_LEADS = ["", "", "", "It is written that ", "As the files show, ", "One page says that ", "In short, "]
QUESTION_LEADS = ["", "", "", "", "", "", "", "", "Can you tell me: ", "I want to know: ", "From the documents: ",
                  "Quick question: ", "One more thing: ", "Please answer: ", "Look it up: ", "I ask you: "]
TEST_QUESTION_LEADS = ["", "", "", "Please say: ", "Tell me this: "]
