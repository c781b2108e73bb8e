/** A map that forgets. */
export interface BoundedMap<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
}

/** Makes a map of at most `entriesAtMost` entries: one more makes it forget the entry that was set the longest ago. */
export function createBoundedMap<Value>(entriesAtMost: number): BoundedMap<Value> {
  const map = new Map<string, Value>();
  return {
    get: (key) => map.get(key),
    set(key, value) {
      // A Map lists its keys in the order of their insertion, so a key that is set again has to go first.
      map.delete(key);
      map.set(key, value);
      if (map.size > entriesAtMost) map.delete(map.keys().next().value!);
    },
  };
}
