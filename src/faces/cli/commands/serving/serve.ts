import type { Configuration } from '../../../../core/config/layers.ts';
import type { MakePages } from '../../../mcp/serve.ts';
import type { ProfileName } from '../../../mcp/surface.ts';
import type { Example, ServerCommand } from '../../command.ts';

const fields = {
  http: { kind: 'switch', description: 'Short for --transport http.' },
} as const;

/** A command that serves one of the profiles. */
function server(
  profile: ProfileName,
  about: string,
  examples: readonly Example[],
  pagesFor: (configuration: Configuration) => MakePages | undefined = () => undefined,
): ServerCommand {
  return {
    fields,
    about,
    examples,
    settings: ({ http }) => (http === true ? { transport: 'http' } : {}),
    async serve(configuration, environment) {
      const { serve } = await import('../../../mcp/serve.ts');
      return serve(profile, configuration, environment, pagesFor(configuration));
    },
  };
}

export const mcp = server(
  'mcp',
  'Serves every skill to an MCP client through one tool, skill, which lists them in its description and loads them by ' +
    'name. This is what to put into the configuration of an agent; docs/clients.md has a snippet for each. Logs go to ' +
    'stderr. The server ends with code 0 when its client closes stdin, asks for it, or sends SIGINT or SIGTERM.',
  [
    { run: 'claude mcp add repertoire -- repertoire mcp', what: 'all skills of this machine in Claude Code' },
    { run: 'repertoire mcp --include project', what: 'those of the project alone' },
    { run: 'repertoire mcp --tool-names portable --tools skill,skills.search', what: 'with search, for any client' },
  ],
);

export const mcpServer = server(
  'mcp-server',
  'Serves the catalogue of skills to an MCP client: skills.list for all metadata, skills.search for those that contain ' +
    'certain words.',
  [
    { run: 'repertoire mcp-server --root ./skills', what: 'the skills of a checkout, with all others' },
    { run: 'repertoire mcp-server --no-scan-default-dirs --root ./skills', what: 'and without them' },
  ],
);

export const serve = server(
  'serve',
  'Serves everything to MCP clients: all tools, skills as resources and prompts, over stdio or, for any number of ' +
    'clients at once, over HTTP at /mcp. Beyond this machine a token is required. Over HTTP there is also the console ' +
    'for people, at /: the log shows the link that opens it.',
  [
    { run: 'repertoire serve --http --port 3000', what: 'one server for all agents of this machine' },
    {
      run: 'REPERTOIRE_TOKEN=… repertoire serve --http --host 0.0.0.0 --allowed-host skills.example.com',
      what: 'for a team',
    },
    { run: 'repertoire serve --transport sse', what: 'for clients that support only the older HTTP transport' },
  ],
  ({ values }) =>
    values.console === 'off'
      ? undefined
      : async (service) => (await import('../../console-pages.ts')).makeConsole(service, values),
);
