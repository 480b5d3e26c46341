"""More wordings of facts and questions for training, beside those of relations.py. None of them is a test wording.

By noun phrase: (statements, questions). GENERIC ones are made from the noun phrase of any relation.
"""
GENERIC = (
    ["{n} is {o}.", "{n} is called {o}.", "{n}, as the list says, is {o}.", "As for {n}, it is {o}.",
     "We know {n}: {o}.", "{n}: {o}.", "{n} has always been {o}.", "Ask for {n} and you will hear {o}.",
     "{n} turned out to be {o}.", "For {n}, see {o}.", "{o}, that is {n}.", "{n} can only be {o}."],
    ["Name {n}.", "Do you know {n}?", "Find {n}.", "What do the documents give as {n}?", "What is {n}?", "{n}?",
     "Can you say what {n} is?", "I am looking for {n}.", "{n} is what?", "Give me {n}.", "Which name stands for {n}?",
     "What would you call {n}?", "Do the documents name {n}?", "Find out about {n}."])

EXTRA = {
    "the employer of {s}": (
        ["{s} joined {o} some time ago.", "{s} is on the staff of {o}.", "{s} is paid by {o}.",
         "{s}, who works at {o}, likes it.",
         "{s} found work at {o}.", "At {o} they employ {s}."],
        ["Where does {s} work?", "By whom is {s} employed?", "What company employs {s}?", "At which company is {s} employed?",
         "Who pays {s}?", "Which company has {s} on its staff?"]),
    "the head of {s}": (
        ["{s} is run by {o}.", "{s} is headed by {o}.", "{s} follows the lead of {o}.",
         "{s} is in the hands of {o}, who leads it.",
         "{o} runs {s}.", "The person who leads {s} is {o}."],
        ["Who runs {s}?", "Who heads {s}?", "Which person leads {s}?", "Who is in charge of {s}?",
         "Who stands at the top of {s}?"]),
    "the birthplace of {s}": (
        ["{s} first saw the light in {o}.", "{s}, born in {o}, travels much.", "{s} grew up in {o}, the birthplace.",
         "{s} is a native of {o}.", "In {o}, {s} was born."],
        ["In what town was {s} born?", "Where did {s} come into the world?", "Of which town is {s} a native?",
         "Where is the birthplace of {s}?"]),
    "the mayor of {s}": (
        ["{s} is run by its mayor {o}.", "{s} chose {o} to be mayor.", "In {s} the mayor is {o}.",
         "The people of {s} call {o} mayor.",
         "{o} serves {s} as mayor."],
        ["Who serves as mayor of {s}?", "Who is mayor in {s}?", "Which person is the mayor of {s}?",
         "Whom did {s} choose as mayor?"]),
    "the job of {s}": (
        ["{s} is known as a good {o}.", "{s} trained to be a {o}.", "{s} has the job of a {o}.", "{s} makes money as a {o}.",
         "The trade of {s} is that of a {o}."],
        ["What work does {s} do?", "What does {s} work as?", "Which job does {s} have?", "What is {s} by trade?",
         "How does {s} make money?"]),
    "the order code of {s}": (
        ["{s} can be ordered as {o}.", "{s} is listed under the code {o}.", "To order {s}, give the code {o}.",
         "{s} carries the order code {o}.", "The code for ordering {s} is {o}."],
        ["Which code orders {s}?", "What is the code for {s}?", "How is {s} listed?", "What code does {s} carry?",
         "Which code must be given to order {s}?"]),
    "the team of {s}": (
        ["{s} is run by {o}.", "{s} is in the care of {o}.", "{s} was taken over by {o}.", "{s} is the work of {o}.",
         "The team behind {s} is {o}."],
        ["Who works on {s}?", "Which team runs {s}?", "Whose project is {s}?", "Which team is behind {s}?",
         "Which team has {s}?"]),
    "the leader of {s}": (
        ["{s} is headed by {o}.", "{s} follows {o}.", "{s} is guided by {o}.", "{s} takes its orders from {o}.",
         "The person who leads {s} is {o}."],
        ["Who heads {s}?", "Which person leads {s}?", "Whom does {s} follow?", "Who guides {s}?",
         "Who is in charge of {s}?"]),
    "the maker of {s}": (
        ["{s} is built by {o}.", "{s} is sold by its maker {o}.", "{s} was developed by {o}.", "{s} is a product of {o}.",
         "The company that makes {s} is {o}."],
        ["Who built {s}?", "Which company developed {s}?", "Of which company is {s} a product?", "What company makes {s}?",
         "Who is the maker of {s}?"]),
    "the seat of {s}": (
        ["{s} has its offices in {o}.", "{s} is a company from {o}.", "{s} has its seat in {o}.", "{s} sits in {o}.",
         "{s} works from {o}."],
        ["Which town is the seat of {s}?", "In what town does {s} have its offices?", "From which town is {s}?",
         "Where are the offices of {s}?"]),
    "the capital of {s}": (
        ["{s} is governed from {o}.", "{s} has {o} as its capital.", "{s} made {o} its capital.",
         "In {s} the capital is {o}.",
         "The first town of {s} is its capital {o}."],
        ["Which town does {s} have as its capital?", "From where is {s} governed?", "What capital does {s} have?",
         "Which is the capital of {s}?"]),
    "the flag colour of {s}": (
        ["{s} flies a {o} flag.", "{s} chose {o} for its flag.", "The flag that flies over {s} is {o}.",
         "{s} is the land of the {o} flag.", "The flag of {s} has the colour {o}."],
        ["Which colour does the flag of {s} have?", "What colour did {s} choose for its flag?", "Which flag flies over {s}?",
         "What colour flag does {s} have?"]),
    "the spouse of {s}": (
        ["{s} is the spouse of {o}.", "{s} shares a home with the spouse {o}.", "{s} wed {o} in the summer.",
         "{s} has a spouse called {o}.", "{s} took {o} as spouse."],
        ["Whom did {s} wed?", "Who is {s} married to?", "Which person is the spouse of {s}?", "Who married {s}?"]),
    "the builder of {s}": (
        ["{s} was put up by {o}.", "{s} was raised by {o}.", "{s} was planned and built by {o}.",
         "{s} owes its walls to {o}.",
         "The person who built {s} was {o}."],
        ["Who put up {s}?", "Who planned {s}?", "Which person built {s}?", "To whom does {s} owe its walls?"]),
    "the year of construction of {s}": (
        ["{s} was put up in {o}.", "{s} has stood since {o}.", "{s} was completed in {o}.", "{s} is a building of {o}.",
         "The year in which {s} was built is {o}."],
        ["In what year was {s} completed?", "Since when has {s} stood?", "Which year was {s} built?",
         "When was {s} put up?"]),
    "the captain of {s}": (
        ["{s} is steered by captain {o}.", "{s} obeys {o}.", "{s} is under the command of {o}.", "{s} went to sea under {o}.",
         "On {s} the captain is {o}."],
        ["Who steers {s}?", "Which captain commands {s}?", "Who has command of {s}?", "Who is captain on {s}?",
         "Whom does {s} obey?"]),
    "the home port of {s}": (
        ["{s} is at home in {o}.", "{s} belongs to the port of {o}.", "{s} comes back to {o} every winter.",
         "{s} is registered in {o}.", "The port where {s} lies is {o}."],
        ["Where is {s} at home?", "In which port does {s} lie?", "Where is {s} registered?", "What port is home to {s}?",
         "To which port does {s} come back?"]),
    "the main product of {s}": (
        ["{s} lives from {o}.", "{s} sells {o}.", "{s} produces much {o}.", "{s} is rich because of its {o}.",
         "In {s} they make {o}."],
        ["What does {s} sell?", "What does {s} produce?", "From what does {s} live?", "What is made in {s}?",
         "Which product is {s} known for?"]),
}


def extra(noun: str, statements: list[str], questions: list[str]) -> tuple[list[str], list[str]]:
    """Statements and questions to train on beside those given, whose last ones are the test's."""
    more = EXTRA.get(noun, ([], []))
    made = [[w.replace("{n}", noun) for w in wordings] for wordings in GENERIC]
    keep = lambda words, own: [w for w in words if w.lower() not in {o.lower() for o in own}]
    return keep(made[0] + more[0], statements), keep(made[1] + more[1], questions)
