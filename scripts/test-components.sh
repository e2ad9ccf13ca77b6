#!/usr/bin/env bash
# Installs what the tests use and npm does not bring, from Debian's packages: `scripts/test-components.sh`. Without root,
# without Debian or without a connection it changes nothing and says what is missing; the tests that need it are then
# skipped by name. Exit code 0 in any case but wrong use: a missing component is no failure of the project.
set -uo pipefail

# program:package, the same list as in test/components/component.ts.
COMPONENTS=(
  bash:bash
  chattr:e2fsprogs
  diff:diffutils
  fish:fish
  flock:util-linux
  gcc:gcc
  git:git
  make:make
  mkfifo:coreutils
  mount:mount
  patch:patch
  pytest:python3-pytest
  python3:python3
  script:bsdutils
  setfacl:acl
  setfattr:attr
  setpriv:util-linux
  setsid:util-linux
  strace:strace
  unshare:util-linux
  zsh:zsh
)

if [ $# -gt 0 ]; then
  echo "Usage: scripts/test-components.sh" >&2
  exit 2
fi

missing_packages() {
  local entry
  for entry in "${COMPONENTS[@]}"; do
    command -v "${entry%%:*}" >/dev/null 2>&1 || echo "${entry##*:}"
  done | sort -u
}

mapfile -t packages < <(missing_packages)
if [ ${#packages[@]} -eq 0 ]; then
  echo "components: all ${#COMPONENTS[@]} programs are here"
  exit 0
fi

if [ "$(uname -s)" != Linux ] || ! command -v apt-get >/dev/null 2>&1; then
  echo "components: missing on this system, which has no apt-get: ${packages[*]}"
  exit 0
fi
if [ "$(id -u)" -ne 0 ]; then
  echo "components: not root, so nothing is installed; for all tests run: sudo apt-get install ${packages[*]}"
  exit 0
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
export DEBIAN_FRONTEND=noninteractive
echo "components: apt-get install ${packages[*]}"
if ! { apt-get update && apt-get install -y --no-install-recommends "${packages[@]}"; } </dev/null >"$log" 2>&1; then
  tail -n 15 "$log"
fi
mapfile -t packages < <(missing_packages)
if [ ${#packages[@]} -gt 0 ]; then
  echo "components: still missing, the tests that need them are skipped: ${packages[*]}"
fi
exit 0
