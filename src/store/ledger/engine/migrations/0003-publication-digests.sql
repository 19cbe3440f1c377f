-- Official versions get a digest over all their columns, held against them whenever they are read. Those of before have
-- none and keep none: nothing of a row ever changes, and a replica of an earlier release may still add such rows while
-- others are upgraded. Their fingerprint speaks for rates and validity. One text for SQLite and Postgres, as 0001-accounts.sql.

ALTER TABLE official_versions ADD COLUMN digest TEXT;
