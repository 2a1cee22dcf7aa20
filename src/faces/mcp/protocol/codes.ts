/** Error codes of JSON-RPC, and those that MCP servers have added. */
export const codes = {
  parseError: -32700,
  invalidRequest: -32600,
  invalidParams: -32602,
  internalError: -32603,
  refused: -32000,
  sessionNotFound: -32001,
} as const;
