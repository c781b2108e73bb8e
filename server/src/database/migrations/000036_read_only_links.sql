-- Browsers that may look only, for lists. The token itself says so to the server; releases before this one refuse such tokens.
alter table console_session add column is_read_only boolean not null default false;
