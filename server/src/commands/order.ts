import type { Command } from 'commander';
import type { CommandIo } from './io.js';
import { addOrderDiscard } from './orderDiscard.js';
import { addOrderExport } from './orderExportCommand.js';
import { addOrderList } from './orderList.js';

/** `orderbeacon order …` */
export function addOrderCommands(program: Command, io: CommandIo): void {
  const order = program.command('order').description('Stored orders.');
  addOrderList(order, io);
  addOrderDiscard(order, io);
  addOrderExport(order, io);
}
