# syntax=docker/dockerfile:1
# One executable on a small base. Build: docker build -t svc .   Run: docker run -p 8080:8080 -v svc-data:/data svc

# Both bases are pinned by the digests of their multi-platform images; "docker buildx imagetools inspect IMAGE:TAG" prints the present one.
FROM node:22-bookworm-slim@sha256:43ac6c60b8f89723f746e8a92ce91abd5017e627ce1ddfe4238355d3a30b772c AS build
WORKDIR /build
# The dependencies change seldom: they get a layer of their own.
COPY package.json package-lock.json .npmrc ./
COPY scripts/setup.mjs scripts/bun.mjs scripts/
RUN node scripts/setup.mjs
COPY . .
RUN npm run --silent build

FROM debian:bookworm-slim@sha256:88200866dfff7ea7f5cbcb6ec7c8a701889efe6fe859fe64d6990e4b07ea4171
# Imports of repositories and comparisons of revisions run git, which opens ssh addresses with an ssh client.
RUN apt-get update && apt-get install --yes --no-install-recommends ca-certificates git openssh-client \
  && rm -rf /var/lib/apt/lists/*
# The identity is fixed, so that a volume keeps its owner from one image to the next.
RUN groupadd --gid 10001 svc && useradd --uid 10001 --gid svc --no-create-home --home-dir /data svc \
  && install -d -o svc -g svc -m 0700 /data
COPY --from=build --chmod=0755 /build/dist/svc /usr/local/bin/svc
COPY --from=build /build/LICENSE /usr/local/share/doc/svc/LICENSE
ENV SVC_WORKSPACE=/data SVC_HOST=0.0.0.0 SVC_PORT=8080
# As a number, so that a cluster can verify that it is not root.
USER 10001:10001
WORKDIR /data
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=15s --timeout=3s --start-period=10s --retries=3 \
  CMD ["svc", "health"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["svc"]
CMD ["serve"]
