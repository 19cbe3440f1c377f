-- A claim belongs to the row of a worker, which lives by its heartbeat, and no longer to a span of time. The column
-- ready_at goes. What an older release had claimed is free. One text for SQLite and Postgres, as 0001-accounts.sql.

-- Instants of the database's own clock. A worker is dead when its heartbeat is 4 s old; whoever finds it so removes it.
CREATE TABLE delivery_workers (
  id TEXT NOT NULL PRIMARY KEY,
  started_at BIGINT NOT NULL,
  beat_at BIGINT NOT NULL
);

-- SQLite cannot drop a column that a CHECK names, and dropping a table deletes what refers to it: so both are copied.
CREATE TABLE deliveries_0004 (
  id TEXT NOT NULL PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  endpoint_id TEXT NOT NULL,
  event_position BIGINT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('pending', 'delivered', 'failed', 'dropped')),
  attempts INTEGER NOT NULL,
  due_at BIGINT,
  -- Who has it in hand. With the worker's row its claims end.
  worker TEXT REFERENCES delivery_workers (id) ON DELETE SET NULL,
  -- Of the claim that is out, or of one whose worker was removed and that nobody has taken over.
  token TEXT,
  changed_at BIGINT NOT NULL,
  UNIQUE (endpoint_id, event_position),
  CHECK ((state = 'pending') = (due_at IS NOT NULL)),
  CHECK (token IS NULL OR state = 'pending'),
  CHECK (worker IS NULL OR token IS NOT NULL)
);
CREATE TABLE attempts_0004 (
  delivery_id TEXT NOT NULL REFERENCES deliveries_0004 (id) ON DELETE CASCADE,
  nth INTEGER NOT NULL,
  at BIGINT NOT NULL,
  status INTEGER,
  fault TEXT,
  milliseconds BIGINT NOT NULL,
  address TEXT,
  PRIMARY KEY (delivery_id, nth),
  CHECK (status IS NOT NULL OR fault IS NOT NULL)
);
INSERT INTO deliveries_0004 (id, organization_id, endpoint_id, event_position, state, attempts, due_at, changed_at)
  SELECT id, organization_id, endpoint_id, event_position, state, attempts, due_at, changed_at FROM webhook_deliveries;
INSERT INTO attempts_0004 (delivery_id, nth, at, status, fault, milliseconds, address)
  SELECT delivery_id, nth, at, status, fault, milliseconds, address FROM webhook_attempts;
DROP TABLE webhook_attempts;
DROP TABLE webhook_deliveries;
ALTER TABLE deliveries_0004 RENAME TO webhook_deliveries;
ALTER TABLE attempts_0004 RENAME TO webhook_attempts;

CREATE INDEX webhook_deliveries_due ON webhook_deliveries (due_at) WHERE state = 'pending' AND worker IS NULL;
CREATE INDEX webhook_deliveries_due_each ON webhook_deliveries (endpoint_id, due_at, event_position) WHERE state = 'pending' AND worker IS NULL;
CREATE INDEX webhook_deliveries_out ON webhook_deliveries (endpoint_id) WHERE worker IS NOT NULL;
CREATE INDEX webhook_deliveries_worker ON webhook_deliveries (worker) WHERE worker IS NOT NULL;
CREATE INDEX webhook_deliveries_organization ON webhook_deliveries (organization_id);
CREATE INDEX webhook_deliveries_changed ON webhook_deliveries (changed_at);
