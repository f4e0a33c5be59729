"""ARX beside Shoal: the recorded figures without a jar, its own where there is one.

There is no ARX here. A few classes with the names and signatures of its public interface (3.9) stand in for
it, written for this test: what they cannot tell is whether the real one behaves as they do.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import arx
from patience import LONG
from shoal import catalog

ROOT = Path(__file__).parents[2]
SETTING = "k-anonymity(k=2), 0%"

PLAIN = "package org.deidentifier.arx; import java.io.*; import java.nio.charset.Charset; import java.util.*;"
STANDS_IN = {
    "AttributeType": """public class AttributeType {
        public static final AttributeType SENSITIVE_ATTRIBUTE = new AttributeType();
        public int height;
        public static class Hierarchy extends AttributeType {
            public static Hierarchy create(String file, Charset set, char apart) throws IOException {
                try (BufferedReader lines = new BufferedReader(new FileReader(file, set))) {
                    Hierarchy made = new Hierarchy();
                    made.height = lines.readLine().split(String.valueOf(apart)).length - 1;
                    return made;
                }
            }
        }
    }""",
    "DataDefinition": """public class DataDefinition {
        public final Map<String, AttributeType> types = new HashMap<>();
        public void setAttributeType(String column, AttributeType type) { types.put(column, type); }
    }""",
    "DataHandle": """public class DataHandle {
        public boolean locked;
        public void release() { locked = false; }
    }""",
    "Data": """public class Data {
        private final DataDefinition definition = new DataDefinition();
        private final DataHandle handle = new DataHandle();
        public List<String> header;
        public static Data create(String file, Charset set, char apart) throws IOException {
            try (BufferedReader lines = new BufferedReader(new FileReader(file, set))) {
                Data made = new Data();
                made.header = Arrays.asList(lines.readLine().split(String.valueOf(apart)));
                return made;
            }
        }
        public DataDefinition getDefinition() { return definition; }
        public DataHandle getHandle() { return handle; }
    }""",
    "ARXConfiguration": """public class ARXConfiguration {
        public static ARXConfiguration create() { return new ARXConfiguration(); }
        public ARXConfiguration addPrivacyModel(org.deidentifier.arx.criteria.PrivacyCriterion model) {
            return this;
        }
        public void setSuppressionLimit(double share) {}
        public void setQualityModel(org.deidentifier.arx.metric.Metric<?> metric) {}
    }""",
    "ARXLattice": """public class ARXLattice {
        public static class ARXNode {
            public Map<String, AttributeType> types;
            public int getGeneralization(String column) { return types.get(column).height; }
            public org.deidentifier.arx.metric.InformationLoss<?> getHighestScore() {
                return new org.deidentifier.arx.metric.InformationLoss<>();
            }
        }
    }""",
    "ARXResult": """public class ARXResult {
        public ARXLattice.ARXNode best = new ARXLattice.ARXNode();
        public ARXLattice.ARXNode getGlobalOptimum() { return best; }
    }""",
    "ARXAnonymizer": """public class ARXAnonymizer {
        public ARXResult anonymize(Data data, ARXConfiguration wanted) throws IOException {
            if (data.getHandle().locked) throw new IllegalStateException("release it first");
            if (!new HashSet<>(data.header).equals(data.getDefinition().types.keySet()))
                throw new IllegalStateException(data.header.toString());
            data.getHandle().locked = true;
            ARXResult found = new ARXResult();
            found.best.types = data.getDefinition().types;
            return found;
        }
    }""",
    "metric.InformationLoss": 'public class InformationLoss<T> { public String toString() { return "1"; } }',
    "metric.Metric": """public class Metric<T> {
        public enum AggregateFunction { ARITHMETIC_MEAN }
        public static Metric<?> createLossMetric(double factor, AggregateFunction function) {
            return new Metric<Object>();
        }
    }""",
    "criteria.PrivacyCriterion": "public class PrivacyCriterion {}",
    "criteria.KAnonymity": """public class KAnonymity extends PrivacyCriterion {
        public KAnonymity(int k) {}
    }""",
    "criteria.DistinctLDiversity": """public class DistinctLDiversity extends PrivacyCriterion {
        public DistinctLDiversity(String column, int l) {}
    }""",
    "criteria.EntropyLDiversity": """public class EntropyLDiversity extends PrivacyCriterion {
        public EntropyLDiversity(String column, double l) {}
    }""",
    "criteria.RecursiveCLDiversity": """public class RecursiveCLDiversity extends PrivacyCriterion {
        public RecursiveCLDiversity(String column, double c, int l) {}
    }""",
    "criteria.EqualDistanceTCloseness": """public class EqualDistanceTCloseness extends PrivacyCriterion {
        public EqualDistanceTCloseness(String column, double t) {}
    }""",
    "criteria.HierarchicalDistanceTCloseness": """
    public class HierarchicalDistanceTCloseness extends PrivacyCriterion {
        public HierarchicalDistanceTCloseness(
            String column, double t, org.deidentifier.arx.AttributeType.Hierarchy hierarchy) {}
    }""",
}


def stand_in(folder: Path) -> Path:
    """The classes above, compiled."""
    sources = []
    for name, text in STANDS_IN.items():
        *below, last = name.split(".")
        source = folder.joinpath("source", *below, f"{last}.java")
        source.parent.mkdir(parents=True, exist_ok=True)
        source.write_text(PLAIN.replace("arx;", ".".join(["arx", *below]) + ";", 1) + text, "utf-8")
        sources.append(str(source))
    made = folder / "classes"
    subprocess.run(["javac", "-d", str(made), *sources], check=True, timeout=LONG)
    return made


def line_of(jar: str, setting: str = SETTING) -> tuple[str, str]:
    """What `python -m benchmarks adult` says of a setting, and all of it."""
    call = [sys.executable, "-m", "benchmarks", "adult", "--rows", "400", "--rounds", "1", "--only", setting]
    done = subprocess.run(
        call,
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
        timeout=LONG,
        env={**os.environ, "SHOAL_ARX": jar},
    )
    return next(line for line in done.stdout.splitlines() if line.startswith(setting)), done.stdout


def test_without_a_jar_the_recorded_figures_stand_there() -> None:
    line, text = line_of("")
    assert "235 / 56" in line and "now" not in line
    assert "SHOAL_ARX names no jar" in text


def test_a_jar_that_is_not_there_is_said(tmp_path: Path) -> None:
    line, text = line_of(str(tmp_path / "arx.jar"))
    assert "235 / 56" in line and "is not there" in text


def test_without_a_compiler_it_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SHOAL_ARX", str(tmp_path))
    monkeypatch.setattr(shutil, "which", lambda _: None)
    assert arx.jar() is None and "javac" in (arx.why_not() or "")


@pytest.mark.skipif(shutil.which("javac") is None, reason="needs javac")
def test_with_a_jar_both_are_measured_in_one_run_and_both_losses_told(tmp_path: Path) -> None:
    line, _ = line_of(
        str(stand_in(tmp_path)), "k-anonymity(k=5) + t-closeness(t=0.2,distance=hierarchical), 5%"
    )
    # What stands in puts every column on its top.
    assert " now " in line and "1.000000" in line


@pytest.mark.parametrize(
    ("model", "words"),
    [
        ("k-anonymity(k=5)", ("k", "5", "0")),
        ("l-diversity(l=3)", ("distinct", "3.0", "0.0")),
        ("l-diversity(l=3,kind=recursive,c=4)", ("recursive", "3.0", "4.0")),
        ("t-closeness(t=0.2,distance=hierarchical)", ("hierarchical", "0.2", "0")),
        ("l-diversity(l=3,kind=probabilistic)", None),
        ("t-closeness(t=0.2,distance=ordered)", None),
        ("delta-presence(low=0,high=1)", None),
    ],
)
def test_models_are_spelled_for_arx_or_left_out(model: str, words: tuple[str, str, str] | None) -> None:
    assert arx.spell(catalog.make("model", model)) == words
