import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { SkillError } from '../kernel/errors.ts';
import type { Logger } from '../kernel/log.ts';
import { createAttempts, shortestToken } from './attempts.ts';
import { isLoopback } from './authority.ts';

const remedy =
  'Give one with --auth-token or REPERTOIRE_TOKEN, or in a file with --auth-token-file; for example from: openssl rand -hex 32';

/** `missing` and `wrong` are told apart, so that a client knows whether to ask its person; a number is of seconds to wait. */
export type TokenVerdict = 'right' | 'missing' | 'wrong' | number;
export type TokenCheck = (request: Pick<IncomingMessage, 'headers' | 'socket'>) => TokenVerdict;

/** Throws unless the token can protect a server at this host. Without one, only this machine may reach the server. */
export function checkToken(host: string, token: string | undefined, log: Logger): void {
  if (token === undefined) {
    if (isLoopback(host)) return;
    throw new SkillError('usage', `${host} can be reached from other machines: a token is required`, {
      hint: `${remedy}; or stay on this machine with --host 127.0.0.1`,
    });
  }
  if (token.trim() === '') throw new SkillError('usage', 'the token is empty', { hint: remedy });
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new SkillError('usage', 'the token contains a space or a character that a header cannot carry', {
      hint: remedy,
    });
  }
  if (token.length >= shortestToken) return;
  const problem = `the token has fewer than ${shortestToken} characters: it can be guessed`;
  if (!isLoopback(host)) throw new SkillError('usage', problem, { hint: remedy });
  log.warn(problem);
}

export function createTokenCheck(token: string | undefined): TokenCheck {
  if (token === undefined) return () => 'right';
  const expected = digest(token);
  const attempts = createAttempts();
  return ({ headers: { authorization }, socket }) => {
    const presented = authorization === undefined ? undefined : /^bearer +(\S+) *$/i.exec(authorization)?.[1];
    if (presented === undefined) return 'missing';
    // Digests have one length, so that the comparison tells nothing about the token, not even how long it is.
    return attempts.attempt(socket, presented, () => timingSafeEqual(digest(presented), expected));
  };
}

function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
