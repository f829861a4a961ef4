#!/bin/sh
# A Chromium for the phones' tests, and what drives it. Debian's headless shell has none of the parts
# that only a window needs, and with it the tests take a fifth less of the processor; else the
# system's own Chromium, else Playwright's.
set -u
BIN=$1
AS_ROOT=
[ "$(id -u)" = 0 ] || AS_ROOT=sudo

has() { command -v "$1" >/dev/null 2>&1; }
# Without a network it is better to know that soon.
apt() { $AS_ROOT apt-get -qq -o Acquire::Retries=0 -o Acquire::http::Timeout=20 "$@" >/dev/null 2>&1; }
may_get() { has apt-get && { [ -z "$AS_ROOT" ] || has sudo; }; }
# Only what it needs: a printer's dialogs and a hundred other packages are recommended beside it.
gets() { apt install -y --no-install-recommends "$@"; }
drives() { "$BIN/python" -m playwright --version >/dev/null 2>&1; }
ends() { echo "$*"; exit 1; }

# Playwright's own Node wants a library that a small Debian does not bring.
if ! drives; then
  may_get && { gets libatomic1 || { apt update; gets libatomic1; }; }
  drives || ends "Playwright does not start here ($BIN/python -m playwright --version says why)." \
    "On Debian it needs the package libatomic1."
fi
has chromium-headless-shell && exit 0
# Nobody is asked for a password where another Chromium would do.
if [ -n "$AS_ROOT" ] && { has chromium || has chromium-browser || has google-chrome; }; then exit 0; fi
if may_get; then
  echo "Fetching a Chromium for the tests."
  gets chromium-headless-shell fonts-liberation && exit 0
  apt update
  gets chromium-headless-shell fonts-liberation && exit 0
  has chromium || has chromium-browser || gets chromium fonts-liberation && exit 0
fi
has google-chrome || "$BIN/python" -m playwright install chromium \
  || ends "The tests need a Chromium. Let somebody who may install Debian's package" \
    "chromium-headless-shell, or chromium."
