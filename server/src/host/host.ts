import type { Command } from 'commander';
import type { CheckPart } from '../commands/check.js';
import type { ExtrasOf } from '../commands/command.js';
import type { CommandIo } from '../commands/io.js';
import type { PersonPart } from '../commands/personPart.js';
import type { ConsoleHost } from '../console/consoleHost.js';
import type { Listener } from '../core/listener.js';
import type { DescribeEvents } from '../http/operation.js';
import type { Distribution } from './distribution.js';
import type { Program } from './program.js';
import type { Server } from './server.js';
import type { WatchRule } from './watch.js';

/** An extra: a folder below `features/`, and its line in `app/features.ts`. */
export interface Feature {
  name: string;
  /** Adds all that the feature has to a program. Reads nothing and starts nothing by itself. */
  install(host: Host): void;
}

/** A program that features are installed in: a server, or the command. What a program has no use for it does not run. */
export interface Host {
  /** Adds subcommands. Called in the order of the list, so that a feature can add to a command of one before it. */
  command(add: (program: Command, given: CommandServices) => void): void;
  /** Adds checks to `doctor`. */
  doctor(part: CheckPart): void;
  /** Adds what the feature keeps of people, which `person` exports and erases. */
  person(part: PersonPart): void;
  /** Describes events that the feature brings. */
  event(describe: DescribeEvents): void;
  /** Adds the rule of an event that no request brings about. */
  watch(event: string, rule: WatchRule): void;
  /** Listens to the core. Called once for a server, and for each database that a command changes. */
  listen(create: (program: Program) => Listener): void;
  /** Adds pages to the console, and what other pages show of the feature. */
  console: ConsoleHost;
  /** Adds what only a server does. Called before the server listens. */
  server(start: (server: Server) => void): void;
  /**
   * Stores orders in another form. Only one feature may: the statement that stores orders has one form, and a slot for it is
   * smaller than a copy of all that calls it.
   */
  distribute(distribution: Distribution): void;
}

/** Services of the features' commands. */
export interface CommandServices {
  io: CommandIo;
  extrasOf: ExtrasOf;
  /** The checks that features add to `doctor`. */
  checks: readonly CheckPart[];
  /** Undefined if no feature knows of several nodes. */
  distribution: Distribution | undefined;
}
