-- orderbeacon: no transaction
create index concurrently if not exists refused_report_places
  on refused_report (team_id, key_hash, is_allowed, host, received_at, id) include (places);
create index concurrently if not exists refused_report_unread on refused_report (team_id)
  where places is null or email is null and email_hashes is null;
-- Counts are kept by day since this release, under the day's first hour. These are of release 0.2.0, by hour.
create index concurrently if not exists refused_count_hours on refused_count (team_id, hour)
  where (hour at time zone 'UTC')::time <> '00:00';
