/** The database cannot be had; the message is the one line that the operator reads, saying what to do. */
export class DatabaseError extends Error {
  override name = 'DatabaseError';
}
