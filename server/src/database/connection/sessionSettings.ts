/**
 * Settings that statements and their answers are written for. The connection asks for them, because a database, a role or
 * `postgresql.conf` may have others. PgBouncer keeps these for each client, so that every pooler takes them.
 */
export const trackedSettings = {
  // Where the database has another one, `interval '1 day'` is an hour longer or shorter on some days.
  TimeZone: 'UTC',
  // In any other style a time is read back as another one, or as none.
  DateStyle: 'ISO, MDY',
  standard_conforming_strings: 'on',
};

/** More of them, which poolers may refuse. */
export const passedSettings = {
  IntervalStyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: '1',
  // A statement has to see what another transaction has committed since this one began.
  default_transaction_isolation: 'read committed',
  // The server keeps its connections while no orders come.
  idle_session_timeout: '0',
};
