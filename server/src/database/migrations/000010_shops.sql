-- The hosts of a source's shop, without "www.": those that a person has allowed, else the one of its first event. Empty until one is
-- known. The host of shop_url counts where this is empty.
alter table source add column shop_hosts text[] not null default '{}';
-- Events with a signature that were too large to be read, and the time of the last one.
alter table source add column large_events integer not null default 0;
alter table source add column large_at timestamptz(3);

-- A signed event of another host than those of its source's shop, such as a copy of the shop. Written by each such event. Read by the
-- console, and by the server that stores it once its host is allowed. Removed after 30 days.
create table source_event (
  team_id uuid not null,
  source_id uuid not null,
  id uuid not null,
  host text not null,
  -- The header that names the kind of event; null where the payload does.
  topic text,
  body text not null,
  received_at timestamptz(3) not null default now(),
  primary key (team_id, source_id, id),
  foreign key (team_id, source_id) references source on delete cascade
);

-- An order that did not come by itself: its shop was asked for it, or a person has stored it. Written by whoever stores it so. Read
-- by whoever looks for the end of a silence.
create table found_order (
  team_id uuid not null,
  placed_order_id uuid not null,
  primary key (team_id, placed_order_id),
  foreign key (team_id, placed_order_id) references placed_order on delete cascade
);
