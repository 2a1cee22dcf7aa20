import { SkillError } from '../../../../core/errors.ts';
import type { ServerCommand } from '../../command.ts';

const fields = {
  noOpen: { kind: 'switch', description: 'Print the link without opening a browser.' },
} as const;

const quiet: ReadonlySet<string> = new Set(['silent', 'error', 'warn']);

export const web: ServerCommand = {
  fields,
  about:
    'Starts a server on this machine and opens its console in the browser: skills to browse, search and read, tools to ' +
    'run, grants to give and take back, what agents did, and how the server is doing. The link holds a token that is ' +
    'valid until the server ends. MCP clients can use the same server, at /mcp, with --auth-token. Ctrl-C ends it.',
  examples: [
    { run: 'repertoire web', what: 'the console, at any free port' },
    { run: 'repertoire web --port 3000 --no-open', what: 'at this one, for a browser of your choice' },
    { run: 'repertoire web --console read', what: 'read-only' },
  ],
  settings: () => ({ transport: 'http' }),
  async serve(configuration, environment, { noOpen }) {
    const { serve } = await import('../../../mcp/serve.ts');
    const { values, origins } = configuration;
    // Nobody types this address: any free port will do, and none conflicts with another server.
    const port = origins.port.from === 'default' ? 0 : values.port;
    // Other users of this machine are kept out: without the console's token, or a given one, nothing is answered.
    const authToken = values.authToken ?? process.getBuiltinModule('node:crypto').randomBytes(32).toString('base64url');
    // The console is for the person who started it, and shows what their commands show.
    const settings = { ...values, port, authToken, shareRemote: true };
    if (settings.console === 'off') throw new SkillError('usage', 'there is no console to open with --console off');
    // A person who opens the link by hand must see it, or have another way in.
    if (noOpen === true && quiet.has(values.logLevel) && values.authToken === undefined) {
      throw new SkillError('usage', `with --log-level ${values.logLevel} the link would not be printed`, {
        hint: 'Leave out --no-open or --log-level, or sign in with a token of your own: --auth-token.',
      });
    }
    const { openBrowser } = await import('../../../web/open.ts');
    const open = noOpen === true ? undefined : (link: string) => openBrowser(link, environment);
    const { makeConsole } = await import('../../console-pages.ts');
    return serve('serve', { ...configuration, values: settings }, environment, (service) =>
      makeConsole(service, settings, open),
    );
  },
};
