-- How many quotes are new to the date's file.
SELECT count(*)::INTEGER AS rows FROM fresh
