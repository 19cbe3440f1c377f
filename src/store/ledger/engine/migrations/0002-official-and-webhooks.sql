-- Official publications, webhook endpoints, the outbox. One text for SQLite and Postgres, as 0001-accounts.sql.

-- The last place that was given in the order of commits. Whoever gives places holds this row until its commit.
CREATE TABLE commit_order (
  id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
  position BIGINT NOT NULL
);
INSERT INTO commit_order (id, position) VALUES (1, 0);

-- Of each publication its newest version: how lists and the newest by validity are found.
CREATE TABLE official_publications (
  table_id TEXT NOT NULL,
  publication TEXT NOT NULL,
  newest_version BIGINT NOT NULL,
  valid_from TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  PRIMARY KEY (table_id, publication)
);
CREATE INDEX official_publications_validity ON official_publications (table_id, valid_from, publication);

-- Every version ever collected; nothing of a row ever changes. Rows are a JSON list of [base, quote, rate, unit, kind].
CREATE TABLE official_versions (
  table_id TEXT NOT NULL,
  publication TEXT NOT NULL,
  version BIGINT NOT NULL,
  valid_from TEXT NOT NULL,
  valid_to TEXT,
  published_at BIGINT,
  retrieved_at BIGINT NOT NULL,
  source_url TEXT NOT NULL,
  document_sha256 TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  rows_json TEXT NOT NULL,
  PRIMARY KEY (table_id, publication, version),
  FOREIGN KEY (table_id, publication) REFERENCES official_publications (table_id, publication)
);

-- Official events have a table and are kept for good. One for a single endpoint (a test) has that endpoint instead, and
-- its id, which is made of the time, is unique for that endpoint only.
CREATE TABLE webhook_events (
  position BIGINT NOT NULL PRIMARY KEY,
  id TEXT NOT NULL,
  type TEXT NOT NULL CHECK (type IN ('official.published', 'official.corrected', 'webhook.test')),
  table_id TEXT,
  endpoint_id TEXT,
  created_at BIGINT NOT NULL,
  body TEXT NOT NULL,
  CHECK ((table_id IS NULL) = (type = 'webhook.test')),
  CHECK ((endpoint_id IS NULL) = (type <> 'webhook.test'))
);
CREATE UNIQUE INDEX webhook_events_official ON webhook_events (id) WHERE endpoint_id IS NULL;
CREATE UNIQUE INDEX webhook_events_test ON webhook_events (endpoint_id, id) WHERE endpoint_id IS NOT NULL;
CREATE INDEX webhook_events_table ON webhook_events (table_id, position);
CREATE INDEX webhook_events_created ON webhook_events (created_at);

CREATE TABLE webhook_endpoints (
  id TEXT NOT NULL PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  url TEXT NOT NULL,
  description TEXT NOT NULL,
  wants_published INTEGER NOT NULL,
  wants_corrected INTEGER NOT NULL,
  secret TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  secret_at BIGINT NOT NULL,
  -- When one of its deliveries was claimed last, by which endpoints take turns.
  claimed_at BIGINT NOT NULL,
  CHECK (wants_published + wants_corrected > 0)
);
CREATE INDEX webhook_endpoints_organization ON webhook_endpoints (organization_id);

-- No reference to the endpoint, which its deliveries outlive, nor to the event: that goes with its only delivery or never.
-- One event has one position, so the pair is unique by the event's id too: none is queued twice for an endpoint.
CREATE TABLE webhook_deliveries (
  id TEXT NOT NULL PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  endpoint_id TEXT NOT NULL,
  event_position BIGINT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('pending', 'delivered', 'failed', 'dropped')),
  attempts INTEGER NOT NULL,
  due_at BIGINT,
  -- From when it may be claimed: when it is due, or while a claim is out the end of that claim.
  ready_at BIGINT,
  -- Of the claim that is out, or that has run out and was not taken over.
  token TEXT,
  changed_at BIGINT NOT NULL,
  UNIQUE (endpoint_id, event_position),
  CHECK ((state = 'pending') = (due_at IS NOT NULL)),
  CHECK ((due_at IS NULL) = (ready_at IS NULL)),
  CHECK (token IS NULL OR state = 'pending')
);
CREATE INDEX webhook_deliveries_ready ON webhook_deliveries (ready_at) WHERE state = 'pending';
CREATE INDEX webhook_deliveries_ready_each ON webhook_deliveries (endpoint_id, ready_at, event_position) WHERE state = 'pending';
CREATE INDEX webhook_deliveries_out ON webhook_deliveries (endpoint_id, ready_at) WHERE token IS NOT NULL;
CREATE INDEX webhook_deliveries_organization ON webhook_deliveries (organization_id);
CREATE INDEX webhook_deliveries_changed ON webhook_deliveries (changed_at);

-- Attempts that ended, in their order; never changed, and gone only with their delivery.
CREATE TABLE webhook_attempts (
  delivery_id TEXT NOT NULL REFERENCES webhook_deliveries (id) ON DELETE CASCADE,
  nth INTEGER NOT NULL,
  at BIGINT NOT NULL,
  status INTEGER,
  fault TEXT,
  milliseconds BIGINT NOT NULL,
  address TEXT,
  PRIMARY KEY (delivery_id, nth),
  CHECK (status IS NOT NULL OR fault IS NOT NULL)
);
