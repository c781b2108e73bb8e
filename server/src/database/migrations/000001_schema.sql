-- The schema, in the order of the rooms of `server/src`: installation, teams, people, products, orders, refused reports,
-- sources, webhooks, the console, and the sums that the console shows. Later changes are files of their own beside this one.
--
-- Every table but installation, team and api_key has team_id in its primary key, its unique constraints and its foreign
-- keys, so that one team's rows can lie together on one node of a cluster. Times are those of the database's clock where
-- two servers compare them. A key or token is stored as its SHA-256 in hex, unless its comment says why not.

-- INSTALLATION

-- This installation: one row. Written by this file; a restore replaces it, so that the ids of people stay the same. Read
-- when a server or command starts.
create table installation (
  only_row boolean primary key default true check (only_row),
  -- Keys the ids of people; 244 random bits.
  secret text not null default gen_random_uuid()::text || gen_random_uuid()::text,
  -- Public URL of the server that started last, for commands that run without its settings.
  public_url text,
  -- When the demo was removed. From then on no start of a server makes it again.
  demo_removed_at timestamptz(3),
  created_at timestamptz(3) not null default now()
);
insert into installation default values;

-- TEAMS

-- A team: one merchant with a shop. Written by commands. Read by each request, through a cache.
create table team (
  id uuid primary key,
  name text not null,
  -- Of the shop, such as Europe/Berlin. Its days, and the hours in which it is silent, are those of this zone.
  zone text not null default 'UTC',
  storefront_url text not null,
  -- The team that an embedded database starts with; its page is served under /demo.
  is_demo boolean not null default false,
  -- True when the team refuses the reports of pages that are not signed.
  requires_signature boolean not null default false,
  created_at timestamptz(3) not null default now()
);

-- A key with which a backend reports orders. Written by commands, the console and new sources. Read by the statement that
-- stores a key's order.
create table api_key (
  id uuid primary key,
  team_id uuid not null references team,
  name text,
  mode text not null check (mode in ('live', 'test')),
  hash text not null unique,
  last_four text not null,
  -- The source that this key vouches for. Nobody has such a key, and lists leave it out.
  source_id uuid,
  created_at timestamptz(3) not null default now(),
  -- To the hour.
  last_used_at timestamptz(3),
  revoked_at timestamptz(3)
);

-- A key with which a shop's server signs the orders of its pages. Written by commands and the console. Read when a signed
-- page reports an order.
create table signing_key (
  team_id uuid not null references team,
  id uuid not null,
  -- The key itself, because a signature cannot be checked with a hash.
  secret text not null,
  name text,
  -- True for a key that signs test orders only.
  is_test boolean not null,
  created_at timestamptz(3) not null default now(),
  revoked_at timestamptz(3),
  primary key (team_id, id)
);

-- A domain whose pages may report orders without a key. Written by commands and the console. Read by the statement that
-- stores a page's order.
create table domain (
  team_id uuid not null references team,
  -- A normalised host name, or "*." and one.
  entry text not null,
  is_test boolean not null,
  -- The team's value, repeated here because the statement that stores orders reads the domain, and not the team.
  requires_signature boolean not null default false,
  created_at timestamptz(3) not null default now(),
  primary key (team_id, entry)
);

-- PEOPLE

-- A person: a buyer, or somebody whom a sequence enrolled or a command added. An erased buyer's orders belong to a row
-- without email and name. Written with orders and enrollments, and by commands. Read wherever orders are shown.
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
  -- True for a name that a live key or a command gave: no page's name and no test's replaces it.
  name_by_key boolean not null default false,
  created_at timestamptz(3) not null default now(),
  primary key (team_id, id)
);

-- A sequence, such as a course of emails, that people can be enrolled in. Written by commands.
create table sequence (
  team_id uuid not null references team,
  id uuid not null,
  name text not null,
  created_at timestamptz(3) not null default now(),
  primary key (team_id, id)
);

-- An enrollment of a person in a sequence. Written by enrollments; removed with the person. Read by `person export`.
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

-- PRODUCTS

-- A product that pages look up by id or slug. Written by `product import`. Read by look-ups, through a cache.
create table product (
  team_id uuid not null references team,
  id uuid not null,
  slug text not null,
  -- What was imported, checked, without the fields that follow from others.
  document json not null,
  -- What a look-up answers, to the byte, and its entity tag.
  body text not null,
  etag text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (team_id, id),
  unique (team_id, slug)
);

-- ORDERS

-- An order, exactly once; "order" is a reserved word. Written by the statement that stores reports, changed by the merge
-- of a later report, removed by a discard. Read by everything that shows orders.
create table placed_order (
  team_id uuid not null,
  -- A UUIDv7: the primary key is also the order in which orders were stored.
  id uuid not null,
  order_number text not null,
  person_id uuid not null,
  -- The names by which a later report finds the order: what the shop calls it, and the SDK's id of one call of `track()`.
  -- Others are rows of order_key. Live and test orders have names of their own.
  order_id text,
  report_id text,
  amount numeric not null check (amount >= 0),
  currency text not null,
  source text not null,
  name text,
  items json,
  visitor_id text,
  -- How the buyer came to the shop, as `Touch` of the contract: the first landing, and the last one of a campaign.
  first_touch json,
  last_touch json,
  -- Fields of the report that the contract does not name, as they were sent.
  extra json,
  -- What pages said and what keys said, side by side: `{ "page": { … }, "key": { … } }`. The fields above are those of keys,
  -- and of pages where keys said nothing. Null while all fields are the words of one of them, as reported_by says.
  said json,
  is_test boolean not null,
  reported_by text not null check (reported_by in ('browser', 'key', 'both')),
  -- The host of the page that reported the order first; null when only keys have reported it.
  host text,
  created_at timestamptz(3) not null,
  -- When the shop system last changed what it has reported, by its own clock; null where none says so.
  changed_at timestamptz(3),
  -- The order that had this order_id before, where this one is another payment; null for none.
  shares_id_with uuid,
  -- When a later report last changed the order; null when none has.
  merged_at timestamptz(3),
  primary key (team_id, id),
  unique (team_id, order_number),
  -- Checked when the statement that stores the order ends, by which time it has stored the buyer too.
  foreign key (team_id, person_id) references person (team_id, id)
);
create unique index placed_order_order_id on placed_order (team_id, order_id, is_test)
  where order_id is not null and shares_id_with is null;
create unique index placed_order_report_id on placed_order (team_id, report_id, is_test) where report_id is not null;
-- Erasing or exporting a person looks for their orders, and so does the foreign key when a person goes.
create index placed_order_person on placed_order (team_id, person_id);
-- Lists by time, and counts of a span of time, read no more orders than they need.
create index placed_order_created_at on placed_order (team_id, created_at, id);
-- A backend's report takes its touches from the latest order of its visitor that has any. An index of all orders of the
-- visitor was read to its end where a backend gives each order the same visitor: 15 ms for 100,000 of them.
create index placed_order_touched on placed_order (team_id, visitor_id, is_test, created_at)
  where visitor_id is not null and (first_touch is not null or last_touch is not null);

-- A further name of an order: an `Idempotency-Key`, an id that a payment provider or shop system has given, or the id or
-- number of an order that was merged into it. Written with the order and by merges. Read when a report or a refund names one.
create table order_key (
  team_id uuid not null,
  key text not null,
  is_test boolean not null,
  -- No foreign key: it would look up and lock the order of each report with a key. A discard removes an order's keys.
  placed_order_id uuid not null,
  -- Of an `Idempotency-Key`: what its report said. Null for others.
  amount numeric,
  currency text,
  primary key (team_id, key, is_test)
);
create index order_key_order on order_key (team_id, placed_order_id);

-- A refund, by the refundId of the backend or shop system that reported it. A row changes only when its refund finds its
-- order, when that order is discarded, and when it is taken back. Written by refund reports, and in the background. Read with
-- the order. One that waits for its order is removed after 90 days.
create table refund (
  team_id uuid not null,
  is_test boolean not null,
  refund_id text not null,
  -- The names of the order, as they were said: the caller's own id or ord_…, and an Idempotency-Key of the order.
  order_id text,
  payment_id text,
  -- Null while the refund waits for its order. No foreign key, because a refund may come before its order.
  placed_order_id uuid,
  -- In the currency of the order, as it was said; null for all that is left of the order, and 0 once it was taken back.
  amount numeric,
  -- The money that it counts in sums, and its currency: the refunds of an order count up to its amount, the oldest first. Made
  -- again with every change of the order's money or refunds. Null while it waits.
  counts numeric,
  currency text,
  reason text,
  -- The source that reported it, whose list of the order's refunds is the truth for it; null for a backend's.
  source_id uuid,
  -- True once the shop system took the refund back. Its row stays, so that a late report of it is known.
  is_taken_back boolean not null default false,
  -- The time of the refund, not of its row.
  created_at timestamptz(3) not null,
  -- Since when it has waited for its order, where it waits: since it was stored, or since that order was discarded.
  waits_since timestamptz(3) not null default now(),
  primary key (team_id, is_test, refund_id)
);
create index refund_order on refund (team_id, placed_order_id) where placed_order_id is not null;
-- An order finds the refunds that wait for it by two look-ups.
create index refund_waiting on refund (team_id, order_id) where placed_order_id is null;
create index refund_waiting_payment on refund (team_id, payment_id) where placed_order_id is null;
create index refund_time on refund (team_id, is_test, created_at);

-- REFUSED REPORTS

-- A report that was refused for something that a person can mend, as it was sent: until its order is stored after all, for a
-- day after it was discarded, and for 30 days at most. Written by servers when they refuse. Read by the console and `refused`,
-- which replay it.
create table refused_report (
  team_id uuid not null references team,
  id uuid not null,
  -- SHA-256, in hex, of what makes two reports the same one.
  identity text not null,
  -- The error code of the last refusal, its first invalid field (empty for none), and all of its issues.
  reason text not null,
  field text not null,
  issues json,
  -- The page's; empty for a report with a key, and for a page that names none.
  host text not null,
  -- True for a report with a key, and for a page whose host was among the team's domains when the report last came.
  is_own boolean not null,
  -- The JSON text; of a longer one the first 64 KiB.
  body text not null,
  is_cut boolean not null,
  -- Of a report with a key: the hash of the key, and its header Idempotency-Key.
  key_hash text,
  idempotency_key text,
  sdk_version text,
  received_at timestamptz(3) not null,
  last_at timestamptz(3) not null,
  times integer not null,
  -- What could be read of the body.
  email text,
  order_id text,
  report_id text,
  amount numeric,
  currency text,
  discarded_at timestamptz(3),
  primary key (team_id, id),
  unique (team_id, identity)
);
create index refused_report_received_at on refused_report (team_id, received_at, id);
-- The oldest of a team's own, or of the others, make room for newer ones.
create index refused_report_own on refused_report (team_id, is_own, received_at, id);
-- The reports of one key or host are counted before another one is kept.
create index refused_report_sender on refused_report (team_id, (coalesce(key_hash, host)));

-- How many reports were refused on a day, kept or not, for the same reason, host and field; for 90 days. Written by servers
-- once a second. Read by Setup and by the webhook `refused.began`.
create table refused_count (
  team_id uuid not null references team,
  -- Its beginning in UTC.
  day timestamptz not null,
  reason text not null,
  -- Empty as above; `*` for all past the limit of a day.
  host text not null,
  field text not null,
  reports bigint not null,
  last_at timestamptz(3) not null,
  primary key (team_id, day, reason, host, field)
);
-- The expiry of all teams.
create index refused_count_age on refused_count (day);

-- SOURCES

-- A shop system whose signed webhooks count as key reports, and that can be asked for what no webhook brought. Two rows of
-- api_key, live and test, vouch for what it says. Written by commands and the console, by each event, and by the server that
-- asks. Read by each event.
create table source (
  team_id uuid not null references team,
  id uuid not null,
  kind text not null check (kind in ('stripe', 'shopify', 'woocommerce')),
  -- True when everything it says is a test, whatever the event says.
  is_test boolean not null,
  -- The last part of the source's URL.
  token text not null,
  -- As the provider shows it, because signatures are computed with it. Null until it is known.
  secret text,
  -- Stands before the shop's order ids and refund ids, because two shops may count alike. Empty for none.
  order_id_prefix text not null,
  created_at timestamptz(3) not null default now(),
  -- What became of the last event, for the setup page.
  last_event_at timestamptz(3),
  last_outcome text,
  -- Events since the secret was entered that another secret had signed.
  unsigned_events integer not null default 0,
  -- The shop's API: its address (null for the provider's own), its read-only key as the provider shows it (null where the
  -- shop cannot be asked), and if the address may be private.
  shop_url text,
  api_key text,
  allows_private boolean not null default false,
  -- When the shop is asked next. A server that asks moves it on first, so that no other one does.
  sync_at timestamptz(3),
  -- When it was asked last, and what came of it.
  synced_at timestamptz(3),
  last_sync json,
  -- All that changed in the shop before this time is stored.
  synced_until timestamptz(3),
  primary key (team_id, id)
);

-- WEBHOOKS

-- A webhook: an address of others to which a team's events are sent. Written by commands and the console; its failures by
-- the server that delivers. Read with each stored order.
create table hook (
  team_id uuid not null references team,
  id uuid not null,
  url text not null,
  events text[] not null,
  -- True when it gets test orders only; otherwise it gets live ones only.
  is_test boolean not null,
  format text not null check (format in ('standard', 'slack')),
  -- Of signatures, as its owner was shown it: `whsec_…`.
  secret text not null,
  -- True where private addresses may be called.
  allows_private boolean not null,
  created_at timestamptz(3) not null default now(),
  -- Time of the first failed attempt since the last one that succeeded.
  failing_since timestamptz(3),
  -- Time of the last failed attempt.
  failed_at timestamptz(3),
  -- Null while events are sent.
  disabled_at timestamptz(3),
  disabled_reason text,
  -- Set for a removed hook. Its row stays for an hour, in which transactions that saw it on may still end, so that the
  -- deliveries that they add are removed, too.
  removed_at timestamptz(3),
  primary key (team_id, id)
);

-- A delivery of an event to a hook, for 30 days, with what each attempt sends. Written in the transaction of the event, and by
-- the server that delivers. Read by that server, the console and `hook deliveries`. Erasing a buyer empties theirs.
create table hook_delivery (
  team_id uuid not null,
  -- Begins with its time, so that the primary key lists a hook's deliveries. That of `order.created` is its order's id, so
  -- that the primary key finds it by its order, too: further indexes cost orders of a team with a hook 12 % of their rate.
  id uuid not null,
  hook_id uuid not null,
  type text not null,
  -- The order or subscription that it is about; null for none.
  subject_id uuid,
  -- The content, as it was at the event: of `order.created` the order's row, of all others what is sent. Null once erased.
  data json,
  created_at timestamptz(3) not null default now(),
  -- Time of the next attempt; null when there is none. An attempt moves it on first, so that no other server makes the same.
  next_at timestamptz(3) default now(),
  attempts integer not null default 0,
  -- Time of the first attempt, or of the first one since it was sent again. Three days later the attempts end.
  begun_at timestamptz(3),
  -- Of the last attempt.
  attempted_at timestamptz(3),
  status integer,
  error text,
  answer text,
  took_ms integer,
  -- Time of the attempt that succeeded.
  delivered_at timestamptz(3),
  primary key (team_id, hook_id, id)
);
create index hook_delivery_due on hook_delivery (team_id, hook_id, next_at) where next_at is not null;
-- Deliveries whose last attempt failed.
create index hook_delivery_failed on hook_delivery (team_id, hook_id, id) where error is not null and delivered_at is null;
-- Deliveries of an order or a subscription that is erased, which the primary key does not find.
create index hook_delivery_subject on hook_delivery (team_id, subject_id) where id <> subject_id;

-- Silence of a team, for the webhook `orders.stopped`. Each minute one server claims the row, looks at the team's orders and
-- refusals, and writes it.
create table hook_watch (
  team_id uuid not null references team,
  checked_at timestamptz(3) not null,
  -- Time of the first check since the last time without checks, which is no silence: no server ran. Null for no such time.
  watched_since timestamptz(3),
  -- Time of the last order before the silence that was reported; null while orders come.
  stopped_since timestamptz(3),
  primary key (team_id)
);

-- A host or field that began to be refused on a day, of which the webhook `refused.began` was told; for some days. Written and
-- read by the server that checks.
create table hook_refused (
  team_id uuid not null references team,
  -- Its beginning in UTC.
  day timestamptz not null,
  -- `host` or `field`.
  kind text not null,
  -- `*` for all others of the day.
  name text not null,
  primary key (team_id, day, kind, name)
);

-- THE CONSOLE
-- Neither table is part of a backup: a restore must not bring back a session that was revoked since.

-- A link that opens a team's console, until it was used once. Written by commands and the console. Read by the sign-in.
create table console_link (
  team_id uuid not null references team,
  -- Of the link's token.
  hash text not null,
  created_at timestamptz(3) not null,
  -- A used link expires when it was made.
  expires_at timestamptz(3) not null,
  primary key (team_id, hash)
);

-- A browser that is signed in. Written by the sign-in. Read with each page of the console.
create table console_session (
  team_id uuid not null references team,
  -- Of the cookie's token.
  hash text not null,
  -- Names the session in lists, without opening it.
  id uuid not null,
  -- True for a browser that may look only, for lists. The token itself says so to the server.
  is_read_only boolean not null default false,
  created_at timestamptz(3) not null,
  last_seen_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  primary key (team_id, hash)
);

-- SUMS
-- Sums of closed days for the console, by the shop's clock. A server makes them in the background, and can make them again at
-- any time. None is part of a backup: a restore must not bring sums of orders that it does not have.

-- A day of which the sums were made. Where `is_summed` is false, or there is no row, an order of the day has changed since, and
-- the console reads the orders of the day. Written by the summing, and with each late change of an order.
create table summed_day (
  team_id uuid not null,
  day date not null,
  is_summed boolean not null,
  primary key (team_id, day)
);

-- Orders and money of a day.
create table order_day (
  team_id uuid not null,
  day date not null,
  is_test boolean not null,
  reported_by text not null,
  -- Empty for the small currencies of the day together; their amounts are not added up.
  currency text not null,
  orders bigint not null,
  amount numeric not null,
  primary key (team_id, day, is_test, reported_by, currency)
);

-- The same orders by where their buyers came from, once by each part of the landing.
create table order_origin_day (
  team_id uuid not null,
  day date not null,
  is_test boolean not null,
  touch text not null,
  -- `source`, `medium` or `campaign`.
  part text not null,
  -- `named`, `direct`, `unknown`, or `others` for the small names of the day together.
  kind text not null,
  -- Empty where the landing has none, and unless it is `named`.
  name text not null,
  currency text not null,
  orders bigint not null,
  -- Those that a key has reported.
  confirmed bigint not null,
  amount numeric not null,
  primary key (team_id, day, is_test, touch, part, kind, name, currency)
);
