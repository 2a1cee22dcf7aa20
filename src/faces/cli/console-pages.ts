import type { Settings } from '../../core/config/settings.ts';
import type { Engine } from '../../engine/engine.ts';
import { isLoopback } from '../http/guards.ts';
import type { MakePages } from '../mcp/serve.ts';
import { createConsole } from '../web/console.ts';
import { returnPath } from '../web/sign-in.ts';

/** Makes the console of a server. Everything it needs is loaded with this module, by the first server that has one. */
export async function makeConsole(
  { engine }: Parameters<MakePages>[0],
  settings: Settings,
  open?: (link: string) => void,
): ReturnType<MakePages> {
  // Clients that can reach a shared server are not always meant to act on its machine.
  const { console: asked, host, oauthClientId: clientId, oauthClientSecret: clientSecret } = settings;
  const mode = asked === 'full' || (asked === undefined && isLoopback(host)) ? 'full' : 'read';
  const signIn =
    clientId === undefined
      ? undefined
      : (await import('../http/oauth.ts')).createSignIn({ ...settings, clientId, clientSecret, returnPath });
  const shared = await sharedVisits(engine, settings);
  const pages = createConsole({ engine, mode, serverToken: settings.authToken, signIn, shared });
  return open === undefined ? pages : { ...pages, ready: (url) => open(`${url}${pages.pathOnce()}`) };
}

/** Characters of the shortest secret that visits are sealed with: a shorter one could be guessed from what the cluster has. */
const shortestSecret = 16;

/**
 * The visits of the console that the servers of a cluster share, by a secret that all of them have: those who may write to the
 * cluster, such as its workers, must not be able to make one.
 */
async function sharedVisits(engine: Engine, { cluster, oauthClientId, oauthClientSecret, authToken }: Settings) {
  if (cluster === undefined) return undefined;
  const secret = oauthClientSecret ?? authToken;
  if (secret !== undefined && secret.length >= shortestSecret)
    return (await import('../../engine/cluster/sessions.ts')).visitsOf(engine, secret);
  if (oauthClientId !== undefined)
    engine.log?.warn(
      'whoever signs in is known to this server alone: set oauth_client_secret, or a token, on all servers',
    );
  return undefined;
}
