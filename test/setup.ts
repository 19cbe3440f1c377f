/** Runs before every test file: the tests speak UTC and English, whatever machine they run on. */

process.env["TZ"] = "UTC";
