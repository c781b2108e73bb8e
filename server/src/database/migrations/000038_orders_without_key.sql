-- PostgreSQL looked each order's buyer up again by this foreign key, although the statement that stores an order also
-- stores its buyer or locks the buyer's row. What the key alone prevented is that a buyer with orders is removed: a
-- trigger prevents it now, with the same error, also for the commands of earlier releases. An order that is being stored
-- holds the buyer's row, so the removal waits for it, and the trigger then sees the order.
-- Where PostgreSQL has Citus the key stays, because Citus has no triggers; `migrate --distribute` brings it back.
-- A statement ends with a semicolon at the end of a line, so the others stand within lines.
do $$ begin if to_regclass('pg_catalog.pg_dist_partition') is null then
  create function refuse_to_remove_buyer() returns trigger language plpgsql set search_path from current as $function$ begin
    if exists (select from placed_order where team_id = old.team_id and person_id = old.id) then
      raise foreign_key_violation using message = 'a person with orders cannot be removed', table = 'placed_order'
; end if; return null; end $function$
; create trigger person_without_orders after delete on person for each row execute function refuse_to_remove_buyer()
; alter table placed_order drop constraint placed_order_team_id_person_id_fkey
; end if; end $$;
