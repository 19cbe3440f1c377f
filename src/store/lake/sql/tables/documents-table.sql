-- Every document of the change once; `incoming.document` is its id.
CREATE TEMP TABLE documents (id UINTEGER, url VARCHAR, sha256 VARCHAR)
