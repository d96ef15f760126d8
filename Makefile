# Whistlestop. `make` alone lists what there is to do.
SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help setup up down status test lint lock clean compile test-compiled image compose-up compose-down k8s-scan openapi demo bench-moves bench-kernel bench-bots arena goldens mutants soak

VENV := .venv
PYTHON := $(VENV)/bin/python
STAMP := $(VENV)/.installed
PATH_TO_KUBECTL := $(PATH):$(CURDIR)/build/bin
COMPILED_TESTS := $(addprefix tests/,unit/kernel property secrecy golden conformance service/ai)
BASE_PYTHON ?= $(shell for p in python3.11 python3; do $$p -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' 2>/dev/null && echo $$p && break; done)

help: ## list the targets
	@echo "Whistlestop: rail-route board games as a service. Targets:"
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 22

setup: $(STAMP) ## create .venv with the locked dependencies (only when something changed)
	@:

$(STAMP): requirements.lock
	@if [ -z "$(BASE_PYTHON)" ]; then \
	  echo "Whistlestop needs Python 3.11, and no python3.11 is on the PATH."; \
	  echo "Install it (Debian/Ubuntu: apt-get install python3.11 python3.11-venv; pyenv: pyenv install 3.11;"; \
	  echo "macOS: brew install python@3.11) or name one: make setup BASE_PYTHON=/path/to/python3.11"; exit 1; fi
	@if [ ! -x $(PYTHON) ]; then \
	  echo "Creating $(VENV) with $$($(BASE_PYTHON) --version) ..."; \
	  $(BASE_PYTHON) -m venv $(VENV) || { rm -rf $(VENV); \
	    echo "The venv module of $(BASE_PYTHON) does not work (Debian/Ubuntu: apt-get install python3.11-venv)."; exit 1; }; fi
	@echo "Installing the $$(grep -c == requirements.lock) locked packages (first time: about a minute) ..."
	@$(PYTHON) -m pip install --disable-pip-version-check --no-deps --no-color -r requirements.lock 2>$(VENV)/pip.log \
	  | awk -v all=$$(grep -c == requirements.lock) '/^(Collecting|Processing)/ { parts = split($$2, part, "/"); \
	      printf "\r  %d of %d  %-60s", ++n, all, part[parts]; fflush() } \
	    /^Installing/ { printf "\r  unpacking ... %-60s", ""; fflush() } END { printf "\r%80s\r", "" }'; \
	  [ $${PIPESTATUS[0]} = 0 ] || { tail -5 $(VENV)/pip.log; echo "Installing failed; is the network there? All of it: $(VENV)/pip.log"; exit 1; }
	@touch $@

up: setup ## start the whole stack on this machine (PORT=8000), Ctrl-C stops it
	@$(PYTHON) -m deploy.local up

down: ## stop a running stack
	@if [ -x $(PYTHON) ]; then $(PYTHON) -m deploy.local down; else echo "Nothing runs: not set up yet."; fi

status: setup ## how the running stack does, on one page: processes, games, bots, queues, streams
	@$(PYTHON) -m deploy.local status

demo: setup ## watch bots play a whole game (RULESET=usa SEATS=4 BOTS=greedy,random), and prove the way of every move
	@$(PYTHON) -m deploy.local.demo

bench-moves: setup ## accepted moves a second through the whole chain, beside a chain of empty hops
	@$(PYTHON) -m deploy.bench.moves

soak: setup ## random games, checked after every commit (RULESET=usa SEATS=4 GAMES=1000 SEED=1 WORKERS=2; else all)
	@$(PYTHON) -m tests.soak

MUTATED = $(if $(ONLY),$(or $(wildcard shared/kernel/$(ONLY).py shared/kernel/mechanics/$(ONLY).py),$(error no module $(ONLY))))

mutants: setup ## mutation tests of the rules, outside CI: an hour or more (ONLY=alvin: one module anew, WORKERS=2)
	@rm -f $(MUTATED:%=mutants/%*)
	@CI=1 $(VENV)/bin/mutmut run --max-children $(or $(WORKERS),2) $(patsubst %.py,'%.*',$(subst /,.,$(MUTATED)))
	@$(VENV)/bin/mutmut results | sed '/not checked/d; /\.$(or $(ONLY),.*)\.x/!d'

lint: setup ## style, import rules and the types of the kernel
	@$(VENV)/bin/ruff check .
	@$(VENV)/bin/lint-imports --no-cache
	@$(VENV)/bin/mypy --no-error-summary

build/bin/kubectl: | setup
	@command -v kubectl >/dev/null || k8s/kubectl.sh build/bin || true

test: lint build/bin/kubectl ## style, import rules, types and every test layer, those of the kernel on its compiled form too
	@PATH="$(PATH_TO_KUBECTL)" WHISTLESTOP_KERNEL=plain $(PYTHON) -m pytest -n 2 --dist loadgroup tests
	@$(MAKE) --no-print-directory test-compiled

test-compiled: setup ## the tests of the kernel on its compiled form, where there is a C compiler
	@WHISTLESTOP_KERNEL=plain $(PYTHON) -m deploy.compile; case $$? in \
	  0) WHISTLESTOP_KERNEL=compiled $(PYTHON) -m pytest -n 2 --dist loadgroup $(COMPILED_TESTS);; \
	  3) echo "THE COMPILED FORM OF THE KERNEL WAS NOT TESTED.";; \
	  *) exit 1;; esac

lock: setup ## renew requirements.lock from pyproject.toml
	@CUSTOM_COMPILE_COMMAND="make lock" $(VENV)/bin/pip-compile --quiet --upgrade --extra local --extra tracing --extra dev --strip-extras --allow-unsafe \
	  --no-emit-index-url --no-emit-find-links --no-emit-trusted-host --annotation-style=line -o requirements.lock pyproject.toml

clean: ## remove the virtual environment, the compiled kernel and caches (keeps ./var)
	@rm -rf $(VENV) build mutants .mypy_cache .ruff_cache .import_linter_cache .hypothesis

compile: setup ## build a compiled form of the kernel, twice as fast, which is used from then on (needs a C compiler)
	@WHISTLESTOP_KERNEL=plain $(PYTHON) -m deploy.compile

image: setup ## build the images that containers run, whistlestop:local and whistlestop/valkey:local (needs Docker)
	@PYTHON=$(PYTHON) deploy/images/valkey.sh
	@deploy/images/image.sh

COMPOSE = IMAGE=whistlestop:local VALKEY_IMAGE=whistlestop/valkey:local SECRETS=$(CURDIR)/var/compose PORT=$(or $(PORT),8000) \
  $$(docker compose version >/dev/null 2>&1 && echo docker compose || echo docker-compose) -p whistlestop -f deploy/compose.yaml

compose-up: ## run everything in containers on this machine (PORT=8000); make image comes first
	@deploy/images/secrets.sh var/compose
	@$(COMPOSE) up --detach
	@echo "http://127.0.0.1:$(or $(PORT),8000), with the key in var/compose/platform_key"

compose-down: ## stop those containers; their games are kept
	@$(COMPOSE) down

build/checkov: # in an environment of its own, for it wants other versions than the lock has
	@$(BASE_PYTHON) -m venv $@ && $@/bin/pip install --quiet checkov==3.3.30 || { rm -rf $@; exit 1; }

k8s-scan: build/checkov build/bin/kubectl ## scan the manifests of production against the policies of checkov
	@PATH="$(PATH_TO_KUBECTL)" kubectl kustomize k8s/overlays/prod >build/prod.yaml
	@build/checkov/bin/checkov --config-file k8s/checkov.yaml --file build/prod.yaml && echo "No policy is broken."

openapi: setup ## write services/gateway/openapi.json anew from the code
	@$(PYTHON) -m services.gateway.document

goldens: setup ## write the playthroughs of tests/golden anew, to be reviewed as a diff, and what else is missing there
	@$(PYTHON) -m tests.golden.playthrough
	@$(PYTHON) -m tests.golden.perft

bench-kernel: setup ## random games a second of every rule set, plain and compiled, and the longest trail (RULESET=usa)
	@WHISTLESTOP_KERNEL=plain $(PYTHON) -m deploy.compile || [ $$? = 3 ]
	@$(PYTHON) -m deploy.bench.kernel

arena: setup ## let bots play many games, without a stack (RULESET=usa BOTS=greedy,random GAMES=100 SEED=1 SEATS=2 BOARD=file)
	@$(PYTHON) -m services.ai.arenas.local

bench-bots: setup ## how strong the bots are (RULESET=usa SEATS=2 BOTS=hungry,one_step GAMES=100 SEED=1 WORKERS=2)
	@$(PYTHON) -m deploy.bench.bots
