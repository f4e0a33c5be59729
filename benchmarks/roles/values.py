"""Made-up values in the style of real tables."""

from __future__ import annotations

import string
from collections.abc import Callable
from datetime import datetime, timedelta
from random import Random


def _listed(text: str) -> list[str]:
    return [" ".join(part.split()) for part in text.split(",")]


FIRST = _listed(
    """
    Ann, Ben, Carla, Dilan, Elif, Farid, Greta, Hugo, Ines, Jonas, Kim, Lena, Milan, Nora, Oskar, Paula,
    Quentin, Rosa, Samir, Tilda, James, Mary, Robert, Linda, Michael, Susan, David, Karen, Pedro, Lucía,
    Ahmed, Fatima, Wei, Yuki, Olga, Ivan, Chloe, Noah, Zoe, Tyrone, Keisha, Latoya, DeShawn, Miguel, Rafael,
    Sven, Ingrid, Pavel, Marek, Agnieszka, Giulia, Matteo, Aoife, Siobhan
    """
)
LAST = _listed(
    """
    Abbot, Bauer, Castillo, Dupont, Eriksen, Fischer, Garcia, Hansen, Ibrahim, Jansen, Kowalski, Lopez,
    Moreau, Novak, Okafor, Petrov, Quinn, Rossi, Schmidt, Tanaka, Ueda, Vargas, Weber, Xiong, Yilmaz,
    Zimmermann, Baker, Carter, Dixon, Ellis, Foster, Grant, Hughes, Irving, Jordan, Keller, Lawson, Mason,
    Norris, Osborne, Parker, Ramsey, Sutton, Turner, Underwood, Vaughn, Walsh, Young, Zeller
    """
)
CITIES = _listed(
    """
    Springfield, Riverside, Georgetown, Fairview, Franklin, Salem, Madison, Clinton, Ashland, Burlington,
    Milton, Dayton, Oxford, Kingston, Dover, Hudson, Newport, Lebanon, Bristol, Auburn
    """
)
STATES = _listed(
    """
    CA, TX, FL, NY, PA, IL, OH, GA, NC, MI, NJ, VA, WA, AZ, MA, TN, IN, MO, MD, WI, CO, MN
    """
)
COUNTRIES = _listed(
    """
    United States, Germany, India, United Kingdom, France, Spain, Poland, Brazil, Canada, Mexico,
    Philippines, China, Cuba, Syria, Iraq, Afghanistan, Ukraine, Sudan
    """
)
STREETS = _listed(
    """
    Maple Street, Oak Ave, Elm Street, Washington Blvd, Lake Road, Cedar Lane, Park Drive, 2nd Street
    """
)
SENTENCES = _listed(
    """
    came late and asked for {0} to be called back, wants to consolidate the cards that {0} has, please leave
    the parcel with {0} next door, happy birthday to you and {0} from all of us, has lived here with {0} for
    many years now, called {0} twice and nobody picked up the phone
    """
)


def make(kind: str, words: str, rows: int, chance: Random) -> list[str]:
    """So many values of a kind, which `words` describes further."""
    if kind == "serial":
        numbers = list(range(int(words), int(words) + rows))
        chance.shuffle(numbers)
        return list(map(str, numbers))
    maker = MAKERS[kind]
    return [maker(words, chance) for _ in range(rows)]


def _pick(words: str, chance: Random) -> str:
    choices = [word.strip() for word in words.split(";")]
    return chance.choices(choices, [1 / (place + 1) ** 0.7 for place in range(len(choices))])[0]


def _int(words: str, chance: Random) -> str:
    low, high = map(int, words.split())
    return str(chance.randint(low, high))


def _skew(words: str, chance: Random) -> str:
    low, high = map(int, words.split())
    return str(low + int((high - low + 1) * chance.random() ** 4))


def _dec(words: str, chance: Random) -> str:
    low, high, digits = words.split()
    return f"{chance.uniform(float(low), float(high)):.{int(digits)}f}"


def _date(words: str, chance: Random) -> str:
    first, last, *form = words.split(" ", 2)
    start = datetime(int(first), 1, 1)
    seconds = int((datetime(int(last) + 1, 1, 1) - start).total_seconds())
    return (start + timedelta(seconds=chance.randrange(seconds))).strftime(form[0] if form else "%Y-%m-%d")


def _code(words: str, chance: Random) -> str:
    replaced = {"#": string.digits, "@": string.ascii_uppercase}
    return "".join(chance.choice(replaced[sign]) if sign in replaced else sign for sign in words)


def _hex(count: int, chance: Random) -> str:
    return "".join(chance.choice("0123456789abcdef") for _ in range(count))


def _mod97(country: str, body: str) -> str:
    number = int("".join(str(int(sign, 36)) for sign in f"{body}{country}00"))
    return f"{country}{98 - number % 97:02d}{body}"


def _card(_words: str, chance: Random) -> str:
    body = "4" + _code("#" * 14, chance)
    digits = [int(sign) * (2 - place % 2) for place, sign in enumerate(body)]
    return body + str(-sum(digit - 9 if digit > 9 else digit for digit in digits) % 10)


def _nhs(_words: str, chance: Random) -> str:
    while True:
        body = "4" + _code("########", chance)
        check = 11 - sum(int(sign) * (10 - place) for place, sign in enumerate(body)) % 11
        if check != 10:
            return f"{body}{check % 11}"


def _dni(_words: str, chance: Random) -> str:
    body = _code("########", chance)
    return body + "TRWAGMYFPDXBNJZSQVHLCKE"[int(body) % 23]


def _nir(_words: str, chance: Random) -> str:
    days = f"{chance.choice('12')}{chance.randint(30, 99)}{chance.randint(1, 12):02d}"
    body = f"{days}{chance.randint(10, 95)}{chance.randint(1, 900):03d}{chance.randint(1, 999):03d}"
    return f"{body}{97 - int(body) % 97:02d}"


def _deidnr(_words: str, chance: Random) -> str:
    """Ten digits of which exactly one occurs twice, and a check digit of ISO 7064."""
    digits = chance.sample(string.digits, 9)
    digits.insert(chance.randrange(2, 9), digits[0])
    if digits[0] == "0":
        digits[0], digits[1] = digits[1], digits[0]
    product = 10
    for sign in digits:
        product = ((int(sign) + product) % 10 or 10) * 2 % 11
    return "".join(digits) + str((11 - product) % 10)


def _full(_words: str, chance: Random) -> str:
    return f"{chance.choice(FIRST)} {chance.choice(LAST)}"


def _text(_words: str, chance: Random) -> str:
    return chance.choice(SENTENCES).format(chance.choice(FIRST)) + f" ({chance.randint(2, 900)} days ago)"


Maker = Callable[[str, Random], str]
MAKERS: dict[str, Maker] = {
    "serial": _int,
    "pick": _pick,
    "int": _int,
    "skew": _skew,
    "dec": _dec,
    "date": _date,
    "code": _code,
    "same": lambda words, _chance: words,
    "first": lambda _words, chance: chance.choice(FIRST),
    "last": lambda _words, chance: chance.choice(LAST),
    "full": _full,
    "last_first": lambda _words, chance: f"{chance.choice(LAST)}, {chance.choice(FIRST)}",
    "email": lambda _words, chance: f"{chance.choice(FIRST).lower()}{chance.randint(1, 999)}@example.org",
    "phone": lambda _words, chance: _code("+49 351 #######", chance),
    "street": lambda _words, chance: f"{chance.randint(1, 999)} {chance.choice(STREETS)}",
    "city": lambda _words, chance: chance.choice(CITIES),
    "state": lambda _words, chance: chance.choice(STATES),
    "country": lambda _words, chance: chance.choice(COUNTRIES),
    "postcode": lambda _words, chance: _code("SW## #@@", chance),
    "text": _text,
    "ip": lambda _words, chance: ".".join(str(chance.randint(1, 254)) for _ in range(4)),
    "uuid": lambda _words, chance: "-".join(_hex(count, chance) for count in (8, 4, 4, 4, 12)),
    "hash": lambda _words, chance: _hex(32, chance),
    "iban": lambda _words, chance: _mod97("DE", _code("#" * 18, chance)),
    "card": _card,
    "nhs": _nhs,
    "dni": _dni,
    "nir": _nir,
    "deidnr": _deidnr,
}
