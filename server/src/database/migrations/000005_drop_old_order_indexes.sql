-- orderbeacon: no transaction
-- They made one order of a live and a test report; those of 000003 serve the servers of release 0.1.0 as well.
drop index concurrently if exists placed_order_team_id_order_id_idx;
drop index concurrently if exists placed_order_team_id_report_id_idx;
