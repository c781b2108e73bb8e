/** Where the tables lie: whole in one PostgreSQL, or spread over a Citus cluster by team. */
export interface Placement {
  /** True once the tables were found spread. */
  isSpread(): Promise<boolean>;
  /** The same without asking: false until they were found spread. */
  isFoundSpread(): boolean;
  /**
   * Runs the statements for the placement that was found last. Tables may be spread while a server runs; then the
   * statement for whole tables fails with nothing stored, and the other one runs in its place.
   */
  choose<Result>(shapes: { whole(): PromiseLike<Result>; spread(): Promise<Result> }): Promise<Result>;
}

/**
 * How a statement for whole tables fails on spread ones: foreign_key_violation, since Citus stores an order before its
 * buyer, and feature_not_supported.
 */
const signsOfSpread = new Set<unknown>(['23503', '0A000']);

/** Remembers where the tables lie. @param find asks the database; asked anew until it says that they are spread */
export function createPlacement(find: () => Promise<boolean>): Placement {
  let found: boolean | undefined;

  async function look(): Promise<boolean> {
    found = await find();
    return found;
  }

  const isSpread = async () => found ?? look();

  return {
    isSpread,
    isFoundSpread: () => found === true,
    async choose({ whole, spread }) {
      if (await isSpread()) return spread();
      try {
        return await whole();
      } catch (error) {
        if (signsOfSpread.has((error as { code?: unknown }).code) && (await look())) return spread();
        throw error;
      }
    },
  };
}
