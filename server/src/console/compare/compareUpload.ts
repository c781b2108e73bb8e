import type { ComparedOrder } from '../../compare/comparedOrders.js';
import { compareOrders } from '../../compare/compareOrders.js';
import type { Comparison } from '../../compare/comparison.js';
import { csvRows } from '../../compare/csvRows.js';
import { decodeFile } from '../../compare/decodeFile.js';
import { type FileOrder, openOrderFile, type ReadOptions, type Unread } from '../../compare/fileOrders.js';
import {
  createStoreMissing,
  findDoubles,
  type StoreMissingDeps,
  toMissingOrder,
} from '../../compare/storeMissing.js';
import type { StoreReport } from '../../orders/storeReport.js';
import { createSemaphore } from '../../values/semaphore.js';
import type { Ask } from '../ask.js';
import { type ComparingSession, type SealableOrders, sealOrders, unsealOrders } from './sealedOrders.js';

/** Bytes of an uploaded file. */
export const uploadBytes = 20_000_000;
/** Bytes of the form that stores the missing orders, which holds them. */
export const storeFormBytes = 1_000_000;

/** A comparison with the first differences of each kind. */
export interface ShownComparison {
  comparison: Comparison;
  missing: FileOrder[];
  different: { order: FileOrder; here: ComparedOrder }[];
  onlyHere: ComparedOrder[];
  unread: Unread[];
  /** Missing orders that cannot be stored, or should not, with the reason. */
  notStored: Unread[];
  /** Number of those, shown or not. */
  unstorable: number;
  /** Number of the missing orders that `sealed` holds. */
  storable: number;
  /** The orders to be stored, for `store`. */
  sealed: string;
}

/** The outcome of storing the missing orders of a page. */
export interface StoredMissing {
  stored: number;
  notStored: Unread[];
  /** Orders that there was no time for. */
  left: number;
}

/** Compares uploaded files, and stores what is missing here. */
export interface CompareUpload {
  /**
   * Compares a file as it arrives. Keeps nothing of it.
   * @throws FileError; ApiError `unavailable` while a comparison of the team is running
   */
  compare(
    session: ComparingSession,
    file: AsyncIterable<Uint8Array>,
    options: Omit<ReadOptions, 'nowMs'>,
  ): Promise<ShownComparison>;
  /**
   * Stores the orders that `compare` has sealed for the same session, in 5 s at most.
   * @throws ApiError `invalid_request` for a text that `compare` did not seal; `unavailable`
   */
  store(session: ComparingSession, sealed: string): Promise<StoredMissing>;
}

/** Differences of a kind that a page shows. */
export const shownAtMost = 100;
/** Missing orders of one form, and their characters. */
const storableAtMost = 2_000;
const sealedCharacters = 600_000;
const batchOrders = 64;
const storeForMs = 5_000;

/** Makes the comparison of a server: two at a time, one of each team. */
export function createCompareUpload(
  ask: Ask,
  { secret, storeReport, nowMs }: { secret: string; storeReport: StoreReport; nowMs: () => number },
): CompareUpload {
  const turns = createSemaphore({
    concurrent: 2,
    concurrentPerKey: 1,
    waiting: 0,
    message: 'Another comparison is running; try again in a minute.',
  });
  const depsOf = ({ teamId }: ComparingSession): StoreMissingDeps => ({
    run: (statement) => ask(teamId, statement),
    secret,
    storeReport,
    nowMs,
  });

  return {
    compare: (session, file, options) =>
      turns.run(() => compareNow(session, file, { ...options, nowMs: nowMs() }), session.teamId),
    store: (session, sealed) => turns.run(() => storeNow(session, sealed), session.teamId),
  };

  async function compareNow(
    session: ComparingSession,
    bytes: AsyncIterable<Uint8Array>,
    options: ReadOptions,
  ): Promise<ShownComparison> {
    const world = { teamId: session.teamId, isTest: options.isTest };
    const deps = depsOf(session);
    const file = await openOrderFile(csvRows(decodeFile(bytes)), options);
    const shown = { missing: [], different: [], onlyHere: [], unread: [], notStored: [] } as Omit<
      ShownComparison,
      'comparison' | 'unstorable' | 'storable' | 'sealed'
    >;
    const ready: SealableOrders['orders'] = [];
    let [characters, unstorable] = [0, 0];
    const { comparison, isInFile } = await compareOrders(deps.run, world, file, {
      onDifference(found) {
        switch (found.kind) {
          case 'missing':
            keep(shown.missing, found.order);
            collect(found.order);
            break;
          case 'different':
            keep(shown.different, found);
            break;
          case 'onlyHere':
            keep(shown.onlyHere, found.here);
            break;
          case 'unread':
            keep(shown.unread, found.unread);
        }
      },
    });
    const doubles = await findDoubles(
      deps,
      world,
      ready.map(({ order }) => order),
      isInFile,
    );
    for (const [at, message] of doubles.entries())
      if (message !== null) refuse({ line: ready[at]!.line, orderId: ready[at]!.order.orderId, message });
    const orders = ready.filter((_, at) => doubles[at] === null);
    return {
      comparison,
      ...shown,
      unstorable,
      storable: orders.length,
      sealed: sealOrders(secret, session, { isTest: options.isTest, orders }),
    };

    function refuse(order: Unread): void {
      unstorable++;
      keep(shown.notStored, order);
    }

    function collect(fileOrder: FileOrder): void {
      const { line, orderId } = fileOrder;
      const { order, problem } = toMissingOrder(fileOrder, file.columns);
      if (!order) {
        refuse({ line, orderId, message: problem });
        return;
      }
      const size = Buffer.byteLength(JSON.stringify(order));
      if (ready.length === storableAtMost || characters + size > sealedCharacters) return;
      characters += size + 20;
      ready.push({ line, order });
    }
  }

  async function storeNow(session: ComparingSession, sealed: string): Promise<StoredMissing> {
    const { isTest, orders } = unsealOrders(secret, session, sealed);
    const untilMs = performance.now() + storeForMs;
    const outcome: StoredMissing = { stored: 0, notStored: [], left: 0 };
    const store = await createStoreMissing(depsOf(session), { teamId: session.teamId, isTest });
    for (let at = 0; at < orders.length; at += batchOrders) {
      if (performance.now() > untilMs) {
        outcome.left = orders.length - at;
        break;
      }
      const batch = orders.slice(at, at + batchOrders);
      const reasons = await store(batch.map(({ order }) => order));
      for (const [place, message] of reasons.entries()) {
        const { line, order } = batch[place]!;
        if (message === null) outcome.stored++;
        else outcome.notStored.push({ line, orderId: order.orderId, message });
      }
    }
    return outcome;
  }
}

function keep<Item>(list: Item[], item: Item): void {
  if (list.length < shownAtMost) list.push(item);
}
