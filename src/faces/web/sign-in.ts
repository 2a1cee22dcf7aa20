import { reasonOf } from '../../core/errors.ts';
import type { Exchange } from '../http/exchange.ts';
import { hasScope } from '../http/identity.ts';
import type { SignIn } from '../http/oauth.ts';
import { type Access, cookieName, cookiesIn, cookieText } from './access.ts';
import { answerWith, pageHeaders } from './answers.ts';
import { checkMethod } from './api.ts';

/** Paths of a sign-in at an authorization server: where it begins, where people come back to, and where it ends. */
const path = '/api/sign-in';
export const returnPath = `${path}/done`;
const leavePath = '/api/sign-out';

/** The way of a sign-in through the browser, or nothing where a path is none of it. */
export function signInRoute(signIn: SignIn | undefined, access: Access, { path: asked }: Exchange) {
  if (signIn === undefined) return undefined;
  if (asked === path) return (exchange: Exchange) => begin(exchange, signIn);
  if (asked === leavePath) return (exchange: Exchange) => leave(exchange, access);
  return asked === returnPath ? (exchange: Exchange) => end(exchange, signIn, access) : undefined;
}

async function begin(exchange: Exchange, signIn: SignIn): Promise<void> {
  checkMethod(exchange.request.method, 'GET');
  try {
    const { location, secret } = await signIn.begin(exchange);
    redirect(exchange, location, carried(exchange, secret, waitSeconds));
  } catch (error) {
    exchange.log.warn('nobody can sign in: the authorization server does not answer', { reason: reasonOf(error) });
    redirect(exchange, `${exchange.base}/#sign-in=unavailable`);
  }
}

async function end(exchange: Exchange, signIn: SignIn, access: Access): Promise<void> {
  checkMethod(exchange.request.method, 'GET');
  const over = carried(exchange, '', 0);
  const fail = (problem: SignInProblem, reason: string): void => {
    exchange.log.warn('a sign-in failed', { reason });
    redirect(exchange, `${exchange.base}/#sign-in=${problem}`, over);
  };
  try {
    const [secret] = cookiesIn(exchange, cookieName(exchange.client, 'sign-in-'));
    const identity = await signIn.end(exchange, secret);
    if ('refused' in identity) return fail('refused', identity.message);
    if (!hasScope(identity, 'skills:read')) return fail('forbidden', `${identity.subject} lacks the scope skills:read`);
    redirect(exchange, `${exchange.base}/`, over, await access.cookieFor(exchange, identity));
  } catch (error) {
    fail('unavailable', reasonOf(error));
  }
}

async function leave(exchange: Exchange, access: Access): Promise<void> {
  checkMethod(exchange.request.method, 'POST');
  const isOurs = (await access.problemWith(exchange)) === null;
  answerWith(exchange, { signedOut: isOurs }, isOurs ? { 'Set-Cookie': await access.leave(exchange) } : {});
}

export type SignInProblem = 'refused' | 'forbidden' | 'unavailable';

/** Seconds that somebody may take to sign in. */
const waitSeconds = 600;

/** The cookie of a sign-in under way. It must come along from another site, and is of use on these paths alone. */
function carried(exchange: Exchange, secret: string, seconds: number): string {
  const cookie = cookieText(exchange, cookieName(exchange.client, 'sign-in-'), secret, { path, sameSite: 'Lax' });
  return `${cookie}; Max-Age=${seconds}`;
}

function redirect({ response }: Exchange, location: string, ...cookies: readonly string[]): void {
  const headers = { ...pageHeaders, 'Cache-Control': 'no-store', Location: location };
  response.writeHead(302, { ...headers, ...(cookies.length > 0 && { 'Set-Cookie': [...cookies] }) }).end();
}
