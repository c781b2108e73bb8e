export interface BoundedMap<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
  delete(key: string): void;
}

/** Creates a map of at most `entriesAtMost` entries. A further entry replaces the one that was set first. */
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

/** Longest key that is cached. A caller could fill the memory with longer ones. */
const keyCharactersAtMost = 256;

/**
 * Caches the results of a pure function of a text, for at most `entriesAtMost` texts of up to 256 characters.
 * @param compute never returns undefined
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
    // A copy: V8 keeps a whole header in memory as long as a part of it is used.
    if (key.length <= keyCharactersAtMost) results.set(Buffer.from(key).toString(), value);
    return value;
  };
}
