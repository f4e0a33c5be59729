"""What the values of a column say by themselves, whatever its name is: `Positive`, `Divorced`, `Hispanic`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from shoal.tables.column_decisions import Role

ENOUGH = 0.6  # the share of distinct values that must be known: lists end, and real columns have an "other"


@dataclass(frozen=True)
class Content:
    """A subject, and the words by which values show it.

    `telling` words show it by themselves. `fitting` ones say it only in the company of telling ones: black is
    also the colour of a car. Words are the start of a word of the value; case does not matter.
    """

    about: str
    role: Role
    telling: str
    fitting: str = ""
    needed: int = 1  # distinct values with a telling word
    _telling: re.Pattern[str] = field(init=False, repr=False, compare=False)
    _known: re.Pattern[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_telling", _any_of(self.telling))
        object.__setattr__(self, "_known", _any_of(f"{self.telling}, {self.fitting}"))

    def shown_by(self, values: Sequence[str]) -> bool:
        """Whether most of a sample of distinct values speak of this."""
        known = sum(self._known.search(value) is not None for value in values)
        if known < ENOUGH * len(values) or not known:
            return False
        return sum(self._telling.search(value) is not None for value in values) >= self.needed


def _any_of(words: str) -> re.Pattern[str]:
    listed = [word.strip() for word in words.split(",") if word.strip()]
    # `=word` is the whole value, for what is short or common.
    whole = "|".join(word[1:] for word in listed if word.startswith("="))
    parts = "|".join(word for word in listed if not word.startswith("="))
    found = "|".join(
        one for one in (rf"^(?:{whole})$" if whole else "", rf"\b(?:{parts})" if parts else "") if one
    )
    return re.compile(found, re.IGNORECASE)


_DONT_KNOW = (
    "=other.*, =unknown.*, =none.*, =refused, =prefer not.*, =not (?:specified|provided|stated).*, "
    "=unspecified"
)
CONTENTS: tuple[Content, ...] = (
    Content(
        "test results",
        "sensitive",
        "positiv, negativ, inconclusive, abnormal, reactive, nonreactive, detected, not detected, "
        "malign, benign",
        f"normal, norm, pending, indeterminate, borderline, {_DONT_KNOW}",
        needed=2,
    ),
    Content(
        "illnesses, symptoms or treatments",
        "sensitive",
        "diabet, asthma, asma, hypertens, hipertens, hypotens, cancer, krebs, carcinom, tumou?r, "
        "lymphom, leuk(?:a|e)m, pneumon, bronchit, influenza, grippe, covid, hiv, aids, hepatit, "
        "tubercul, malaria, sepsis, infecti, infarct, angina, arrhythm, heart failure, coronary, stroke, "
        "epileps, migraine, headache, head pain, dementia, alzheimer, parkinson, depress, anxiety, "
        "bipolar, schizo, autis, adhd, psycho, obes, adipos, anaemi, anemi, arthrit, rheuma, osteo, "
        "gastri, ulcer, colitis, crohn, cirrhos, renal, kidney, nephr, copd, dyspn, fever, cough, "
        "fatigue, nausea, vomit, diarrh, rash, fracture, injur, trauma, burn, overdose, pregnan, "
        "chemotherap, radiother, insulin, metformin, aspirin, ibuprofen, paracetamol, acetaminophen, "
        "penicillin, amoxicillin, statin, lipitor, warfarin, morphine, oxycodon, antidepress, antibio, "
        "surgery, transplant, dialys, vaccin, allerg, chest pain, back pain, abdominal pain, "
        "sore throat, disab, impair, =deceased, =expired",
        "acute, chronic, pain, disease, disorder, syndrome, =healthy, =recovered, =hospitali.*, =stable, "
        f"{_DONT_KNOW}",
    ),
    Content(
        "crimes or what became of them",
        "sensitive",
        "felony, misdemean, battery, assault, burglar, robber, theft, larceny, fraud, forgery, homicide, "
        "murder, manslaughter, rape, arson, kidnap, dui\\b, dwi\\b, possession of, poss , trafficking, "
        "cocaine, heroin, cannabis, marijuana, trespass, vandalis, arrest, convict, acquit, parole, "
        "probation, incarcerat, resist",
        f"driving, speed, violat, citation, warning, ticket, license, weapon, gun, drug, {_DONT_KNOW}",
        needed=2,
    ),
    Content(
        "religion",
        "sensitive",
        "christian, catholic, cat[oó]lic, katholi, protestant, evangel, lutheran, baptist, methodist, "
        "anglican, orthodox, muslim, moslem, islam, sunni, shia, jewish, juda, hindu, buddh, sikh, "
        "atheis, agnost",
        _DONT_KNOW,
    ),
    Content(
        "political parties",
        "sensitive",
        "democrat, republican, libertarian, =dem, =rep, =gop, labour, tory, tories, conservative, "
        "liberal, =spd, =cdu, =csu, =fdp, =afd, =psoe, =vox, socialist, communist",
        f"green, independent, unaffiliated, =una, =lib, =ind, party, =pp, {_DONT_KNOW}",
        needed=2,
    ),
    Content(
        "sexual orientation",
        "sensitive",
        "heterosex, homosex, bisex, =gay.*, lesbian, asexual, pansexual",
        f"=straight.*, queer, {_DONT_KNOW}",
    ),
    Content(
        "sums owed or how they are paid back",
        "sensitive",
        "charged off, fully paid, delinquent, overdue, in arrears, bankrupt, foreclos, =default",
        f"=current, late, paid, delayed, {_DONT_KNOW}",
    ),
    Content(
        "race or ethnic origin",
        "quasi",
        "caucasian, african.?american, hispanic, latin[oax], pacific islander, native american, "
        "american indian, amer-indian, alaska native, asian, multiracial, two or more races, roma\\b, "
        "kurd, arab",
        f"white, black, mixed, indian, chinese, {_DONT_KNOW}",
    ),
    Content(
        "marital status",
        "quasi",
        "married, unmarried, never.married, divorc, widow, separated, ledig, verheiratet, geschieden, "
        "verwitwet, mari[eé], c[eé]libataire, veuf, veuve, casad[oa], solter[oa], viud[oa], "
        "ogift, ugift, skild, skilt, fråskild, fraskilt, änk, enke, sambo, ensamstående, naimisissa, "
        "naimaton, eronnut, leski",
        f"single, partner, cohabit, =gift, {_DONT_KNOW}",
        needed=2,
    ),
    Content(
        "education",
        "quasi",
        "bachelor, master'?s, doctora, ph\\.?d, high.?school, some.college, college degree, "
        "secondary school, primary school, hs-grad, diploma, abitur, hauptschul, realschul, baccalaur, "
        "licenciatura, bachiller",
        f"graduat, primary, secondary, tertiary, degree, college, university, school, \\d+th, {_DONT_KNOW}",
        needed=2,
    ),
    Content(
        "jobs",
        "quasi",
        "teacher, nurse, engineer, manager, driver, technician, accountant, lawyer, attorney, physician, "
        "electrician, clerk, supervisor, analyst, developer, scientist, secretary, mechanic, carpenter, "
        "farmer, retired, self.employed, unemployed, homemaker, housemaid, blue.collar, lehrer, "
        "ingenieur, verk[aä]ufer, profesor, ing[eé]nie, ouvrier, cadre",
        "sales, admin, services, management, executive, director, owner, student, worker, staff, "
        f"{_DONT_KNOW}",
        needed=3,
    ),
    Content(
        "family members",
        "quasi",
        "husband, wife, mother, father, son, daughter, own.child, brother, sister, spouse, grandparent",
        f"not.in.family, unmarried, child, relative, {_DONT_KNOW}",
        needed=2,
    ),
    Content(
        "countries",
        "quasi",
        "germany, france, spain, italy, poland, united.states, united.kingdom, canada, mexico, brazil, "
        "india, china, japan, russia, ukraine, turkey, syria, iraq, iran, afghanistan, pakistan, "
        "nigeria, sudan, vietnam, philippines, cuba, romania, portugal, netherlands, deutschland, polen, "
        "t[uü]rkei, frankreich, espa[nñ]a, marruecos, ecuador",
        _DONT_KNOW,
        needed=2,
    ),
    Content(
        "forms of address",
        "quasi",
        "=mr\\.?, =mrs\\.?, =ms\\.?, =miss, =herr, =frau, =mme, =sr\\.?, =sra\\.?",
        "=dr\\.?, =prof\\.?",
    ),
)


def find_content(values: Sequence[str], role: Role) -> Content | None:
    """The first subject with this role of which most of a sample of distinct values speak."""
    return next((one for one in CONTENTS if one.role == role and one.shown_by(values)), None)
