/**
 * What the jobs of the change worker work with: its stores, its books, and the scopes in which changes are looked at.
 */
import { Failure } from "../../base/index.ts";
import { hideKeys, type Decision, type Redactor } from "../../policy/index.ts";
import { Scope } from "../../scope/index.ts";
import { AnswerStore, HistoryStore, openStateFolder, ProposalStore, ReviewBoard } from "../../state/index.ts";
import type { Ending, StateFolder } from "../../state/index.ts";
import { terminalCommand } from "../../text/index.ts";
import {
  recoverTransactions,
  type HideKeys,
  type PreparedChanges,
  type Recovered,
  type Stores,
  type TransactionRecord,
} from "../../txn/index.ts";
import { readProposal, type Proposal } from "../proposal/proposal.ts";
import { redactorOf } from "../redact-failures.ts";
import { createRuledScopes, createRulesOf, openScope, type Ruling } from "../ruled-scopes.ts";
import type { ScopeConfig, WorkerConfig } from "../worker-config.ts";
import { decidePrepared, type Told } from "./decide-prepared.ts";

/** What every job of this worker works with. */
export interface ChangeBench {
  readonly config: WorkerConfig;
  readonly store: ProposalStore<Proposal>;
  /** Reviewers, and the calls that wait for them. */
  readonly board: ReviewBoard;
  readonly folder: StateFolder;
  readonly books: Stores;
  readonly redactor: Redactor | undefined;
  /** As `PrepareContext` has it. */
  readonly hideKeys: HideKeys | undefined;
  /** Finishes or takes back what dead hosts have begun: at the start, before every change, and where one died meanwhile. */
  recover(): Recovered[];
  /** The scope in which a tool's changes are prepared. */
  ruledScope(ruling: Ruling): Scope;
  /** What the changes of a tool come to, on the paths that they really touch. */
  decide(ruling: Ruling, prepared: PreparedChanges, scope: Scope, told: Told): Decision;
  /** The scope that a proposal or transaction was made in; the host's own when it has roots. */
  scopeOf(made?: MadeIn): Scope;
}

/** In which roots something was made, and how a person goes on with it at a terminal. */
export interface MadeIn {
  readonly scope: ScopeConfig;
  /** As in `Cannot <verb>`. */
  readonly verb: string;
  readonly command: readonly string[];
}

export function openBench(config: WorkerConfig): ChangeBench {
  const folder = openStateFolder(config.stateDir);
  const history = new HistoryStore<TransactionRecord>(folder.undo, folder.journal, config.undo);
  let own: Scope | undefined;
  const redactor = redactorOf(config.policy);
  const rulesOf = createRulesOf(config.policy);
  const others = new Map<string, Scope>();
  const books: Stores = {
    history,
    answers: new AnswerStore(folder.answers),
    journal: folder.journal,
    durability: config.durability,
  };
  return {
    config,
    folder,
    redactor,
    hideKeys: redactor && ((_, before, after) => [hideKeys(before, redactor), hideKeys(after, redactor)]),
    ruledScope: createRuledScopes(config),
    decide: (ruling, prepared, scope, told) => decidePrepared(ruling, rulesOf(ruling), prepared, scope, told),
    store: new ProposalStore(folder.proposals, (id) => appliedAs(id, history), readProposal),
    board: new ReviewBoard(folder.review),
    books,
    recover: () => recoverTransactions(books, (spec) => new Scope(spec as unknown as ScopeConfig)),
    scopeOf(made) {
      if (config.scope.roots.length === 0 && made) {
        const key = JSON.stringify(made.scope);
        const scope = others.get(key) ?? openMade(made);
        others.set(key, scope);
        return scope;
      }
      own ??= openScope(config.scope, config.rootFds);
      if (made && !sameRoots(made.scope, config.scope))
        throw new Failure("conflict", `Cannot ${made.verb}: it was made by a host with other roots`, {
          hint: `Do it there, or at a terminal: \`${terminalCommand(made.command, config.stateDir)}\`.`,
        });
      return own;
    },
  };
}

/** The roots are those in which it was made, and nobody can name others. */
function openMade({ scope }: MadeIn): Scope {
  try {
    return openScope(scope);
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    const hint = "It was made in that directory: put it back in its place, and try again.";
    throw new Failure(thrown.code, thrown.message, { ...thrown.data, hint });
  }
}

/** The owner of a proposal may have died after the commit and before it said so. */
function appliedAs(id: string, history: HistoryStore<TransactionRecord>): Ending | undefined {
  const record = history.list().find(({ proposal, conflict }) => proposal === id && !conflict);
  return record && { id, outcome: "applied", transaction: record.transaction, at: record.at };
}

function sameRoots(a: ScopeConfig, b: ScopeConfig): boolean {
  return JSON.stringify(a.roots) === JSON.stringify(b.roots);
}
