-- What an identity has used of a month in organizations that it has deleted: a number, for the quota alone, removed when the
-- month is over. Without a reference to identities, which are never deleted: adding to it must not wait for their locks.

CREATE TABLE usage_carried (
  identity_id TEXT NOT NULL,
  month TEXT NOT NULL,
  calls BIGINT NOT NULL,
  PRIMARY KEY (identity_id, month)
);
CREATE INDEX usage_carried_month ON usage_carried (month);
