# Two stages: build, then run with production dependencies as an unprivileged user.
ARG NODE_IMAGE=node:24.21.0-bookworm-slim@sha256:d6aa754f16b3197301076f047b5def2f02ea1dbbc2ca920407d46d7ec7f87b20

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY clients/typescript/package.json clients/typescript/
RUN npm ci --omit=dev --no-audit --no-fund
COPY .swcrc ormconfig.ts ./
COPY scripts scripts
COPY src src
COPY clients/typescript/src clients/typescript/src
# What must not be redistributed, such as the FFmpeg of node-av, and the compiler: THIRD-PARTY.md.
RUN npm run build && node scripts/prune-image.js

FROM ${NODE_IMAGE}
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data FFMPEG_PATH=/usr/bin/ffmpeg
WORKDIR /app
RUN apt-get update && apt-get install -y --no-install-recommends ffmpeg && rm -rf /var/lib/apt/lists/* \
  && mkdir /data /backups && chown node:node /data /backups
COPY LICENSE THIRD-PARTY.md ./
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
# To which a link in node_modules leads.
COPY --from=build /app/clients clients
COPY demo demo
COPY web web
# The guides, which the service shows at /docs/guide.
COPY docs docs
COPY examples/README.md examples/
COPY clients/typescript/README.md clients/typescript/
COPY clients/python/README.md clients/python/
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/ready`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# API and worker; docker-compose.yml runs them separately. Node is started directly, not through npm, so that signals reach
# the service.
CMD ["node", "dist/src/main.js"]
