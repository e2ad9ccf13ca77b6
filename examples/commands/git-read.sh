#!/bin/sh
# git for reading: whatever the configuration of a repository names as a program is switched off. What can be switched off
# by one name comes from the environment below; filters have names of their own and are listed first. Submodules are left
# alone, because git starts itself in them without these settings.
set -eu
GIT_CONFIG_GLOBAL=/dev/null
GIT_CONFIG_NOSYSTEM=1
GIT_OPTIONAL_LOCKS=0
GIT_TERMINAL_PROMPT=0
GIT_PAGER=cat
export GIT_CONFIG_GLOBAL GIT_CONFIG_NOSYSTEM GIT_OPTIONAL_LOCKS GIT_TERMINAL_PROMPT GIT_PAGER
unset GIT_EXTERNAL_DIFF GIT_DIR GIT_WORK_TREE GIT_SSH GIT_SSH_COMMAND GIT_ASKPASS GIT_PROXY_COMMAND || true

count=0
set_config() {
  export "GIT_CONFIG_KEY_$count=$1" "GIT_CONFIG_VALUE_$count=$2"
  count=$((count + 1))
  GIT_CONFIG_COUNT=$count
  export GIT_CONFIG_COUNT
}
set_config core.hooksPath /dev/null
set_config core.fsmonitor false
set_config core.pager cat
set_config core.editor true
set_config core.sshCommand false
set_config core.alternateRefsCommand true
set_config credential.helper ""
set_config diff.external ""
set_config log.showSignature false
set_config gpg.program false
set_config protocol.allow never
set_config submodule.recurse false
set_config diff.ignoreSubmodules all
set_config safe.directory "*"

# A name cannot hold the end of a line.
filters=$(git config --name-only --get-regexp '^filter\..*\.(clean|smudge|process|required)$' || true)
while IFS= read -r key; do
  case $key in
    *.required) set_config "$key" false ;;
    filter.*) set_config "$key" "" ;;
  esac
done <<END
$filters
END

verb=$1
shift
case $verb in
  status) exec git --no-pager status --porcelain=v1 --branch --ignore-submodules=all "$@" ;;
  diff) exec git --no-pager diff --no-ext-diff --no-textconv --ignore-submodules=all --no-color "$@" ;;
  log) exec git --no-pager log --no-ext-diff --no-textconv --no-show-signature --no-color "$@" ;;
  show) exec git --no-pager show --no-ext-diff --no-textconv --no-show-signature --no-color "$@" ;;
  *) exit 2 ;;
esac
