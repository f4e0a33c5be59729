# Shoal's command line in a small image. Build: docker build -t shoal .
# Use: docker run --rm -v "$PWD:/data" --user "$(id -u):$(id -g)" shoal table inspect people.csv
FROM python:3.13-slim AS build
WORKDIR /src
COPY pyproject.toml README.md LICENSE ./
COPY src src
RUN pip install --no-cache-dir --prefix=/install ".[arrow,excel,models]"

FROM python:3.13-slim
COPY --from=build /install /usr/local
# Data come in by a volume; nothing of them is in the image, and nobody needs to be root.
RUN useradd --create-home shoal
USER shoal
ENV NUMBA_CACHE_DIR=/tmp/numba
WORKDIR /data
ENTRYPOINT ["shoal"]
CMD ["--help"]
