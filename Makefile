# make lab    set up, and open JupyterLab on the first notebook
# make local  set up, and fetch a small real model that runs here
# make test   set up, and run every test, the notebooks included
#
# Nothing outside this folder is changed: packages go into .venv, and uv,
# where it isn't on PATH, into .uv. Name another Python with PYTHON=..., more
# options for JupyterLab with LAB=..., for pytest with TEST=...

PY = .venv/bin/python
UV := $(shell uv --version >/dev/null 2>&1 && command -v uv)
ifeq ($(UV),)
UV := .uv/bin/uv
endif

PYTHONS = python3 python3.14 python3.13 python3.12 python3.11 python
ifdef PYTHON
PYTHONS = $(PYTHON)
endif

# Shell code that sets `python` to the first Python that is new enough.
find_python = python=; \
for candidate in $(PYTHONS); do \
  if $$candidate -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
    >/dev/null 2>&1; then python=$$candidate; break; fi; \
done; \
if [ -z "$$python" ]; then \
  first=$(firstword $(PYTHONS)); \
  found=$$($$first --version 2>&1) || found=missing; \
  echo "Reflection Lab needs Python 3.11 or newer, but $$first is $$found:" \
    "install one, or name it, as in: make lab PYTHON=python3.12" >&2; \
  exit 1; \
fi

# JupyterLab refuses to run as root unless told; and where no browser can
# open it should not try, but print the address.
LAB_OPTIONS = --ServerApp.root_dir=. \
  --LabApp.default_url=/lab/tree/notebooks/01_shared_history.ipynb
ifeq ($(shell id -u),0)
LAB_OPTIONS += --allow-root
endif
ifeq ($(shell uname)$(DISPLAY)$(WAYLAND_DISPLAY),Linux)
LAB_OPTIONS += --no-browser
endif

.PHONY: lab test run local notebooks reference lint pins

lab: .venv/base
	$(PY) -m jupyterlab $(LAB_OPTIONS) $(LAB)

test: .venv/dev
	$(PY) -m pytest $(TEST)

run: .venv/base
	$(PY) -m reflectlab run

# Never from source: a C++ build would take an hour, or fail.
local: .venv/base
	$(UV) pip install --python $(PY) -c constraints.txt \
	  --only-binary xllamacpp -e '.[local]'
	$(PY) -m reflectlab local setup

notebooks: .venv/dev
	$(PY) tools/notebooks.py
	$(PY) -m reflectlab.course.readme_picture docs/two_histories.svg

reference: .venv/dev
	$(PY) tools/reference.py

lint: .venv/dev
	$(PY) -m ruff check .
	.venv/bin/lint-imports --no-logo
	$(PY) -m mypy
	.venv/bin/codespell

pins: .venv/dev
	$(PY) tools/pins.py $(UV)

# The two files below mark what has been installed into .venv.
.venv/base: $(PY) pyproject.toml constraints.txt | $(UV)
	$(UV) pip install --python $(PY) -c constraints.txt -e .
	@touch $@

.venv/dev: $(PY) pyproject.toml constraints.txt | $(UV)
	$(UV) pip install --python $(PY) -c constraints.txt -e '.[dev]'
	@touch .venv/base $@

$(PY): | $(UV)
	@$(find_python); rm -rf .venv; $(UV) venv --quiet --python "$$python" .venv

.uv/bin/uv:
	@$(find_python); \
	echo "Installing uv into .uv"; \
	"$$python" -m venv .uv || { \
	  echo "$$python cannot make a virtual environment:" \
	    "install python3-venv (Debian, Ubuntu) or uv" >&2; exit 1; }; \
	.uv/bin/python -m pip install -qq --disable-pip-version-check \
	  -c constraints.txt uv
