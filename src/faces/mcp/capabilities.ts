/** What this server can do, as it tells every client. */
export const capabilities = {
  tools: { listChanged: true },
  resources: { listChanged: true },
  prompts: { listChanged: true },
  completions: {},
  extensions: { 'io.modelcontextprotocol/skills': { directoryRead: true } },
};
