-- Sums of orders for the console, in place of order_count and order_count_range: those tables are left to servers of
-- release 0.2.0. Not part of a backup: a restore must not bring sums of orders that it does not have.

-- The time at which an order was made before a key's report, which named another buyer, gave it its own time; null when
-- none has.
alter table placed_order add column moved_from timestamptz(3);

-- Sums by quarter of an hour: every time zone's days and hours consist of whole ones. They hold the orders whose ids
-- are in the range of order_sum_range, without those that were moved.
create table order_sum (
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

-- Which orders of a team the sums hold: those with ids from the first one up to before the second.
create table order_sum_range (
  team_id uuid not null primary key,
  from_id uuid not null,
  to_id uuid not null,
  -- The sums hold what was changed in these orders before this time.
  checked_at timestamptz not null
);
