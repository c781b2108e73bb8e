import { z } from 'zod';

/** First line of a backup: the format of the rest. */
export const backupHeaderSchema = z.object({
  format: z.literal('orderbeacon-backup'),
  /** Version of the format. Another number means another way to write rows. */
  version: z.literal(1),
  /** The release that wrote it. */
  server: z.string(),
  createdAt: z.string(),
  /** Migrations of its database. */
  migrations: z.array(z.string()),
  /** The columns of each table. */
  columns: z.record(z.string(), z.array(z.string())),
});

/** Last line of a backup. Without it the file is not complete. */
export const backupEndSchema = z.object({
  /** Number of rows of each table. */
  rows: z.record(z.string(), z.number()),
  /** SHA-256, in hex, of every byte before this line. */
  sha256: z.string(),
});

/** See `backupHeaderSchema`. */
export type BackupHeader = z.infer<typeof backupHeaderSchema>;

/** See `backupEndSchema`. */
export type BackupEnd = z.infer<typeof backupEndSchema>;
