-- How the buyer came to the shop, as `Touch` of the contract: the first landing, and the last one of a campaign.
alter table placed_order add column first_touch json;
alter table placed_order add column last_touch json;
-- Fields of the report that the contract does not name, as they were sent.
alter table placed_order add column extra json;
