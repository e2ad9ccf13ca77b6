/**
 * Files that hold secrets, by name: private keys, credential stores, `.env` files, profiles of clouds and browsers, shell
 * histories. No tool reads, searches, copies, hashes, compares or changes them; listings and searches count them and
 * name none. What only looks like one (`.env.example`, `*.pub`) stays readable.
 *
 * Case does not matter, because a file system may fold it. The operator may except exact paths.
 */

/** Directories: everything in them. Names of a path stand apart by slashes outside of every group: `LAST_NAMES` counts on it. */
const DIRECTORIES: readonly string[] = [
  String.raw`\.ssh`,
  String.raw`\.gnupg`,
  String.raw`\.aws`,
  String.raw`\.azure`,
  String.raw`\.kube`,
  String.raw`\.oci`,
  String.raw`\.password-store`,
  String.raw`\.mozilla`,
  String.raw`\.thunderbird`,
  String.raw`\.config\/(?:gcloud|gh|op|doctl|hub|rclone|google-chrome|chromium|microsoft-edge|bravesoftware|vivaldi|opera)`,
  String.raw`\.local\/share\/(?:keyrings|kwalletd)`,
  String.raw`library\/keychains`,
  String.raw`library\/application support\/google\/chrome`,
  String.raw`library\/application support\/(?:chromium|microsoft edge|bravesoftware|firefox)`,
  String.raw`appdata\/local\/google\/chrome`,
  String.raw`appdata\/local\/microsoft\/edge`,
  String.raw`appdata\/roaming\/(?:mozilla|gnupg)`,
  String.raw`user data\/default`,
];

/** Files, wherever they lie. */
const FILES: readonly string[] = [
  String.raw`\.env(?:rc)?`,
  String.raw`\.env\.(?!(?:example|sample|template|dist|defaults?|schema)(?:\.|$))[^/]+`,
  String.raw`(?:id|ssh_host)_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?(?:_key)?(?:\.(?!pub$)[^/]*)?`,
  String.raw`[^/]+\.(?:pem|key|p12|pfx|jks|keystore|kdbx?|ppk|asc\.key|gpg\.key|tfvars|ovpn|agekey)`,
  String.raw`[._]netrc`,
  String.raw`\.(?:pgpass|my\.cnf|mylogin\.cnf|git-credentials|npmrc|pypirc|htpasswd|vault-token|boto|s3cfg|dockercfg|yarnrc\.yml)`,
  String.raw`\.(?:docker|cargo|gem|m2|composer|terraform\.d|databricks)\/(?:config\.json|credentials(?:\.[^/]*)?|settings(?:-security)?\.xml|auth\.json)`,
  String.raw`\.(?:bash|zsh|sh|fish|python|node_repl|psql|mysql|sqlite|rediscli|irb|lua|r)_?history`,
  String.raw`(?:fish|zsh)_history|\.histfile|\.lesshst|consolehost_history\.txt`,
  String.raw`(?:key[34]\.db|logins\.json|cookies\.sqlite|login data|web data|signons\.sqlite)`,
  String.raw`(?:credentials|client_secret[^/]*|service[-_]account[^/]*|application_default_credentials)\.json`,
  String.raw`kubeconfig|\.?secrets?\.(?:ya?ml|json|toml)`,
  String.raw`(?:shadow|gshadow)-?`,
];

const SECRET = new RegExp(
  String.raw`(?:^|\/)(?:(?:${DIRECTORIES.join("|")})(?:\/|$)|(?:${FILES.join("|")})(?:\/|$))`,
  "i",
);

/** The last name of each, which is where a path begins to be secret. */
const LAST_NAMES = new RegExp(
  `^(?:${[...DIRECTORIES, ...FILES].map((one) => one.slice(one.lastIndexOf("\\/") + 1).replace(/^\//, "")).join("|")})$`,
  "i",
);

/**
 * Whether a name in this directory can be secret at all, for listings, which ask for every name of a tree: `false` is sure.
 * @param directory below a root
 */
export function maySecretsBeIn(directory: string): (name: string) => boolean {
  // With the slash: what a directory is called is judged as it is on the way to what lies in it.
  return SECRET.test(`${directory}/`) ? () => true : (name) => LAST_NAMES.test(name);
}

/** `.ssh/id_ed25519.pub` and the like: made to be given away, whatever directory they lie in. */
const PUBLIC = /\/?[^/]+\.pub$/i;

/** The rule of one host. @param except paths below a root, or absolute; what lies below them is excepted too */
export function createSecretRule(except: readonly string[]): (rel: string, absolute: string) => boolean {
  const excepted = except.map((path) => path.replace(/\/+$/, ""));
  const isExcepted = (path: string): boolean =>
    excepted.some((one) => path === one || path.startsWith(`${one}/`));
  return (rel, absolute) => {
    if (!SECRET.test(rel) || PUBLIC.test(rel)) return false;
    return excepted.length === 0 || !(isExcepted(rel) || isExcepted(absolute));
  };
}
