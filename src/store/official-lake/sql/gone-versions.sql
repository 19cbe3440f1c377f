-- Versions of the old file that the new one does not have, or has otherwise.
CREATE OR REPLACE TEMP TABLE gone (publication VARCHAR, version INTEGER)
