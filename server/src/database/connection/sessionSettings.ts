/**
 * Settings that statements and their answers rely on. The connection sets them, because a database, a role or `postgresql.conf` may
 * have other values. PgBouncer keeps these settings for each client, so every pooler accepts them.
 */
export const trackedSettings = {
  // In a zone with daylight saving time, `interval '1 day'` is an hour longer or shorter on some days.
  TimeZone: 'UTC',
  // In any other style a time is read back as another time, or not at all.
  DateStyle: 'ISO, MDY',
  standard_conforming_strings: 'on',
};

/** Further settings that statements rely on. Poolers may refuse them. */
export const passedSettings = {
  IntervalStyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: '1',
  // A statement has to see what another transaction has committed since this transaction began.
  default_transaction_isolation: 'read committed',
  // The server keeps its connections while no orders arrive.
  idle_session_timeout: '0',
};
