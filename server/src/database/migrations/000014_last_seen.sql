-- When the key was used last, to the hour; null when it was not since this column is there.
alter table api_key add column last_used_at timestamptz(3);

-- Versions of the SDK that stored an order of a team, each with when that was last, to the hour.
create table sdk_seen (
  team_id uuid not null references team,
  version text not null,
  last_seen_at timestamptz(3) not null,
  primary key (team_id, version)
);
