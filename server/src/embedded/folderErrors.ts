import { resolve } from 'node:path';
import { DatabaseError } from '../values/errors.js';

/** The error for a folder in which a command that makes no database finds none. */
export function noDatabase(dataDir: string): DatabaseError {
  return new DatabaseError(
    `There is no database in ${resolve(dataDir)}: start the server there once (npm start), or give the ORDERBEACON_DATA_DIR or DATABASE_URL that the server has.`,
  );
}

/** The error for a folder that the system does not let us use. */
export function unusable(dataDir: string, cause: Error): DatabaseError {
  return new DatabaseError(
    `The data folder ${resolve(dataDir)} cannot be used: ${cause.message}. Choose a folder that can be written: set ORDERBEACON_DATA_DIR.`,
    { cause },
  );
}
