import { z } from 'zod';

/** The first line of a backup: what the rest is, and what it takes to read it. */
export const backupHeaderSchema = z.object({
  format: z.literal('orderbeacon-backup'),
  /** Of the format; another number is another way to write rows. */
  version: z.literal(1),
  /** The release that wrote it. */
  server: z.string(),
  createdAt: z.string(),
  /** The migrations that its database had had. */
  migrations: z.array(z.string()),
  /** The columns of each table. */
  columns: z.record(z.string(), z.array(z.string())),
});

/** The last line of a backup: without it the file is not complete. */
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
