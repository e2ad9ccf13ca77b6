/**
 * Programs that tests use and npm does not bring: what they are called, and the Debian package that brings them.
 * `scripts/test-components.sh` installs these packages; a test that lacks one is skipped, and says so in its title.
 *
 *     const strace = component("strace");
 *     test.skipIf(strace.isMissing)(`the system answers${strace.note}`, ...)
 *
 * Usual mistake: `if (!Bun.which("strace")) return;` inside a test, which then passes without having looked.
 */
export interface Component {
  readonly isMissing: boolean;
  /** Empty, or ` (needs strace: apt-get install strace)`. */
  readonly note: string;
}

/** Program to package. `test/build/test-components.test.ts` holds that the script installs exactly these packages. */
export const PACKAGES = {
  bash: "bash",
  chattr: "e2fsprogs",
  "chromium-headless-shell": "chromium-headless-shell",
  curl: "curl",
  "dbus-run-session": "dbus",
  diff: "diffutils",
  dnsmasq: "dnsmasq-base",
  dunst: "dunst",
  ffmpeg: "ffmpeg",
  fish: "fish",
  flock: "util-linux",
  gcc: "gcc",
  git: "git",
  ip: "iproute2",
  make: "make",
  mkfifo: "coreutils",
  mount: "mount",
  nginx: "nginx-light",
  "notify-send": "libnotify-bin",
  openssl: "openssl",
  patch: "patch",
  pgrep: "procps",
  pocketsphinx_continuous: "pocketsphinx",
  pytest: "python3-pytest",
  python3: "python3",
  script: "bsdutils",
  "searx-run": "searx",
  sed: "sed",
  setfacl: "acl",
  setfattr: "attr",
  setpriv: "util-linux",
  setsid: "util-linux",
  strace: "strace",
  "swift-account-server": "swift-account",
  "swift-container-server": "swift-container",
  "swift-object-server": "swift-object",
  "swift-proxy-server": "swift-proxy",
  tcpdump: "tcpdump",
  tesseract: "tesseract-ocr",
  tinyproxy: "tinyproxy-bin",
  tmux: "tmux",
  unshare: "util-linux",
  Xvfb: "xvfb",
  zsh: "zsh",
} as const;

/** Asked for as well, but not installed by the script: hundreds of megabytes for one test each. */
const LARGE = { cargo: "cargo", go: "golang-go", javac: "default-jdk-headless", npm: "npm" } as const;
const KNOWN: typeof PACKAGES & typeof LARGE = { ...PACKAGES, ...LARGE };

/** All of the programs, or the first that is missing. */
export function component(...programs: readonly (keyof typeof KNOWN)[]): Component {
  const missing = programs.find((program) => Bun.which(program, { PATH: process.env["PATH"] ?? "" }) === null);
  if (missing === undefined) return { isMissing: false, note: "" };
  return { isMissing: true, note: ` (needs ${missing}: apt-get install ${KNOWN[missing]})` };
}
