-- Places of kept reports are counted by who sent them, so that strangers take none of those that belong to the team.
-- Reports that a server of release 0.2.0 kept have neither places nor hashes, until a newer server has read them.

-- The page's host was among the team's domains when the report was kept.
alter table refused_report add column is_allowed boolean not null default false;
-- One for each 16 KiB of the body that have begun.
alter table refused_report add column places integer;
-- Hashes of the emails in a body without a valid email of the buyer; null until it is read.
alter table refused_report add column email_hashes integer[];
