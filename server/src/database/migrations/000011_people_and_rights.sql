-- True for somebody whom a command or an import added, who stays when the last order leaves. Nobody knows that of those who were
-- there before this column: they stay, too.
alter table person add column is_contact boolean not null default true;
alter table person alter column is_contact set default false;
-- When `orderbeacon backup` last wrote a complete file; null for never.
alter table installation add column backed_up_at timestamptz(3);
-- Rights that default privileges gave to others when the tables were made: a platform's API would hand out people and secrets.
-- A right that was granted on a table, and is no default, stays. Of later tables `withholdTables` revokes them.
do $$
declare revoke_one text
; begin
  for revoke_one in
    select distinct format('revoke %s on table %s from %s', held.privilege_type, pg_class.oid::regclass,
      case held.grantee when 0 then 'public' else held.grantee::regrole::text end)
    from pg_class cross join lateral aclexplode(relacl) held
      join pg_default_acl on defaclrole = relowner and defaclobjtype = 'r' and defaclnamespace in (0, relnamespace)
      cross join lateral aclexplode(defaclacl) given
    where relkind in ('r', 'p') and relnamespace = current_schema()::regnamespace
      and held.grantee <> relowner and given.grantee = held.grantee and given.privilege_type = held.privilege_type
      and relname in (
        'migration', 'installation', 'team', 'api_key', 'signing_key', 'domain', 'person', 'sequence', 'subscription', 'product',
        'placed_order', 'order_key', 'refund', 'refused_report', 'refused_count', 'source', 'hook', 'hook_delivery',
        'hook_watch', 'hook_refused', 'console_link', 'console_session', 'compare_press', 'summed_day', 'order_day',
        'order_origin_day'
      )
  loop execute revoke_one
  ; end loop
; end $$;
