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

/** See `backupHeaderSchema`. */
export type BackupHeader = z.infer<typeof backupHeaderSchema>;
