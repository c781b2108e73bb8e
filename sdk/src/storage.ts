import { safely } from './safely';

/** Texts by key that outlive the page where the browser allows it. */
export interface TextStorage {
  read(key: string): string | undefined;
  write(key: string, value: string): void;
  remove(key: string): void;
  keys(): string[];
}

/**
 * localStorage that never throws. What it does not take (blocked, full, missing) is kept in memory for as long
 * as the page lives; where a key is in both, memory has the newer value.
 */
export function openStorage(): TextStorage {
  const memory: Record<string, string> = {};
  // Brave, sandboxed frames and blocked cookies throw on the mere mention; Android WebViews may give null.
  const local: Record<string, string> = safely(() => localStorage) ?? {};
  return {
    read: (key) => memory[key] ?? local[key],
    write(key, value) {
      memory[key] = value;
      safely(() => {
        local[key] = value;
        delete memory[key];
      });
    },
    remove(key) {
      delete memory[key];
      delete local[key];
    },
    keys: () => Object.keys({ ...local, ...memory }),
  };
}
