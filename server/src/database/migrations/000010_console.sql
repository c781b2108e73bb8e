-- What the console needs. No table here is part of a backup: a restore must neither bring back a session that was
-- revoked since, nor counts of orders that it does not have.

-- Links that open a team's console, each until it was used once.
create table console_link (
  team_id uuid not null references team,
  -- SHA-256 of the link's token, in hex.
  hash text not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  primary key (team_id, hash)
);

-- Browsers that are signed in.
create table console_session (
  team_id uuid not null references team,
  -- SHA-256 of the cookie's token, in hex.
  hash text not null,
  -- Names the session in lists, without opening it.
  id uuid not null,
  created_at timestamptz(3) not null,
  last_seen_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  primary key (team_id, hash)
);

-- The host of the page that reported the order first; null when only keys have reported it.
alter table placed_order add column host text;
-- When a later report last changed the order; null when none has.
alter table placed_order add column merged_at timestamptz(3);

-- Orders that are counted already, by quarter of an hour: every time zone's days and hours consist of whole ones.
create table order_count (
  team_id uuid not null,
  quarter timestamptz not null,
  is_test boolean not null,
  currency text not null,
  reported_by text not null,
  -- Empty for orders without one.
  host text not null,
  orders bigint not null,
  amount numeric not null,
  last_order_at timestamptz(3) not null,
  primary key (team_id, quarter, is_test, currency, reported_by, host)
);

-- Which quarters of a team are counted: all from the first time on, up to before the second.
create table order_count_range (
  team_id uuid not null primary key,
  from_at timestamptz not null,
  to_at timestamptz not null
);

-- Counted quarters in which an order has been stored or changed since.
create table order_count_stale (
  team_id uuid not null,
  quarter timestamptz not null,
  primary key (team_id, quarter)
);
