import { formatNumber } from './formatNumber.js';
import type { Viewer } from './viewer.js';

/** A number with what is counted: `1 order`, `2 orders`, `2 currencies` by `counted(2, 'currency', viewer, 'currencies')`. */
export function counted(number: number, one: string, viewer: Viewer, many = `${one}s`): string {
  return `${formatNumber(number, viewer)} ${number === 1 ? one : many}`;
}
