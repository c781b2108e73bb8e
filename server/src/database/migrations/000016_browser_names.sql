-- Of the browser that opened the link, such as `Firefox on Windows`; null where it names none.
alter table console_session add column browser text;
