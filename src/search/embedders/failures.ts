import { SkillError } from '../../core/errors.ts';
import { cut } from '../../core/text/text.ts';
import type { Endpoint } from './endpoint.ts';
import type { Reply } from './post.ts';

type Failure = Exclude<Reply, { readonly kind: 'answer' }>;

interface Explanation {
  readonly what: string;
  readonly hint: string;
}

/** Hint that every failure ends with: the way out. */
const wayOut = 'Without embeddings_url, search uses the built-in model.';

/** The error for a failed request. No cause is kept: those of requests hold what was sent. */
export function failureOf(reply: Failure, endpoint: Endpoint): SkillError {
  const { what, hint } = explanationOf(reply, endpoint);
  return serviceError(endpoint, what, hint);
}

/** The error for an answer that cannot be used. */
export function answerError(endpoint: Endpoint, problem: string): SkillError {
  const hint = 'Give the address of a service that speaks the OpenAI format, and a model for embeddings.';
  return serviceError(endpoint, `gave an answer that cannot be used: ${problem}`, hint);
}

function serviceError({ shown }: Endpoint, what: string, hint: string): SkillError {
  return new SkillError('unreadable', `the embeddings service at ${shown} ${what}`, { hint: `${hint} ${wayOut}` });
}

function explanationOf(reply: Failure, endpoint: Endpoint): Explanation {
  switch (reply.kind) {
    case 'silent':
      return { what: `gave no answer within ${reply.ms / 1000} s`, hint: 'Check whether it is overloaded.' };
    case 'unreachable':
      return { what: `cannot be reached (${reply.reason})`, hint: 'Start it, or correct embeddings_url.' };
    case 'oversized':
      return { what: `answered with more than ${reply.bytes} bytes`, hint: 'Check embeddings_url.' };
    case 'status': {
      const { what, hint } = statusExplanation(reply.status, endpoint);
      const code = reply.code === undefined ? '' : `, ${reply.code}`;
      return { what: `${what} (${reply.status}${code})`, hint };
    }
  }
}

const byStatus: Readonly<Record<number, (endpoint: Endpoint) => Explanation>> = {
  401: unauthorised,
  403: unauthorised,
  404: ({ model }) => ({
    what: `has no such path, or no model '${cut(model, 100)}'`,
    hint: 'Correct embeddings_url or embeddings_model, or have the service fetch the model.',
  }),
  429: () => ({ what: 'received too many requests', hint: 'Try again later.' }),
};

function statusExplanation(status: number, endpoint: Endpoint): Explanation {
  const known = byStatus[status];
  if (known !== undefined) return known(endpoint);
  if (status < 400) return { what: 'redirects elsewhere, where nothing is sent', hint: 'Give the final address.' };
  if (status >= 500) return { what: 'failed', hint: 'Check its log, or try again later.' };
  const hint = `Check whether '${cut(endpoint.model, 100)}' is an embedding model.`;
  return { what: 'refused the request', hint };
}

function unauthorised({ key }: Endpoint): Explanation {
  const variable = 'REPERTOIRE_EMBEDDINGS_KEY';
  return key === undefined
    ? { what: 'requires a key', hint: `Give one as ${variable}.` }
    : { what: 'does not accept the key', hint: `Give a valid one as ${variable}.` };
}

/** Statuses by which services turn away what is too much for them. */
const refusals: readonly number[] = [400, 413, 422, 500];

/** Tells whether fewer or shorter texts may fare better. A slow service is asked for less twice, then left alone. */
export function mayTakeLess(reply: Failure, texts: number): boolean {
  if (reply.kind === 'silent') return texts > 16;
  return reply.kind === 'status' && refusals.includes(reply.status);
}
