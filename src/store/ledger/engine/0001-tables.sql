-- All tables of the ledger. One text for SQLite and Postgres: TEXT, BIGINT and INTEGER only; instants are milliseconds
-- since 1970, days YYYY-MM-DD, months YYYY-MM, truth 0 or 1, JSON is text.

CREATE TABLE identities (
  id TEXT NOT NULL PRIMARY KEY,
  email TEXT UNIQUE,
  password_hash TEXT,
  iss TEXT,
  sub TEXT,
  email_verified_at BIGINT,
  role TEXT NOT NULL CHECK (role IN ('user', 'admin')),
  created_at BIGINT NOT NULL,
  suspended_at BIGINT,
  UNIQUE (iss, sub),
  CHECK ((iss IS NULL) = (sub IS NULL))
);

CREATE TABLE sessions (
  id TEXT NOT NULL PRIMARY KEY,
  identity_id TEXT NOT NULL REFERENCES identities (id),
  secret_hash TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  last_seen_at BIGINT NOT NULL,
  user_agent TEXT,
  address TEXT,
  ended_at BIGINT
);
CREATE INDEX sessions_identity ON sessions (identity_id);

CREATE TABLE one_time_tokens (
  id TEXT NOT NULL PRIMARY KEY,
  secret_hash TEXT NOT NULL,
  purpose TEXT NOT NULL CHECK (purpose IN ('verify_email', 'reset_password')),
  identity_id TEXT NOT NULL REFERENCES identities (id),
  email TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  used_at BIGINT
);
CREATE INDEX one_time_tokens_identity ON one_time_tokens (identity_id);

CREATE TABLE consents (
  identity_id TEXT NOT NULL REFERENCES identities (id),
  policy_version TEXT NOT NULL,
  accepted_at BIGINT NOT NULL,
  PRIMARY KEY (identity_id, policy_version)
);

CREATE TABLE organizations (
  id TEXT NOT NULL PRIMARY KEY,
  owner_id TEXT NOT NULL UNIQUE REFERENCES identities (id),
  tier TEXT NOT NULL CHECK (tier IN ('free', 'basic', 'plus', 'pro')),
  status TEXT NOT NULL CHECK (status IN ('active', 'past_due', 'suspended', 'canceled')),
  billing_customer_id TEXT UNIQUE,
  billing_subscription_id TEXT UNIQUE,
  past_due_since BIGINT,
  attribution TEXT,
  marketing_consent INTEGER NOT NULL,
  created_at BIGINT NOT NULL
);
CREATE INDEX organizations_past_due ON organizations (past_due_since) WHERE past_due_since IS NOT NULL;

CREATE TABLE api_keys (
  id TEXT NOT NULL PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  prefix TEXT NOT NULL,
  lookup TEXT NOT NULL UNIQUE,
  envelope TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  last_used_at BIGINT,
  revoke_at BIGINT,
  revoked_at BIGINT
);
CREATE INDEX api_keys_organization ON api_keys (organization_id);
CREATE INDEX api_keys_prefix ON api_keys (prefix);
-- One current key an organization, whatever races.
CREATE UNIQUE INDEX api_keys_current ON api_keys (organization_id) WHERE revoke_at IS NULL AND revoked_at IS NULL;

CREATE TABLE usage_daily (
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  day TEXT NOT NULL,
  served BIGINT NOT NULL,
  rate_limited BIGINT NOT NULL,
  -- How many of the refused ones met the month's quota.
  quota_exceeded BIGINT NOT NULL,
  PRIMARY KEY (organization_id, day)
);

-- By person, because the quota is theirs, also after their organization is deleted. Without a reference to identities, which are
-- never deleted: adding to it must not wait for their locks.
CREATE TABLE usage_monthly (
  identity_id TEXT NOT NULL,
  month TEXT NOT NULL,
  calls BIGINT NOT NULL,
  PRIMARY KEY (identity_id, month)
);
CREATE INDEX usage_monthly_month ON usage_monthly (month);

-- Mails about the quota: one for each share of it a person and month, whatever races and however often the plan changes.
CREATE TABLE quota_mails (
  identity_id TEXT NOT NULL,
  month TEXT NOT NULL,
  percent INTEGER NOT NULL,
  PRIMARY KEY (identity_id, month, percent)
);

CREATE TABLE usage_batches (
  id TEXT NOT NULL PRIMARY KEY,
  applied_at BIGINT NOT NULL
);
CREATE INDEX usage_batches_applied ON usage_batches (applied_at);

-- No references to other tables: these two outlive everything.
CREATE TABLE billing_events (
  id TEXT NOT NULL PRIMARY KEY,
  type TEXT NOT NULL,
  object_id TEXT,
  received_at BIGINT NOT NULL,
  processed_at BIGINT,
  outcome TEXT
);
CREATE INDEX billing_events_unprocessed ON billing_events (received_at) WHERE processed_at IS NULL;

CREATE TABLE audit_log (
  id TEXT NOT NULL PRIMARY KEY,
  at BIGINT NOT NULL,
  actor TEXT NOT NULL,
  action TEXT NOT NULL,
  subject TEXT NOT NULL,
  detail TEXT NOT NULL
);
CREATE INDEX audit_log_time ON audit_log (at, id);
CREATE INDEX audit_log_subject ON audit_log (subject, at, id);

CREATE TABLE leases (
  name TEXT NOT NULL PRIMARY KEY,
  holder TEXT NOT NULL,
  epoch BIGINT NOT NULL,
  expires_at BIGINT NOT NULL
);

-- What was wrong and for how long, as the collecting process saw it. A part has at most one open incident of a fault.
CREATE TABLE incidents (
  fault TEXT NOT NULL,
  since BIGINT NOT NULL,
  until BIGINT,
  PRIMARY KEY (fault, since)
);
CREATE UNIQUE INDEX incidents_open ON incidents (fault) WHERE until IS NULL;
CREATE INDEX incidents_until ON incidents (until);

-- How often each part was looked at on a day, and how often it was at fault then: the bars of the status page.
CREATE TABLE status_days (
  part TEXT NOT NULL,
  day TEXT NOT NULL,
  looks BIGINT NOT NULL,
  faults BIGINT NOT NULL,
  PRIMARY KEY (part, day)
);

CREATE TABLE installation (
  name TEXT NOT NULL PRIMARY KEY,
  value TEXT NOT NULL
);

-- The last place that was given in the order of commits. A transaction that gives places locks this row until its commit.
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

-- Every version ever collected; nothing of a row ever changes. Rows are a JSON list of [base, quote, rate, unit, kind]. The
-- digest is over all other columns, and compared whenever a row is read.
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
  digest TEXT NOT NULL,
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
  -- The chosen types, a JSON list.
  events TEXT NOT NULL CHECK (events <> '[]'),
  is_enabled INTEGER NOT NULL,
  secret TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  secret_at BIGINT NOT NULL,
  -- When one of its deliveries was claimed last, by which endpoints take turns.
  claimed_at BIGINT NOT NULL
);
-- An endpoint's place among those of its organization, oldest first, is counted in this index at every poll.
CREATE INDEX webhook_endpoints_place ON webhook_endpoints (organization_id, created_at, id);

-- Instants of the database's own clock. A worker is dead when its heartbeat is 4 s old; any other worker then removes it.
CREATE TABLE delivery_workers (
  id TEXT NOT NULL PRIMARY KEY,
  started_at BIGINT NOT NULL,
  beat_at BIGINT NOT NULL
);

-- No reference to the endpoint, which its deliveries outlive, nor to the event: that goes with its only delivery or never.
-- One event has one position, so the pair is unique by the event's id too: no event is queued twice for an endpoint.
CREATE TABLE webhook_deliveries (
  id TEXT NOT NULL PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  endpoint_id TEXT NOT NULL,
  event_position BIGINT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('pending', 'delivered', 'failed', 'dropped')),
  -- Why it was dropped.
  reason TEXT CHECK (reason IN ('endpoint_deleted', 'over_plan')),
  attempts INTEGER NOT NULL,
  due_at BIGINT,
  -- Which worker has claimed it. With the worker's row its claims end.
  worker TEXT REFERENCES delivery_workers (id) ON DELETE SET NULL,
  -- Of the claim that is out, or of one whose worker was removed and that no other worker has taken over.
  token TEXT,
  changed_at BIGINT NOT NULL,
  UNIQUE (endpoint_id, event_position),
  CHECK ((state = 'dropped') = (reason IS NOT NULL)),
  CHECK ((state = 'pending') = (due_at IS NOT NULL)),
  CHECK (token IS NULL OR state = 'pending'),
  CHECK (worker IS NULL OR token IS NOT NULL)
);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (due_at) WHERE state = 'pending' AND worker IS NULL;
CREATE INDEX webhook_deliveries_due_each ON webhook_deliveries (endpoint_id, due_at, event_position) WHERE state = 'pending' AND worker IS NULL;
CREATE INDEX webhook_deliveries_out ON webhook_deliveries (endpoint_id) WHERE worker IS NOT NULL;
CREATE INDEX webhook_deliveries_worker ON webhook_deliveries (worker) WHERE worker IS NOT NULL;
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
  -- Request line and headers as sent; the body is the event's.
  head TEXT,
  PRIMARY KEY (delivery_id, nth),
  CHECK (status IS NOT NULL OR fault IS NOT NULL)
);
