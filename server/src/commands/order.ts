import type { Command } from 'commander';
import { addOrderDiscard } from './orderDiscard.js';
import { addOrderExport } from './orderExportCommand.js';
import { addOrderList } from './orderList.js';

/** `orderbeacon order …` */
export function addOrderCommands(program: Command): void {
  const order = program.command('order').description('Stored orders.');
  addOrderList(order);
  addOrderDiscard(order);
  addOrderExport(order);
}
