/** Capabilities that this server announces to every client. */
export const capabilities = {
  tools: { listChanged: true },
  resources: { listChanged: true },
  prompts: { listChanged: true },
  completions: {},
  extensions: { 'io.modelcontextprotocol/skills': { directoryRead: true } },
};
