# The site in one image: web, worker and beat differ by their command (docker-compose.yml).
FROM python:3.11-slim-bookworm AS packages
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
RUN python -m venv /venv
COPY requirements.txt /tmp/requirements.txt
RUN /venv/bin/pip install --require-hashes -r /tmp/requirements.txt

FROM python:3.11-slim-bookworm
ENV PATH=/venv/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 \
    DEBUG=0 STATIC_ROOT=/srv/static MEDIA_ROOT=/srv/media
RUN useradd --system --uid 10001 --home-dir /app --shell /usr/sbin/nologin duels \
    && install -d -o duels -g duels /app /srv/media
WORKDIR /app
COPY --from=packages /venv /venv
COPY config config
COPY duels duels
COPY locale locale
COPY notices notices
COPY referee referee
COPY rules rules
COPY scripts/messages.py scripts/messages.py
COPY static static
COPY templates templates
COPY tournaments tournaments
COPY manage.py manage.py
# The secrets of this line are made up for it and stay nowhere.
RUN python scripts/messages.py compile \
    && SECRET_KEY="$(python -c 'import secrets; print(secrets.token_urlsafe(50))')" \
    SEAL_KEYS="$(python -c 'from config.keys import new_ring; print(new_ring())')" \
    ALLOWED_HOSTS=localhost python manage.py collectstatic --noinput --verbosity 0
USER duels
VOLUME /srv/media
EXPOSE 8000
CMD ["gunicorn", "config.wsgi", "--bind", "0.0.0.0:8000", "--workers", "2", "--threads", "4"]
