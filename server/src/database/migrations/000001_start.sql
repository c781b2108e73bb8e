-- Every table but installation, team and api_key has team_id in its primary key, its unique constraints and
-- its foreign keys, so that the schema distributes by team_id on Citus as it stands.

create table installation (
  only_row boolean primary key default true check (only_row),
  -- Keys the ids of people; 244 random bits.
  secret text not null default gen_random_uuid()::text || gen_random_uuid()::text,
  created_at timestamptz(3) not null default now()
);
insert into installation default values;

create table team (
  id uuid primary key,
  name text not null,
  storefront_url text not null,
  -- The team that an embedded database starts with; its page is served under /demo.
  is_demo boolean not null default false,
  created_at timestamptz(3) not null default now()
);

create table api_key (
  id uuid primary key,
  team_id uuid not null references team,
  name text,
  mode text not null check (mode in ('live', 'test')),
  -- SHA-256 of the key in hex; the key itself is nowhere.
  hash text not null unique,
  last_four text not null,
  created_at timestamptz(3) not null default now(),
  revoked_at timestamptz(3)
);

create table domain (
  team_id uuid not null references team,
  -- A normalised host name, or "*." and one.
  entry text not null,
  is_test boolean not null,
  created_at timestamptz(3) not null default now(),
  primary key (team_id, entry)
);

create table product (
  team_id uuid not null references team,
  id uuid not null,
  slug text not null,
  -- What was imported, checked, without the fields that follow from others.
  document json not null,
  -- What a lookup answers, to the byte, and its entity tag.
  body text not null,
  etag text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (team_id, id),
  unique (team_id, slug)
);

create table person (
  -- No foreign key to team: each new buyer would lock the team's one row, and where two transactions hold it
  -- PostgreSQL writes a multixact. Whoever adds a person has found the team first.
  team_id uuid not null,
  -- Made of the installation's secret, team and email: so this key is also what makes emails unique in a
  -- team, without a second index that grows at random places.
  id uuid not null,
  -- Null once the person was erased.
  email text,
  name text,
  created_at timestamptz(3) not null default now(),
  primary key (team_id, id)
);

create table sequence (
  team_id uuid not null references team,
  id uuid not null,
  name text not null,
  created_at timestamptz(3) not null default now(),
  primary key (team_id, id)
);

create table subscription (
  team_id uuid not null references team,
  id uuid not null,
  sequence_id uuid not null,
  person_id uuid not null,
  created_at timestamptz(3) not null default now(),
  primary key (team_id, id),
  unique (team_id, sequence_id, person_id),
  foreign key (team_id, sequence_id) references sequence (team_id, id),
  foreign key (team_id, person_id) references person (team_id, id)
);

-- "order" is a reserved word. The id is a UUIDv7: the primary key is also the order of time.
create table placed_order (
  team_id uuid not null,
  id uuid not null,
  order_number text not null,
  person_id uuid not null,
  -- The caller's own identifier, and the SDK's one per call: either makes a second report the same order.
  order_id text,
  report_id text,
  amount numeric not null check (amount >= 0),
  currency text not null,
  source text not null,
  name text,
  items json,
  visitor_id text,
  is_test boolean not null,
  reported_by text not null check (reported_by in ('browser', 'key', 'both')),
  created_at timestamptz(3) not null,
  primary key (team_id, id),
  unique (team_id, order_number),
  foreign key (team_id, person_id) references person (team_id, id)
);
create unique index on placed_order (team_id, order_id) where order_id is not null;
create unique index on placed_order (team_id, report_id) where report_id is not null;
