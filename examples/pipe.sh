#!/bin/sh
# JSON-RPC with nothing but printf: read a file, propose an edit, apply it by the id of the request that proposed it,
# read the file again. Every request is answered before the process ends; calls begin in the order of the lines, and
# the edit waits for the read, the apply for the edit, the last read for the apply.
#
#     examples/pipe.sh [DIRECTORY]        a copy of examples/workspace when none is given
#
# RINGFENCE names the binary; the default is dist/ringfence of this repository. The directory needs a report.txt.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
ringfence=${RINGFENCE:-$here/../dist/ringfence}
if [ ! -x "$ringfence" ]; then
  echo "pipe.sh: there is no $ringfence; build it first: npm run build" >&2
  exit 1
fi

temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT
if [ $# -gt 0 ]; then
  root=$1
else
  cp -R "$here/workspace" "$temporary/workspace"
  root=$temporary/workspace
fi

call() { # ID TOOL ARGUMENTS
  printf '{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"%s","arguments":%s}}\n' "$1" "$2" "$3"
}

{
  call 1 read_file '{"path":"report.txt"}'
  call 2 edit_file '{"path":"report.txt","old_text":"Status: draft","new_text":"Status: final"}'
  printf '{"jsonrpc":"2.0","id":3,"method":"ringfence/proposals/apply","params":{"request":2}}\n'
  call 4 read_file '{"path":"report.txt"}'
} | "$ringfence" serve --root "$root" --state-dir "$temporary/state"
