-- What the dashboard shows and switches: how many refused requests met the month's quota, which are among those that a limit
-- refused; and endpoints that their owner has disabled. A replica of an earlier release writes the defaults.

ALTER TABLE usage_daily ADD COLUMN quota_exceeded BIGINT NOT NULL DEFAULT 0;
ALTER TABLE webhook_endpoints ADD COLUMN enabled INTEGER NOT NULL DEFAULT 1;
