#!/bin/sh
# A Chromium for the phones' tests. Debian's headless shell has none of the parts that only a window
# needs, and with it the tests take a fifth less of the processor; else the system's own Chromium,
# else Playwright's.
set -u
AS_ROOT=
[ "$(id -u)" = 0 ] || AS_ROOT=sudo

has() { command -v "$1" >/dev/null 2>&1; }
# Without a network it is better to know that soon.
apt() { $AS_ROOT apt-get -qq -o Acquire::Retries=0 -o Acquire::http::Timeout=20 "$@" >/dev/null 2>&1; }
gets() { apt install -y "$1"; }

has chromium-headless-shell && exit 0
# Nobody is asked for a password where another Chromium would do.
if [ -n "$AS_ROOT" ] && { has chromium || has chromium-browser || has google-chrome; }; then exit 0; fi
if has apt-get && { [ -z "$AS_ROOT" ] || has sudo; }; then
  gets chromium-headless-shell && exit 0
  apt update
  gets chromium-headless-shell && exit 0
  has chromium || has chromium-browser || gets chromium && exit 0
fi
has google-chrome || exec "$1/playwright" install chromium
