# The service's image is the last stage (`runtime`). The stage `tests` runs the black-box tests against ROOST_URL.

FROM swift:6.3-bookworm AS sources
RUN apt-get -q update \
 && DEBIAN_FRONTEND=noninteractive apt-get -q install -y --no-install-recommends \
      libcurl4-openssl-dev libjansson-dev libmicrohttpd-dev libpq-dev libsodium-dev libutf8proc-dev libuv1-dev \
      libvips-dev pkg-config \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /roost
COPY Package.swift ./
COPY sql sql
COPY Sources Sources
# SwiftPM reads no package whose test targets have no folder.
COPY Tests Tests


FROM sources AS tests
RUN swift build --build-tests
CMD ["swift", "test", "--skip-build", "--filter", "RoostTests.StoryTests"]


FROM sources AS build
# The build folder outlives the image's layers, so that a change compiles only what it touches.
RUN --mount=type=cache,id=roost-build,target=/roost/.build,sharing=locked \
    swift build -c release --product roost --static-swift-stdlib \
 && cp "$(swift build -c release --show-bin-path)/roost" /usr/local/bin/roost \
 && strip /usr/local/bin/roost


FROM debian:bookworm-slim AS runtime
RUN apt-get -q update \
 && DEBIAN_FRONTEND=noninteractive apt-get -q install -y --no-install-recommends \
      ca-certificates libcurl4 libjansson4 libmicrohttpd12 libpq5 libsodium23 libstdc++6 libutf8proc2 libuv1 libvips42 \
 && rm -rf /var/lib/apt/lists/* \
 && groupadd --gid 10001 roost \
 && useradd --uid 10001 --gid 10001 --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin roost
COPY --from=build /usr/local/bin/roost /usr/local/bin/roost
USER 10001:10001
# A library that is missing shows here, not in production.
RUN ["roost", "version"]
ENV LISTEN=0.0.0.0:8080
EXPOSE 8080
HEALTHCHECK --interval=5s --timeout=3s --start-period=30s --retries=3 CMD ["roost", "check", "--ready"]
ENTRYPOINT ["roost"]
CMD ["serve"]
