-- Keys with which a shop's server signs the orders of its pages. A signature can only be checked with the key itself, so it
-- is stored, and not its hash.
create table signing_key (
  team_id uuid not null references team,
  id uuid not null,
  secret text not null,
  name text,
  -- True for a key that signs test orders only.
  is_test boolean not null,
  created_at timestamptz(3) not null default now(),
  revoked_at timestamptz(3),
  primary key (team_id, id)
);

-- True when the team refuses the reports of pages that are not signed. Each domain has the team's value too, because
-- the statement that stores orders reads the domain, and not the team.
alter table team add column requires_signature boolean not null default false;
alter table domain add column requires_signature boolean not null default false;

-- As in 000028_distribute_new_tables.sql.
do $$ begin if to_regclass('pg_catalog.pg_dist_partition') is not null then
  perform create_distributed_table('signing_key', 'team_id', colocate_with => 'placed_order')
  from pg_dist_partition where logicalrelid = 'placed_order'::regclass and partmethod = 'h'
; end if; end $$;
