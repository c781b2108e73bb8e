import type { Command } from 'commander';
import type { CheckPart } from '../commands/check.js';
import type { Extras } from '../commands/command.js';
import type { PersonPart } from '../commands/personPart.js';
import type { ConsoleParts } from '../console/consoleDeps.js';
import { createConsoleHost } from '../console/consoleHost.js';
import { addOrders } from '../console/orders/addOrders.js';
import { addSetup } from '../console/setup/addSetup.js';
import type { Listener } from '../core/listener.js';
import { createLookAgain } from '../core/orders/merge/lookAgain.js';
import { createPlaceStatements } from '../core/orders/merge/placeStatements.js';
import { askTogether } from '../database/askAllTeams.js';
import type { Sql } from '../database/connection/connect.js';
import type { DescribeEvents } from '../http/operation.js';
import type { Distribution } from './distribution.js';
import type { CommandServices, Feature } from './host.js';
import type { Program } from './program.js';
import type { Server } from './server.js';
import type { WatchRule } from './watch.js';

/** The features of one program, and their additions. */
export interface Installed {
  names: readonly string[];
  checks: readonly CheckPart[];
  people: readonly PersonPart[];
  events: readonly DescribeEvents[];
  watches: Readonly<Record<string, WatchRule>>;
  distribution: Distribution | undefined;
  addCommands(program: Command, given: CommandServices): void;
  /** Creates the listeners of a program, in the order of the list. */
  listenersOf(program: Program): readonly Listener[];
  /** Creates what features add to a command, on the command's database. */
  extrasOf(sql: Sql): Extras;
  /** Adds the parts of features that only a server needs. */
  startIn(server: Server): void;
  /** Lists the additions to the console. */
  consoleParts(): ConsoleParts;
}

/** Installs features in a program. */
export function install(features: readonly Feature[]): Installed {
  const commands: ((program: Command, given: CommandServices) => void)[] = [];
  const checks: CheckPart[] = [];
  const people: PersonPart[] = [];
  const events: DescribeEvents[] = [];
  const watches: Record<string, WatchRule> = {};
  const listens: ((program: Program) => Listener)[] = [];
  const starts: ((server: Server) => void)[] = [];
  const console = createConsoleHost();
  let distribution: Distribution | undefined;

  addOrders(console.host);
  addSetup(console.host);
  for (const feature of features)
    feature.install({
      command: (add) => void commands.push(add),
      doctor: (part) => void checks.push(part),
      person: (part) => void people.push(part),
      event: (describe) => void events.push(describe),
      watch(event, rule) {
        watches[event] = rule;
      },
      listen: (create) => void listens.push(create),
      console: console.host,
      server: (start) => void starts.push(start),
      distribute(other) {
        distribution = other;
      },
    });

  const listenersOf = (program: Program) => listens.map((create) => create(program));
  return {
    names: features.map(({ name }) => name),
    checks,
    people,
    events,
    watches,
    distribution,
    addCommands(program, given) {
      for (const add of commands) add(program, given);
    },
    listenersOf,
    extrasOf(sql) {
      const listeners: Listener[] = [];
      const lookAgain = createLookAgain(sql, createPlaceStatements(sql, listeners), listeners, true);
      const program: Program = { sql, askAllTeams: askTogether, noteFault() {}, every() {}, onStop() {} };
      listeners.push(lookAgain.listener, ...listenersOf(program));
      return { listeners, storeNew: distribution?.reports(sql, listeners) };
    },
    startIn(server) {
      for (const start of starts) start(server);
    },
    consoleParts: console.parts,
  };
}
