# An image of Grantlog with what its npm package holds. docs/deployment.md says how to build and run it.
# For builds that can be repeated, pass the base image by digest: --build-arg NODE_IMAGE=node@sha256:...
ARG NODE_IMAGE=node:24-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /build
# The packages first: this layer is built again only when the lock file changes.
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
# Packing builds. The image then has the files of the npm package, and no list of its own to keep complete.
RUN npm pack --pack-destination /tmp \
  && mkdir /package \
  && tar -xzf /tmp/grantlog-*.tgz -C /package --strip-components=1 \
  && npm prune --omit=dev --ignore-scripts --no-audit --no-fund \
  && mv node_modules /package/node_modules

FROM ${NODE_IMAGE}
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Grantlog" \
  org.opencontainers.image.description="OAuth 2.0 and OpenID Connect server on an append-only event log" \
  org.opencontainers.image.version="${VERSION}" \
  org.opencontainers.image.revision="${REVISION}"
COPY --from=build /package /app
# A volume takes over the owner and mode of this directory. The command is for `docker exec`.
RUN install -d -o 10001 -g 10001 -m 0700 /data \
  && chmod 0755 /app/dist/main.js \
  && ln -s /app/dist/main.js /usr/local/bin/grantlog
# The sample API is for trying the server out: it shows every user to every application.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8000 DATA_DIR=/data GRANTLOG_SAMPLE_API=false
WORKDIR /app
USER 10001:10001
VOLUME ["/data"]
EXPOSE 8000
STOPSIGNAL SIGTERM
# Alive, not ready: a restart does not cure a full disk. The start replays the log, which can take minutes.
HEALTHCHECK --interval=15s --timeout=5s --start-period=5m --retries=3 CMD ["node", "-e", \
  "const tls = process.env.GRANTLOG_TLS_CERTIFICATE_FILE ? 's' : ''; require(`http${tls}`).get(`http${tls}://127.0.0.1:${process.env.PORT}/healthz`, { rejectUnauthorized: false }, ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1)).on('error', () => process.exit(1))"]
ENTRYPOINT ["node", "--max-semi-space-size=32", "/app/dist/main.js"]
CMD ["serve"]
