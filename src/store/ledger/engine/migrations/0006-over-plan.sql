-- Why a delivery was dropped. Those of before have no reason, and neither has one that a replica of an earlier release drops
-- while others are upgraded: their endpoint was deleted. One text for SQLite and Postgres, as 0001-accounts.sql.

ALTER TABLE webhook_deliveries ADD COLUMN reason TEXT CHECK (reason IN ('endpoint_deleted', 'over_plan'));

-- An endpoint's place among those of its organization, oldest first, is counted in this index at every look.
DROP INDEX webhook_endpoints_organization;
CREATE INDEX webhook_endpoints_place ON webhook_endpoints (organization_id, created_at, id);
