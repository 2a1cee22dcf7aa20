import type { Settings } from '../../core/config/settings.ts';
import type { MakePages } from '../mcp/serve.ts';

/** Makes the console of a server, unless it is turned off. Its modules are loaded with the first one. */
export function consolePages(settings: Settings, open?: (link: string) => void): MakePages | undefined {
  const { console: asked } = settings;
  if (asked === 'off') return undefined;
  return async (service) => {
    const { engine } = service;
    const [{ createConsole }, { isLoopback }, { returnPath }] = await Promise.all([
      import('../web/console.ts'),
      import('../http/guards.ts'),
      import('../web/sign-in.ts'),
    ]);
    // Clients that can reach a shared server are not always meant to act on its machine.
    const mode = asked ?? (isLoopback(settings.host) ? 'full' : 'read');
    const { oauthClientId: clientId, oauthClientSecret: clientSecret } = settings;
    const signIn =
      clientId === undefined
        ? undefined
        : (await import('../http/sign-in.ts')).createSignIn({ ...settings, clientId, clientSecret, returnPath });
    const pages = createConsole({ engine, mode, serverToken: settings.authToken, signIn });
    return open === undefined ? pages : { ...pages, ready: (url) => open(`${url}${pages.pathOnce()}`) };
  };
}
