/**
 * What is known of a client, as data: where its configuration lies, what in it makes ringfence its server, what turns its own
 * file tools off, how it checks itself and what a person still has to click. `init` and `doctor --clients` are made from it, so
 * that they cannot say different things.
 *
 * Usual mistake: to put behaviour into a row. A row says what should stand in which file, and nothing of how it gets there.
 */

/** `project`: the files of one folder; `user`: all folders of one user; `managed`: all users, in files of the administrator. */
export type ClientScope = "project" | "user" | "managed";

export type ClientName = "claude-code" | "codex" | "gemini-cli" | "opencode" | "cursor" | "vs-code";

/** How ringfence is started by the client. */
export interface Setup {
  /** The program and what stands before `serve`. */
  readonly program: readonly string[];
  /** As they stand behind `--root`. */
  readonly roots: readonly string[];
  /** Further flags of `serve`. */
  readonly flags: readonly string[];
  /** The client's own tools stay on, and each call of them is answered by `ringfence guard`. */
  readonly guards: boolean;
  /** The client is told that the person trusts the project, where it would ask. */
  readonly trustsProject: boolean;
  /** Chosen by the person; each client has its own default. */
  readonly dialect?: string | undefined;
}

/** Where the files of clients lie for this user and project. */
export interface ClientPlaces {
  readonly home: string;
  readonly project: string;
  /** What stands before the absolute paths of an administrator's files; empty for this machine. */
  readonly prefix: string;
  readonly platform: string;
  /** Variables that move a client's files: `APPDATA`, `CLAUDE_CONFIG_DIR`, `CODEX_HOME`, `XDG_CONFIG_HOME`. */
  readonly variables: Readonly<Record<string, string | undefined>>;
}

export type Json = string | number | boolean | readonly Json[] | { readonly [key: string]: Json };

/**
 * `set`: the value stands there, whatever stood there before · `object`: its members stand there, and others stay · `include`:
 * a list has these members, and others stay · `guard`: a list of hooks has this one, in the place of an earlier guard of ours, and
 * others stay.
 */
export type ValueEdit = { readonly path: readonly string[] } & (
  | { readonly op: "set"; readonly value: Json }
  | { readonly op: "object"; readonly value: Readonly<Record<string, Json>> }
  | { readonly op: "include"; readonly value: readonly Json[] }
  | { readonly op: "guard"; readonly value: Json }
);

/** `entry`: ringfence is a server · `tools`: the client's own are off · `guard`: they are answered by us · `trust`: nobody has to click. */
export type EditPurpose = "entry" | "tools" | "guard" | "trust";

export interface WantedEdit {
  readonly purpose: EditPurpose;
  readonly edit: ValueEdit;
}

/** A file of which some values are ours, or all of it. */
export type ClientFile = {
  readonly path: string;
  /** Other names that the client reads in its place: one that is there is taken. */
  readonly otherNames?: readonly string[];
} & (
  | { readonly form: "json" | "toml"; readonly edits: readonly WantedEdit[] }
  | { readonly form: "whole"; readonly purpose: EditPurpose; readonly text: string }
);

export interface ClientRow {
  readonly name: ClientName;
  readonly title: string;
  /** As it is found in PATH. */
  readonly program?: string;
  /** Folders below the home that are there when the client was used. */
  readonly marks: readonly string[];
  readonly scopes: readonly ClientScope[];
  /** The files, in the order in which they are shown. */
  readonly files: (setup: Setup, places: ClientPlaces, scope: ClientScope) => readonly ClientFile[];
  /** What becomes of its own file tools and shell, in a word or two. */
  readonly ownTools: string;
  /** Whether it shows its person the forms in which a change is asked about. */
  readonly showsForms: boolean;
  /** Whether its own file tools and shell can be turned off by its files. */
  readonly canTurnOff: boolean;
  /** Where they cannot: what of them stays. */
  readonly stays?: string;
  /** The arguments by which the client says whether it reaches the server. */
  readonly check?: readonly string[];
  /** What stands in the line about ringfence when that is so. */
  readonly connected?: RegExp;
  /** What a person still has to do. */
  readonly clicks: Readonly<Partial<Record<ClientScope, readonly string[]>>>;
  /** What a person has to do where a guard was set up. */
  readonly guardClick?: string;
  /** What a person has to do where the client does not know yet that the project is trusted. */
  readonly trustClick?: string;
  /** What is said of a folder that is not trusted yet, in place of the value with this key. */
  readonly trustTodo?: { readonly key: string; readonly said: string };
}
