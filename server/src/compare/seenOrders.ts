import { hash } from 'node:crypto';

/** Remembers texts and a number for each, in 12 to 48 bytes a text. */
export interface SeenTexts {
  /** The number that was given with the text, or undefined for a new text, which is then remembered. */
  add(text: string, value: number): number | undefined;
  has(text: string): boolean;
  size(): number;
}

const firstCapacity = 1 << 12;

/**
 * Makes a set of texts that keeps 64 bits of a hash of each. Two of a million texts meet with a probability of 3 in 100
 * million.
 */
export function createSeenTexts(): SeenTexts {
  let capacity = firstCapacity;
  let size = 0;
  let keys = new Uint32Array(2 * capacity);
  let values = new Uint32Array(capacity);

  /** The place of a key, or the free one where it belongs. */
  function find(high: number, low: number): number {
    let at = low & (capacity - 1);
    while (keys[2 * at] !== 0 && (keys[2 * at] !== high || keys[2 * at + 1] !== low))
      at = (at + 1) & (capacity - 1);
    return at;
  }

  function put(high: number, low: number, value: number): void {
    const at = find(high, low);
    keys[2 * at] = high;
    keys[2 * at + 1] = low;
    values[at] = value;
  }

  function grow(): void {
    const [oldKeys, oldValues] = [keys, values];
    capacity *= 2;
    keys = new Uint32Array(2 * capacity);
    values = new Uint32Array(capacity);
    for (const [at, value] of oldValues.entries())
      if (oldKeys[2 * at] !== 0) put(oldKeys[2 * at]!, oldKeys[2 * at + 1]!, value);
  }

  return {
    add(text, value) {
      const [high, low] = hashOf(text);
      const at = find(high, low);
      if (keys[2 * at] !== 0) return values[at];
      put(high, low, value);
      size++;
      if (2 * size > capacity) grow();
      return undefined;
    },
    has(text) {
      return keys[2 * find(...hashOf(text))] !== 0;
    },
    size: () => size,
  };
}

/** 64 bits of a hash, of which the first 32 are not zero, because zero marks a free place. */
function hashOf(text: string): [high: number, low: number] {
  const digest = hash('sha1', text, 'buffer');
  return [digest.readUInt32LE(0) || 1, digest.readUInt32LE(4)];
}

/** 32 bits of a hash of a text. */
export function shortHash(text: string): number {
  return hash('sha1', text, 'buffer').readUInt32LE(8);
}
