-- When the demo was removed: from then on no start of a server makes it again.
alter table installation add column demo_removed_at timestamptz(3);
