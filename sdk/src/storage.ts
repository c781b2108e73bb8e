/** Texts by key that outlive the page where the browser allows it. */
export interface TextStorage {
  /** All of them, also those that are not ours. */
  all(): Record<string, string | undefined>;
  /** Without a value, removes it. */
  set(key: string, value?: string): void;
}

/**
 * localStorage that never throws. What it does not take (blocked, full, missing) is kept in memory for as long
 * as the page lives.
 */
export function openStorage(): TextStorage {
  const memory: Record<string, string> = {};
  let local: Storage | undefined;
  try {
    // Android WebViews may give null.
    local = localStorage;
  } catch {
    // Brave, sandboxed frames and blocked cookies throw on the mere mention.
  }
  return {
    all: () => ({ ...local, ...memory }),
    set(key, value) {
      delete memory[key];
      try {
        // Removed first: a full storage would keep the old value, and show it again when memory is gone.
        local!.removeItem(key);
        if (value) local!.setItem(key, value);
      } catch {
        if (value) memory[key] = value;
      }
    },
  };
}
