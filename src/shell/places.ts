/**
 * What lies at a path, by its text alone (the root directory, a folder of the system, a disk, a start-up file of the user, the
 * host's own state), and what an argument that names it means for the verdict, by what is done to it. Reading outside of the
 * roots is asked about; changing the system, a disk, what runs at start-up, or the host's own state is never allowed.
 *
 * Usual mistake: to compare the text as it was written. `//`, `/usr/..` and `/etc/../` are all the root directory.
 */
import {
  UNKNOWN,
  UNKNOWN_PATH,
  ask,
  deny,
  judge,
  type Arg,
  type Finding,
  type Judgement,
  type PathIntent,
} from "./model.ts";

export interface Surface {
  /** Absolute: what relative paths start from. */
  readonly cwd: string;
  readonly home: string;
  readonly roots: readonly string[];
  /** Names of the host's state folders, and absolute paths that belong to the host. */
  readonly guarded: readonly string[];
}

/** `whole`: the root directory or a folder of the system · `top`: a folder for other things · `other`: nothing special. */
type Place = keyof typeof REFUSED | "device" | "other";

/** Above the first name that is a pattern. */
function directoryOf(absolute: string): string {
  const sign = absolute.search(/[*?[]/);
  return sign < 0 ? absolute : absolute.slice(0, Math.max(0, absolute.lastIndexOf("/", sign)));
}

/** @param path as the program gets it; may end in a pattern */
export function placeOf(path: string, glob: boolean, surface: Surface): Place {
  const absolute = toAbsolute(path, surface.cwd);
  if (isGuarded(absolute, surface)) return "state";
  // A pattern stands for everything beside it: `/*` is the root directory, `/home/*` is every home.
  const shown = glob ? directoryOf(absolute) || "/" : absolute;
  if (shown === "/" || /^(?:[A-Z]:|[A-Za-z]:[\\/]+\*?|\\+)$/.test(path)) return "whole";
  const home = surface.home.replace(/\/+$/, "");
  if (shown === home || HOMES.test(shown)) return "home";
  if (HARMLESS_DEVICES.test(shown)) return "harmless-device";
  const under = (parent: string): string | undefined =>
    shown.startsWith(`${parent}/`) ? shown.slice(parent.length + 1) : undefined;
  const inHome = under(home) ?? /^(?:\/root|\/(?:home|Users)\/[^/]+)\/(.*)/s.exec(shown)?.[1];
  if (inHome !== undefined && STARTUP.test(inHome)) return "startup";
  if (HOOKS.test(shown)) return "hooks";
  for (const [place, pattern] of PATTERNS) if (pattern.test(shown)) return place;
  return "other";
}

const HOMES = /^(?:\/root|\/home(?:\/[^/]+)?|\/Users(?:\/[^/]+)?)$/;
const HARMLESS_DEVICES = /^\/dev\/(?:null|zero|full|u?random|std(?:in|out|err)|tty|fd\/\d+)$/;

/** In a home: read by a shell, a login, a session or a client when it starts. */
const STARTUP =
  /^(?:\.(?:bash(?:rc|_profile|_login|_logout|_aliases|_history)|profile|login|logout|cshrc|tcshrc|kshrc|inputrc|xinitrc|xprofile|xsession(?:rc)?|pam_environment|zsh(?:rc|env|_history)|zprofile|zlogin|zlogout|gitconfig|netrc|npmrc|forward|rhosts|vimrc|ssh(?:\/.*)?|gnupg\/.*)|\.config\/(?:autostart|systemd|fish|environment\.d|git)(?:\/.*)?|\.local\/share\/(?:applications|systemd)(?:\/.*)?|Library\/Launch(?:Agents|Daemons)(?:\/.*)?)$/;

const HOOKS = /\/\.git\/(?:hooks(?:\/|$)|config$)/;

const PATTERNS: readonly (readonly [Place, RegExp])[] = [
  ["disk", /^\/dev\/(?:[shv]d[a-z]|xvd|nvme|mmcblk|r?disk|dm-|mapper(?:\/|$)|md\d|loop|sr\d|mem|kmem|port|block|sg\d)/],
  ["device", /^\/dev(?:\/|$)/],
  ["kernel", /^\/(?:proc|sys)(?:\/|$)/],
  ["log", /^(?:\/private)?\/var\/log(?:\/|$)/],
  ["other", /^\/usr\/local\/./],
  ["whole", /^\/(?:etc|usr|bin|sbin|lib\d*|boot|System|Library|private\/etc|var\/lib)$/],
  ["top", /^\/(?:usr\/local|var|opt|srv|mnt|media|run|snap|nix|Applications|Volumes|private|private\/var|mnt\/[a-z])$/],
  ["system", /^(?:\/private)?\/(?:etc|usr|bin|sbin|lib\d*|boot|var\/(?:lib|spool)|run\/systemd|System|Library)\//],
  ["system", /^[A-Za-z]:[\\/](?:Windows|Program Files)/i],
];

function isGuarded(absolute: string, { guarded }: Surface): boolean {
  const names = absolute.split("/");
  return guarded.some((entry) =>
    entry.startsWith("/") ? absolute === entry || absolute.startsWith(`${entry}/`) : names.includes(entry),
  );
}

/** Without `.`, `..` and double slashes. A part that is not known stays as it is. */
export function toAbsolute(path: string, cwd: string): string {
  const names: string[] = [];
  const from = path.startsWith("/") || isOnDrive(path, cwd) ? path : `${cwd}/${path}`;
  for (const name of from.split("/")) {
    if (name === "..") names.pop();
    else if (name !== "" && name !== ".") names.push(name);
  }
  return `/${names.join("/")}`.replace(/^\/(?=[A-Za-z]:)/, "");
}

/**
 * `C:\x` is on a drive whatever the platform, because a program may take it so. `C:x` is where the working directory of that
 * drive is, and elsewhere than on Windows, where no directory lies on a drive, a name like any other: `a:b`.
 */
function isOnDrive(path: string, cwd: string): boolean {
  return /^[A-Za-z]:(?:[\\/]|$)/.test(path) || (/^[A-Za-z]:/.test(path) && /^[A-Za-z]:/.test(cwd));
}

/**
 * Whether the path never leaves the roots, by its text: it may not even pass through the outside. A tilde that bash expands is
 * expanded before (`syntax/cells.ts`); one that is left was quoted, and is a character like any other.
 */
export function isInsideRoots(path: string, surface: Surface): boolean {
  if (path === "" || path.includes(UNKNOWN) || path.startsWith("\\") || isOnDrive(path, surface.cwd)) return false;
  const holds = (at: string): boolean =>
    surface.roots.some((root) => at === root || at.startsWith(root === "/" ? "/" : `${root}/`));
  const base = path.startsWith("/") ? "" : surface.cwd;
  const names = path.split("/");
  const passes = names.every(
    (name, index) => name !== ".." || holds(toAbsolute(`${base}/${names.slice(0, index + 1).join("/")}`, "/")),
  );
  return passes && holds(toAbsolute(path, surface.cwd));
}

/** Files that are secret wherever they lie. Reading them is for a person to decide. */
export function isSecret(path: string): boolean {
  return SECRET.test(path);
}

const SECRET =
  /(?:^|\/)(?:\.env(?:\.(?!example$|sample$|template$|dist$)[^/]*)?|\.netrc|_netrc|\.npmrc|\.pypirc|\.pgpass|\.my\.cnf|\.git-credentials|\.htpasswd|\.(?:bash|zsh|sh|python|node_repl|mysql|psql)_history|id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?|[^/]*\.(?:pem|key|p12|pfx|jks|keystore|kdbx|ppk|asc|gpg|ovpn)|credentials(?:\.json)?|secrets?(?:\.[a-z]+)?|shadow|gshadow|master\.passwd|\.vault-token|\.terraformrc|kubeconfig)$|(?:^|\/)(?:\.ssh|\.gnupg|\.aws|\.azure|\.kube|\.docker|\.password-store|gcloud|\.git\/(?:config|credentials))(?:\/|$)|\/proc\/[^/]*\/(?:environ|mem|maps|root|cwd|fd)/i;

/**
 * `alter`: change what is there in place, with everything below (`chmod -R`); `empty`: write in the place of what is there, which
 * is a danger of its own for a log.
 */
export type Action = "metadata" | "read" | "write" | "empty" | "remove" | "alter" | "any";

export function judgePath(arg: Arg, action: Action, recursive: boolean, surfaces: readonly Surface[]): Judgement {
  const findings = surfaces.flatMap((surface) => judgeAt(arg, action, surface) ?? []);
  const inside = surfaces.every((surface) => isInsideRoots(arg.text, surface));
  const path = arg.text.replaceAll(UNKNOWN, "?");
  const intent: PathIntent = action === "alter" || action === "empty" ? "write" : action;
  return judge(...findings, { paths: [{ path, intent, recursive, inside, glob: arg.glob }] });
}

function judgeAt(arg: Arg, given: Action, surface: Surface): Finding | undefined {
  const found = placeOf(arg.text, arg.glob, surface);
  // A root that somebody opened inside a system folder is a root.
  const place = YIELDING.has(found) && isInsideRoots(arg.text, surface) ? "other" : found;
  const action = given === "empty" ? (place === "log" ? "alter" : "write") : given;
  const [writes, takes] = place === "device" || place === "other" ? [] : REFUSED[place];
  const reason = action === "write" ? writes : action === "remove" || action === "alter" ? takes : undefined;
  if (reason !== undefined && !arg.text.startsWith(UNKNOWN)) return deny(`it would ${reason}`);
  if (arg.text.includes(UNKNOWN)) return UNKNOWN_PATH;
  if (place === "harmless-device" && action === "write") return undefined;
  if (place === "state") return ask("it reaches into the state of this host", "R4");
  if (isSecret(arg.text)) return ask("it reaches a file that usually holds secrets", "R4");
  return isInsideRoots(arg.text, surface) ? undefined : ask("it reaches outside the roots", "R4");
}

const YIELDING: ReadonlySet<Place> = new Set(["system", "log"]);

/** For each place what is refused: to write there, and to take it away or to change it with all below. */
const REFUSED = {
  whole: ["change a whole system folder", "take or change a whole system folder"],
  system: ["change the system", "change the system"],
  disk: ["overwrite a disk", "overwrite a disk"],
  kernel: ["change the running system", "change the running system"],
  startup: ["change what runs when the user logs in", "change what runs when the user logs in"],
  hooks: ["change what runs at the next git command", "change what runs at the next git command"],
  state: ["change the state of this host", "change the state of this host"],
  top: [undefined, "take or change a whole top folder"],
  "harmless-device": [undefined, "take a device away"],
  home: [undefined, "take or change a whole home folder"],
  log: [undefined, "hide traces"],
} as const;
