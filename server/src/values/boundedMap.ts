/** A map with a bounded number of entries. */
export interface BoundedMap<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
  delete(key: string): void;
}

/** Makes a map of at most `entriesAtMost` entries. One more drops the entry whose `set` is the longest ago. */
export function createBoundedMap<Value>(entriesAtMost: number): BoundedMap<Value> {
  const map = new Map<string, Value>();
  return {
    get: (key) => map.get(key),
    set(key, value) {
      // A Map keeps keys in insertion order; deleting the key first moves it to the end.
      map.delete(key);
      map.set(key, value);
      if (map.size > entriesAtMost) map.delete(map.keys().next().value!);
    },
    delete: (key) => void map.delete(key),
  };
}

/** Longer keys are not remembered: a caller could fill the memory with long ones. */
const keyCharactersAtMost = 256;

/**
 * Makes a pure function of a text remember its results, for at most `entriesAtMost` texts of up to 256 characters.
 * @param compute never gives undefined
 */
export function rememberResults<Value>(
  entriesAtMost: number,
  compute: (key: string) => Value,
): (key: string) => Value {
  const results = createBoundedMap<Value>(entriesAtMost);
  return function remembered(key) {
    const known = results.get(key);
    if (known !== undefined) return known;
    const value = compute(key);
    if (key.length <= keyCharactersAtMost) results.set(key, value);
    return value;
  };
}
