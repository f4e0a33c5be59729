"""Draw docs/images/compare.svg from real releases of the demo: `.venv/bin/python docs/images/compare.py`."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import shoal
from shoal.demo.story import tell


def main() -> None:
    with TemporaryDirectory() as folder:
        tell(folder, 20_000, lambda _: None)
        shoal.compare(
            f"{folder}/patients.csv",
            identifier="patient_id,name",
            quasi="birth_date,zip,sex,occupation",
            sensitive="diagnosis",
            insensitive="income",
            hierarchy={"occupation": f"{folder}/occupation.csv"},
            k=[2, 5, 10, 25, 50],
            method=["optimal", "mondrian", "top-down"],
            suppress=[0, 0.05],
            seed=1,
            output=Path(__file__).with_name("compare.svg"),
        )


if __name__ == "__main__":
    main()
