import { type Check, fail, pass } from '../../commands/check.js';
import type { Sql } from '../../database/connection/connect.js';
import { tables } from '../../database/tables.js';

interface GrantedRow {
  role: string;
  tables: string[];
  /** Set if default privileges give the role rights on each new table. */
  isDefault: boolean;
}

const tablesNamed = 3;

/**
 * Lists the roles that may read or change tables, besides their owner, this role and superusers. No check if there are
 * no such roles. The check fails if the database gives such rights by default, because nobody then decided on these
 * tables.
 */
export async function checkRights(sql: Sql): Promise<Check[]> {
  const granted = await listGranted(sql);
  const byDefault = granted.filter(({ isDefault }) => isDefault);
  if (byDefault.length > 0) {
    const names = [...new Set(byDefault.flatMap((row) => row.tables))].join(', ');
    const roles = byDefault.map(({ role }) => role).join(', ');
    return [
      fail(
        'rights',
        `Roles that the database gives rights by default: ${byDefault.map(describe).join('; ')}. On some platforms whoever knows a public key is one of them.`,
        `As the owner of the tables: revoke all on table ${names} from ${roles}`,
      ),
    ];
  }
  if (granted.length === 0) return [];
  return [pass('rights', `Granted to others on purpose: ${granted.map(describe).join('; ')}.`)];
}

function describe({ role, tables }: GrantedRow): string {
  const more = tables.length - tablesNamed;
  return `${role} on ${tables.slice(0, tablesNamed).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function listGranted(sql: Sql) {
  return sql<GrantedRow[]>`/* listGranted */
    select case grantee when 0 then 'public' else grantee::regrole::text end as role,
      json_agg(distinct relname::text) as tables, exists (
        select from pg_default_acl cross join lateral aclexplode(defaclacl) given
        where defaclobjtype = 'r' and defaclrole = relowner and defaclnamespace in (0, relnamespace)
          and given.grantee = held.grantee
      ) as "isDefault"
    from (
      select oid, relname, relowner, relnamespace, relacl as acl from pg_class
      union all
      select pg_class.oid, relname, relowner, relnamespace, attacl from pg_class join pg_attribute on attrelid = pg_class.oid
    ) owned cross join lateral aclexplode(acl) held
    where relnamespace = current_schema()::regnamespace and relname in ${sql(tables)}
      and grantee not in (select oid from pg_roles where rolsuper or rolname = current_user or oid = relowner)
    group by grantee, relowner, relnamespace
    order by 1`;
}
