-- Backends and pages get identifiers of their own. Servers of release 0.1.0 keep working: they name the columns
-- that they know, and each of these has a default.

-- The `Idempotency-Key` of a report with a key. `report_id` is the one of a page from here on.
alter table placed_order add column idempotency_key text;
-- Which of name, items and visitorId only pages said of an order that a key has reported too; a JSON array or null.
alter table placed_order add column page_fields json;
-- True for a name that a live key or a command gave: no page's name and no test's replaces it.
alter table person add column name_by_key boolean not null default false;
