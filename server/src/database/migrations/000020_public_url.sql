-- The public URL of the server that started last, for commands that run without its settings.
alter table installation add column public_url text;
