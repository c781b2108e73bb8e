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

/** An extra: a folder in `features/`, and its line in `app/features.ts`. */
export interface Feature {
  name: string;
  /** Adds everything that the feature has to a program. Reads nothing and starts nothing itself. */
  install(host: Host): void;
}

/** A program that features are installed in: a server, or the command. It runs only the additions that it needs. */
export interface Host {
  /** Adds subcommands. Called in the order of the list, so that a feature can extend a command of an earlier one. */
  command(add: (program: Command, given: CommandServices) => void): void;
  /** Adds checks to `doctor`. */
  doctor(part: CheckPart): void;
  /** Adds the feature's data about people, which `person` exports and erases. */
  person(part: PersonPart): void;
  /** Describes events that the feature sends. */
  event(describe: DescribeEvents): void;
  /** Adds the rule of an event that no request causes. */
  watch(event: string, rule: WatchRule): void;
  /**
   * Adds a listener. In a server, `create` is called once. In a command, it is called for each database that the command changes, with
   * services for that database.
   */
  listen(create: (program: Program) => Listener): void;
  /** Adds pages to the console, and the feature's sections of other pages. */
  console: ConsoleHost;
  /** Adds parts that only a server needs. Called before the server listens. */
  server(start: (server: Server) => void): void;
  /** Replaces functions of the core, such as the statement that stores orders. Only one feature may do so. */
  distribute(distribution: Distribution): void;
}

/** Services of the features' commands. */
export interface CommandServices {
  io: CommandIo;
  extrasOf: ExtrasOf;
  /** The checks that features add to `doctor`. */
  checks: readonly CheckPart[];
  /** Undefined if no feature supports several nodes. */
  distribution: Distribution | undefined;
}
