import type { InTurn } from '../../../database/turns.js';
import { type OpenCsv, openCsv } from '../../../values/csvFile.js';
import { FileError } from '../../../values/errors.js';
import { newUuid, type Uuid } from '../../../values/ids.js';
import { createSemaphore } from '../../../values/semaphore.js';
import { type ComparedMode, compareOrders } from '../compare/compareOrders.js';
import type { FileOrder, ReadOptions } from '../read/fileOrder.js';
import { openOrderFile } from '../read/openOrderFile.js';
import { addPress, type Press } from '../store/comparePress.js';
import { createStoreMissing, lackOf, type StoreMissingDeps } from '../store/storeMissing.js';
import {
  type ComparedUpload,
  type ShownComparison,
  type StoredMissing,
  shownAtMost,
} from './shownComparison.js';
import { packUpload, unpackUpload } from './uploads.js';

/** Compares uploaded files, and stores their missing orders. */
export interface CompareUpload {
  /**
   * Resolves with the compressed file once it has arrived. @throws ApiError `unavailable` while another file of the
   * team arrives
   */
  receive(teamId: Uuid, file: () => Promise<AsyncIterable<Uint8Array>>): Promise<string>;
  /** Reads a form that carries a file. @throws ApiError `unavailable` while another file of the team arrives */
  receiveForm(teamId: Uuid, read: () => Promise<void>): Promise<void>;
  /** Compares a file. @throws ApiError `unavailable` if too many comparisons wait */
  compare(teamId: Uuid, packed: string, options: Options): Promise<ComparedUpload>;
  /**
   * Compares a file, and stores its missing orders for some seconds at most.
   * @param areNew set if the user has confirmed that the orders are not stored yet
   * @throws FileError; ApiError `unavailable`
   */
  store(teamId: Uuid, packed: string, options: Options, areNew: boolean): Promise<StoredMissing>;
}

type Options = Omit<ReadOptions, 'nowMs'>;

/** Missing orders that one press stores and keeps in memory at most. */
const storedAtMost = 5_000;
const batchOrders = 64;
const storeForMs = 5_000;

/** Limits of arriving files, and of running comparisons: of all teams, and of one team. */
const arrivalBounds = { concurrent: 16, concurrentPerKey: 1, waiting: 0 };
const comparisonBounds = {
  concurrent: 2,
  concurrentPerKey: 1,
  waiting: 8,
  waitingPerKey: 1,
  waitAtMostMs: 15_000,
};

/**
 * Creates the comparison of a server. A comparison takes its turn after the file has arrived, so that a slow upload
 * delays nobody.
 */
export function createCompareUpload(
  inTurn: InTurn,
  { secret, storeReport, place, nowMs }: Omit<StoreMissingDeps, 'inTurn' | 'onNew' | 'press'>,
): CompareUpload {
  const arrivals = createSemaphore({
    ...arrivalBounds,
    message: 'Another file is arriving; try again in a minute.',
  });
  const turns = createSemaphore({
    ...comparisonBounds,
    message: 'Another comparison is running; try again in a minute.',
  });

  return {
    receive: (teamId, file) => arrivals.run(async () => packUpload(await file()), teamId),
    receiveForm: (teamId, read) => arrivals.run(read, teamId),
    compare: (teamId, packed, options) => turns.run(() => compareNow(teamId, packed, options), teamId),
    store: (teamId, packed, options, areNew) =>
      turns.run(() => storeNow(teamId, packed, options, areNew), teamId),
  };

  /** Begins to compare the rows after the head line. */
  async function begin(teamId: Uuid, { head, rows }: OpenCsv, options: Options) {
    const { columns, ...file } = await openOrderFile({ head, rows }, { ...options, nowMs: nowMs() });
    const mode = { teamId, isTest: options.isTest };
    return { columns, mode, ...compareOrders(inTurn, mode, { columns, ...file }) };
  }

  async function compareNow(teamId: Uuid, packed: string, options: Options): Promise<ComparedUpload> {
    let head: readonly string[] = [];
    try {
      const csv = await openCsv(unpackUpload(packed));
      head = csv.head;
      const { columns, outcome, differences } = await begin(teamId, csv, options);
      const shown: ShownComparison = {
        outcome,
        missing: [],
        different: [],
        onlyHere: [],
        unread: [],
        notStored: [],
        storable: 0,
      };
      for await (const found of differences) {
        if (found.kind === 'different') keep(shown.different, found);
        else if (found.kind === 'onlyHere') keep(shown.onlyHere, found.here);
        else if (found.kind === 'unread') keep(shown.unread, found.unread);
        else {
          keep(shown.missing, found.order);
          const message = lackOf(found.order, columns);
          if (message === null) shown.storable++;
          else keep(shown.notStored, { ...found.order, message });
        }
      }
      return { head, shown };
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      return { head, refusal: error.message };
    }
  }

  async function storeNow(
    teamId: Uuid,
    packed: string,
    options: Options,
    areNew: boolean,
  ): Promise<StoredMissing> {
    const csv = await openCsv(unpackUpload(packed));
    const { columns, mode, outcome, differences, isInFile } = await begin(teamId, csv, options);
    const missing: FileOrder[] = [];
    let left = 0;
    for await (const found of differences) {
      if (found.kind !== 'missing' || lackOf(found.order, columns) !== null) continue;
      if (missing.length < storedAtMost) missing.push(found.order);
      else left++;
    }
    const isHeld = outcome.otherIds !== null && !areNew;
    const result: StoredMissing = { stored: 0, press: null, notStored: [], left, isHeld, isInDoubt: isHeld };
    if (isHeld) return result;
    const added: Uuid[] = [];
    const press = newUuid();
    const deps = {
      inTurn,
      secret,
      storeReport,
      place,
      nowMs,
      press,
      onNew: (id: Uuid) => void added.push(id),
    };
    const storeMissing = await createStoreMissing(deps, mode, { columns, isInFile, areNew });
    const untilMs = performance.now() + storeForMs;
    try {
      for (let first = 0; first < missing.length; first += batchOrders) {
        if (performance.now() > untilMs) {
          result.left += missing.length - first;
          break;
        }
        const batch = missing.slice(first, first + batchOrders);
        for (const [index, reason] of (await storeMissing(batch)).entries()) {
          if (reason === null) result.stored++;
          else result.notStored.push({ ...batch[index]!, message: reason.message });
          result.isInDoubt ||= reason?.isGuess ?? false;
        }
      }
    } finally {
      // Also if storing the rest has failed.
      if (added.length > 0) result.press = await keepPress(mode, press, added);
    }
    return result;
  }

  async function keepPress(
    { teamId, isTest }: ComparedMode,
    id: Uuid,
    orderIds: readonly Uuid[],
  ): Promise<Press> {
    const now = new Date(nowMs());
    await inTurn(teamId, (sql) => addPress(sql, teamId, { id, isTest, orderIds, now }));
    return { id, orders: orderIds.length, storedAt: now };
  }
}

function keep<Item>(list: Item[], item: Item): void {
  if (list.length < shownAtMost) list.push(item);
}
