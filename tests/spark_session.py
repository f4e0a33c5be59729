"""One Spark for all tests of a process, with the machine's Java; started when the first test wants it."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from typing import Any

import pytest

PACKAGE = "openjdk-17-jre-headless"  # Debian's name for the Java that Spark needs


def require_java() -> None:
    """Skip, with the reason, where Spark cannot start."""
    pytest.importorskip("pyspark", reason="no PySpark here; pip install 'shoal[spark]'")
    if shutil.which("java") is None:
        pytest.skip(f"no Java here, so no Spark; install Debian's package {PACKAGE}")


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    """A session on two threads with a warehouse of its own, which is gone afterwards."""
    require_java()
    from pyspark.sql import SparkSession

    folder = tempfile.mkdtemp(prefix="shoal-spark-")
    builder = SparkSession.builder.master("local[2]").appName("shoal tests")
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.memory": "1g",
        # Compiled once and quickly: nothing here runs long enough to repay more.
        "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
        "spark.sql.shuffle.partitions": "2",
        "spark.sql.warehouse.dir": f"{folder}/warehouse",
        "spark.local.dir": f"{folder}/local",
        "spark.sql.catalogImplementation": "in-memory",
    }
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    gateway = session.sparkContext._gateway
    yield session
    session.stop()
    assert gateway is not None
    gateway.shutdown()
    gateway.proc.stdin.close()  # Java ends when nobody talks to it any more
    gateway.proc.wait(timeout=120)
    shutil.rmtree(folder, ignore_errors=True)
