import { z } from 'zod';

/** The first line of a backup, which describes the rest. */
export const backupHeaderSchema = z.object({
  format: z.literal('orderbeacon-backup'),
  /** Version of the format. Another number means that rows are written in another form. */
  version: z.literal(1),
  /** The release that wrote the backup. */
  server: z.string(),
  createdAt: z.string(),
  /** Names of the migrations that were applied to the saved database. */
  migrations: z.array(z.string()),
  /** The columns of each table. */
  columns: z.record(z.string(), z.array(z.string())),
});

/** See `backupHeaderSchema`. */
export type BackupHeader = z.infer<typeof backupHeaderSchema>;
