-- True for a refused report of a test key, or of a host whose orders are tests; false where nobody knows.
alter table refused_report add column is_test boolean not null default false;
