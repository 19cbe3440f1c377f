-- One tool call as clients send it: argument "handshake" for the revisions that begin with one, "2026-07-28" for the one without.
function init(args)
  local params = '"name":"get_rate","arguments":{"base":"USD","quote":"JPY"}'
  wrk.method = "POST"
  wrk.headers["Content-Type"] = "application/json"
  wrk.headers["Accept"] = "application/json, text/event-stream"
  if args[1] == "2026-07-28" then
    local prefix = '"io.modelcontextprotocol/'
    params = params .. ',"_meta":{' .. prefix .. 'protocolVersion":"2026-07-28",' .. prefix
      .. 'clientInfo":{"name":"bench","version":"1"},' .. prefix .. 'clientCapabilities":{}}'
    wrk.headers["Mcp-Protocol-Version"] = "2026-07-28"
    wrk.headers["Mcp-Method"] = "tools/call"
    wrk.headers["Mcp-Name"] = "get_rate"
  end
  wrk.body = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{' .. params .. '}}'
end
