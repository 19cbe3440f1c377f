-- People, organizations, keys, usage, billing, audit, leases. One text for SQLite and Postgres: TEXT, BIGINT and
-- INTEGER only; instants are milliseconds since 1970, days YYYY-MM-DD, months YYYY-MM, truth 0 or 1, JSON is text.

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
  PRIMARY KEY (organization_id, day)
);

CREATE TABLE usage_monthly (
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  month TEXT NOT NULL,
  calls BIGINT NOT NULL,
  PRIMARY KEY (organization_id, month)
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

CREATE TABLE installation (
  name TEXT NOT NULL PRIMARY KEY,
  value TEXT NOT NULL
);
