-- The orders that one press of a button has stored from a shop's file, so that another press takes them back for a day.
-- Written and read by the console's comparison. No part of a backup: a restore begins a new day.
create table compare_press (
  team_id uuid not null references team,
  id uuid not null,
  is_test boolean not null,
  stored_at timestamptz(3) not null,
  -- Those that are still to be taken back. 5,000 at most.
  order_ids uuid[] not null,
  primary key (team_id, id)
);
