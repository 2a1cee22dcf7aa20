// The protocol library's own server with its skills extension, over stdio, for the folder in its one argument.
import { McpServer } from '@modelcontextprotocol/server';
import { loadSkills } from '@modelcontextprotocol/server/ext/skills/node';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

const skills = await loadSkills(process.argv[2]);
serveStdio(() => {
  const mcp = new McpServer({ name: 'library', version: '1.0.0' });
  skills.attach(mcp);
  return mcp;
});
