import type { Command } from 'commander';
import type { Hono } from 'hono';
import type { Registry } from 'prom-client';
import type { CheckPart } from '../commands/check.js';
import type { ExtrasOf } from '../commands/command.js';
import type { CommandIo } from '../commands/io.js';
import type { PersonPart } from '../commands/personPart.js';
import type { TeamParts } from '../commands/team.js';
import type { ConsolePart } from '../console/part.js';
import type { Way } from '../console/parts/sitePage.js';
import type { Listener, Listeners } from '../core/listener.js';
import type { PlaceStatements } from '../core/orders/merge/placing.js';
import type { KeepRefusal, RefusedRequest } from '../core/orders/refusals.js';
import type { StoreReport, StoreReports } from '../core/orders/storeReport.js';
import type { RemoveRefund, StoreRefund } from '../core/refunds/storeRefund.js';
import type { SdkFiles } from '../core/script/sdkFiles.js';
import type { SenderCache } from '../core/teams/senders.js';
import type { AskAllTeams } from '../database/askAllTeams.js';
import type { Clock } from '../database/clock.js';
import type { Sql } from '../database/connection/connect.js';
import type { MigrationOptions } from '../database/migrate.js';
import type { Pools } from '../database/pools.js';
import type { GroupCommitLoad, QueueBounds } from '../database/queue.js';
import type { TryStoring } from '../database/tryStoring.js';
import type { InTurn } from '../database/turns.js';
import type { AppEnv } from '../http/hono.js';
import type { DescribeEvents } from '../http/operation.js';
import type { LimitRate } from '../http/rateLimit.js';
import type { Endpoint } from '../http/wayIn.js';
import type { Uuid } from '../values/ids.js';

/** What a feature is made with, before the core is there. */
export interface FeatureDeps {
  /** For what no answer waits for: a server's pool for its background work, or a command's own. */
  sql: Sql;
  /** Gets each fault of what is done behind an answer. */
  noteFault: (work: string, error: unknown) => void;
  /** For background work, which finds what is due in the rows of all teams. */
  askAllTeams: AskAllTeams;
  /** The rules of all features. */
  watches: WatchRules;
  /** Keeps a refused report of a team that exists, where a feature does so. */
  keepRefused: KeepRefused;
}

/** The parts of a server that features stand on. */
export interface Core {
  pools: Pools;
  /** Limits of each queue. */
  queue: QueueBounds;
  /** The installation's secret, which people's ids are made with. */
  secret: string;
  clock: Clock;
  /** Metrics of a feature's own register themselves here. */
  registry: Registry;
  senderCache: SenderCache;
  limitRate: LimitRate;
  storeReport: StoreReport;
  inTurn: InTurn;
  storeRefund: StoreRefund;
  removeRefund: RemoveRefund;
  place: PlaceStatements;
  /** Rows and statements of new and known orders that wait or run. */
  load: () => GroupCommitLoad;
  /** The URL that browsers see. */
  publicUrl: () => string;
  /** Who may see pages that are for trying. `thisMachine`: callers over loopback without a proxy. */
  trialAccess: 'everyone' | 'thisMachine' | 'nobody';
  /** True for a server that only its own machine reaches. */
  isOwnMachine: boolean;
  findExampleTeam: FindExampleTeam;
  /** What this server can be asked, and what it sends. Known once all features have started. */
  served: () => {
    endpoints: readonly Endpoint[];
    events: readonly DescribeEvents[];
    features: readonly string[];
    ways: readonly Way[];
  };
}

/** A job that a server does without being asked. */
export interface Work {
  /** Its name in the log and the metrics. */
  name: string;
  /** Starts it. Returns a function that stops it. */
  start(noteFault: (error: unknown) => void): () => Promise<void>;
}

/** What a feature adds to a server. */
export interface Started {
  endpoints?: readonly Endpoint[];
  /** Keeps a refused report, before the refusal is answered; may turn it into another one. */
  keepRefusal?: KeepRefusal;
  work?: readonly Work[];
  /** Pages beside the console, by their first folder. */
  pages?: readonly { path: string; routes: Hono<AppEnv> }[];
  /** Those that the header of every page leads to. */
  ways?: readonly Way[];
  console?: ConsolePart;
  /** Waits for what is done behind answers. Called after the last request and the last work. */
  stop?(): Promise<void>;
}

/** A team that is checked in this minute, by one server. */
export interface WatchedTeam {
  teamId: Uuid;
  now: Date;
  /** Time of the first check since the last time without checks, which is no silence: no server ran. Null for no such time. */
  watchedSince: Date | null;
  /** Time of the last order before the silence that was told; null while orders come. */
  stoppedSince: Date | null;
  /** Writes that a silence since a team's last order was told, or with null that none is. */
  keepStopped: (since: Date | null) => Promise<void>;
}

/**
 * Finds the occurrences of an event that no request brings about, and records in the same transaction that they were told. No
 * other transaction does this for the team meanwhile.
 */
export type WatchRule = (tx: Sql, team: WatchedTeam) => Promise<object[]>;

/** The rules of events that no request brings about, by the event's name. */
export type WatchRules = Record<string, WatchRule>;

/** Keeps a refused report. Resolves when it is committed, or when it is not to be kept; rejects when it could not be. */
export type KeepRefused = (teamId: Uuid, refusal: RefusedRequest) => Promise<void>;

/** Other forms of what the core does, for tables that lie on several nodes. */
export interface Distribution {
  /** The statement that stores new orders, in the form that the tables need. */
  reports(sql: Sql, listeners: Listeners): StoreReports;
  tryStoring(sql: Sql): TryStoring;
  /** Called after migrations, also where none was applied. */
  migrated(sql: Sql, options: MigrationOptions): Promise<unknown>;
  /** Distributes the tables by team, for `migrate --distribute`. Resolves with those that were not yet. */
  distribute(sql: Sql, notify: (line: string) => void): Promise<readonly string[]>;
  /** What `--help` says of it. */
  distributeHelp: string;
  /** True where they do. */
  isDistributed(sql: Sql): Promise<boolean>;
}

/** What the commands of features are given. */
export interface CommandFrame {
  io: CommandIo;
  extrasOf: ExtrasOf;
  /** What features add to `doctor`. */
  checks: readonly CheckPart[];
  /** Undefined where no feature knows of several nodes. */
  distribution: Distribution | undefined;
}

/** A refused report, as far as it says why an order is not there. */
export interface RefusedSummary {
  id: string;
  /** When it was sent last. */
  lastAt: string;
  orderId: string | null;
  host: string | null;
  reason: string;
  issues: readonly { path: string; message: string }[];
}

/** Lists the newest refused reports of a team. */
export type ListRefused = (
  sql: Sql,
  teamId: Uuid,
  options: { limit: number },
) => Promise<readonly RefusedSummary[]>;

/** Finds a team that examples may use; undefined for none. */
export type FindExampleTeam = (sql: Sql) => Promise<{ id: Uuid } | undefined>;

/** What a server that listens is like. */
export interface Announced {
  publicUrl: string;
  sdk: SdkFiles;
  /** False where nobody can open pages that are for trying. */
  isPageServed: boolean;
  /** False where the output is kept and others can read it, as in a file, a journal or Docker's log. */
  isTerminal: boolean;
}

/** A feature of one program. */
export interface Made {
  listener?: Listener;
  keepRefused?: KeepRefused;
  askAllTeams?: AskAllTeams;
  /** Called after each request that may have changed something. */
  wake?(): void;
  start?(core: Core): Started;
}

/** An extra: a folder below `features/`, and its line in `app/features.ts`. All but the name is optional. */
export interface Feature {
  name: string;
  watches?: WatchRules;
  distribution?: Distribution;
  /** Adds its subcommands. */
  commands?(program: Command, frame: CommandFrame): void;
  /** What it keeps of people. */
  person?: PersonPart;
  /** What it adds to `doctor`. */
  checks?: CheckPart;
  /** What it adds to the console, where it needs no other part of the server. */
  console?: ConsolePart;
  /** Describes the events that it brings. */
  events?: DescribeEvents;
  findExampleTeam?: FindExampleTeam;
  listRefused?: ListRefused;
  /** Tells the operator what there is to try, once the server listens. */
  announce?(sql: Sql, facts: Announced, notify: (line: string) => void): Promise<void>;
  /** What it does when a team changes, beside what listeners are told of. */
  team?: TeamParts;
  /** Makes what one program has of it: a server, or a command on its database. */
  make?(deps: FeatureDeps): Made;
}
