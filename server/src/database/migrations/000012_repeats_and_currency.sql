-- The browsers that have reported an order after the one that it is of: a page with a constant order reports the same one for every
-- buyer. Written behind the answer to a page's report of a known order. Read by the console.
create table order_repeat (
  team_id uuid not null,
  placed_order_id uuid not null,
  -- Reports of other browsers.
  reports integer not null,
  -- Two bytes each of a hash, so that they tell browsers of one order apart, and name none. 100 at most.
  browsers smallint[] not null,
  last_at timestamptz(3) not null,
  primary key (team_id, placed_order_id),
  foreign key (team_id, placed_order_id) references placed_order (team_id, id) on delete cascade
);
create index order_repeat_last on order_repeat (team_id, last_at) where cardinality(browsers) >= 2;

-- Of the shop, such as EUR, for what the console prints and reads. A report without a currency still counts as USD.
alter table team add column currency text;
