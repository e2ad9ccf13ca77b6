#!/usr/bin/env bash
# Builds kube-apiserver from Debian's source package, and takes etcd from Debian's binary one: `scripts/build-kube-apiserver.sh`.
# Both go into a cache outside of the project, where `bun run test:k8s` finds them; Go comes from Debian too and is thrown away.
# Takes 3 GB, and from five to twenty minutes on two cores. Exit code 1 where it cannot be done, with the reason.
set -euo pipefail

CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/ringfence-test/k8s
RELEASE=bookworm
VERSION=v1.20.2
GO=1.19

main() {
  if [ -x "$CACHE/kube-apiserver" ] && [ -x "$CACHE/etcd" ]; then
    echo "k8s: $CACHE has both"
    return
  fi
  if ! command -v apt-get >/dev/null 2>&1 || ! command -v make >/dev/null 2>&1; then
    echo "k8s: this system has no apt-get or no make" >&2
    exit 1
  fi
  PART=$(mktemp -d)
  trap 'chmod -R u+w "$PART"; rm -rf "$PART"' EXIT
  cd "$PART"
  fetch
  build
  mkdir -p "$CACHE"
  mv go/src/k8s.io/kubernetes/_output/local/bin/linux/*/kube-apiserver root/usr/bin/etcd "$CACHE/"
  echo "k8s: kube-apiserver $VERSION and etcd are in $CACHE"
}

# Lists and packages of its own, so that nothing is installed and no setting of the machine is touched.
fetch() {
  local options=(-o "Dir::Etc::sourcelist=$PART/src.list" -o Dir::Etc::sourceparts=/dev/null -o "Dir::State::lists=$PART/lists")
  [ "$(id -u)" -ne 0 ] || options+=(-o APT::Sandbox::User=root)
  printf 'deb%s http://deb.debian.org/debian %s main\n' '' $RELEASE -src $RELEASE >src.list
  mkdir -p lists/partial
  apt-get "${options[@]}" -q update
  apt-get "${options[@]}" -q download "golang-$GO-go" "golang-$GO-src" etcd-server
  apt-get "${options[@]}" -q source --download-only kubernetes
  local package
  for package in *.deb; do dpkg -x "$package" root; done
}

# The source stands where a Go of the time before modules looks for it; its makefile makes the generated parts first.
build() {
  local source=go/src/k8s.io/kubernetes patch
  mkdir -p "$source"
  tar xf kubernetes_*.orig.tar.gz -C "$source" --strip-components=1
  tar xf kubernetes_*.debian.tar.* -C "$source"
  cd "$source"
  while read -r patch; do patch -p1 -f -s <"debian/patches/$patch"; done < <(grep -v '^#' debian/patches/series || true)
  PATH="$PART/root/usr/lib/go-$GO/bin:$PATH" GOPATH="$PART/go" GO111MODULE=off GOCACHE="$PART/cache" HOME="$PART" \
    KUBE_GIT_VERSION=$VERSION KUBE_GIT_TREE_STATE=clean KUBE_GIT_COMMIT=0000000 \
    make WHAT=cmd/kube-apiserver FORCE_HOST_GO=y
  cd "$PART"
}

main "$@"
