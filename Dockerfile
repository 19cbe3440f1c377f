# syntax=docker/dockerfile:1
# Crossrate in production mode: real upstreams, embedded stores under /data.
#
#   (umask 077; echo "MASTER_KEYS=1:$(openssl rand -base64 32)" > ~/crossrate.env)     # once
#   docker build -t crossrate .
#   docker run -p 3000:3000 -v crossrate-data:/data --env-file ~/crossrate.env crossrate
#   docker run -p 3000:3000 -v crossrate-data:/data -e ACCESS=open crossrate      # without accounts and limits
#
# Keep the master key: what it has encrypted needs it for good.

FROM oven/bun:1.4.5-slim AS deps
WORKDIR /app
COPY package.json bun.lock bunfig.toml ./
RUN bun install --frozen-lockfile --production

FROM oven/bun:1.4.5-slim AS runtime
WORKDIR /app
# The last two are of the runtime: docs/operations.md, "Memory".
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=3000 \
    DATA_DIR=/data \
    UV_THREADPOOL_SIZE=16 \
    BUN_JSC_forceRAMSize=268435456
COPY --from=deps /app/node_modules ./node_modules
COPY package.json bunfig.toml tsconfig.json LICENSE NOTICE ./
COPY src ./src
COPY docs ./docs
COPY data/snapshot ./data/snapshot
RUN mkdir -p /data && chown bun:bun /data
USER bun
VOLUME /data
EXPOSE 3000
# The first start collects 27 years of history while it already answers /health.
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 \
  CMD ["bun", "-e", "process.env.NO_PROXY = process.env.no_proxy = '*'; const r = await fetch(`http://127.0.0.1:${process.env.PORT}/health`); process.exit(r.ok ? 0 : 1)"]
CMD ["bun", "src/main.ts", "serve"]
