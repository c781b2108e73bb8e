-- Orders of a team with a hook wrote five index entries for each delivery, and stored 12 % fewer a second. A delivery's id
-- begins with its time now, so that the primary key lists a hook's deliveries. That of `order.created` is its order's id, so
-- that the primary key finds it by its order, too.
update hook_delivery set id = (
  lpad(to_hex((extract(epoch from (created_at - timestamptz '1970-01-01Z')) * 1000)::bigint), 12, '0')
  || '7' || substr(replace(id::text, '-', ''), 14)
)::uuid;
alter table hook_delivery drop constraint hook_delivery_pkey;
alter table hook_delivery add constraint hook_delivery_pkey primary key (team_id, hook_id, id);
drop index hook_delivery_listed;
drop index hook_delivery_failed;
create index hook_delivery_failed on hook_delivery (team_id, hook_id, id) where error is not null and delivered_at is null;
drop index hook_delivery_subject;
create index hook_delivery_subject on hook_delivery (team_id, subject_id) where id <> subject_id;
-- Time of the first attempt, or of the first one since it was sent again. Three days later the attempts end.
alter table hook_delivery add column begun_at timestamptz(3);
-- Set for a removed hook. Its row stays for an hour, in which transactions that saw it on may still end, so that what they
-- tell it is removed, too.
alter table hook add column removed_at timestamptz(3);
