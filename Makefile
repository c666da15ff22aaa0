# ARGS goes to the program that a target runs: make run ARGS="--listen 127.0.0.1:9000"
ARGS ?=

.DEFAULT_GOAL := help
.PHONY: help run build test test-ha test-upgrade attack fuzz sanitize bench screenshots format lint psql clean

help: ## lists these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

run: build ## sets up, builds, and serves on http://127.0.0.1:8080 with a PostgreSQL of its own
	@exec .build/release/roost serve $(ARGS)

build: ## installs missing system packages and builds .build/release/roost
	@scripts/setup
	@swift build -c release --product roost

test: ## runs every check and test; ARGS="--filter StoreTests" runs some
	@exec scripts/test $(ARGS)

test-ha: ## kills nodes and primaries behind HAProxy, PgBouncer and Patroni, which it installs; ARGS="pooled" runs one story
	@exec scripts/test-ha $(ARGS)

test-upgrade: ## upgrades nodes one by one under load, and migrates a million accounts; ARGS="rolling" does one
	@exec scripts/test-upgrade $(ARGS)

attack: ## floods, bombs and slow clients in full size; ARGS="--filter HashAttackTests" runs some
	@exec scripts/attack $(ARGS)

fuzz: ## gives what reads strangers' bytes bytes without end; ARGS="--seconds 60 json"
	@scripts/setup
	@exec scripts/fuzz $(ARGS)

sanitize: ## runs the tests under the address and the thread sanitizer
	@exec scripts/sanitize $(ARGS)

bench: ## measures against pgbench and the machine's own limits
	@exec scripts/bench $(ARGS)

screenshots: ## makes the pictures of the web client in docs/images
	@exec scripts/screenshots $(ARGS)

format: ## formats the Swift code
	@exec scripts/lint --fix

lint: ## checks Swift, scripts, Dockerfile, migrations and licences, changes nothing
	@scripts/setup --lint
	@exec scripts/lint

psql: build ## opens psql on the database
	@exec .build/release/roost psql $(ARGS)

clean: ## removes what was built; never data
	@rm -rf .build Benchmarks/.build
	@data="$${DATA_DIR:-}"; \
	if [ -z "$$data" ] && [ "$$(id -u)" = 0 ]; then data=/var/lib/roost; fi; \
	echo "Build products are gone. Data stays in $${data:-$${XDG_DATA_HOME:-$$HOME/.local/share}/roost}"
