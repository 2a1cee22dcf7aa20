import type { EmbeddedParts } from '../model/embed.ts';
import { proseOf, spokenName } from '../model/embed.ts';
import { vectorsIn } from './answer.ts';
import { type Asked, createBatches, embedAll } from './batches.ts';
import { type Embedder, embedderId, type HttpEmbedderChoice } from './embedder.ts';
import { type Endpoint, endpointOf } from './endpoint.ts';
import { answerError, failureOf, mayTakeLess } from './failures.ts';
import { post, type RequestLimits } from './post.ts';
import { cutTo } from './shorten.ts';

/** Limits by kind of request: a person waits for a query, and an index for skills. */
export interface HttpLimits {
  readonly query: RequestLimits;
  readonly skills: RequestLimits;
}

const common = { tries: 3, pauseMs: 500, longestPauseMs: 10_000, answerBytes: 64 * 1024 * 1024 } as const;
export const usualLimits: HttpLimits = {
  query: { ...common, tryMs: 5_000, totalMs: 5_000 },
  skills: { ...common, tryMs: 30_000, totalMs: Number.POSITIVE_INFINITY },
};

/** Bytes that a text is cut to: a token is a byte at least, so a model that takes 8,192 tokens takes every text. */
const textBytes = 8_000;

/** Creates an embedder that asks a service which speaks the OpenAI format. */
export function createHttpEmbedder(choice: HttpEmbedderChoice, limits: HttpLimits = usualLimits): Embedder {
  const ask = createAsking(endpointOf(choice));
  const embedBatches = createBatches((texts) => ask(texts, limits.skills));
  let before: Promise<unknown> = Promise.resolve();
  return {
    id: embedderId(choice),
    isNear: false,
    async query(text) {
      const [vector] = await embedAll([cutTo(text, textBytes)], (texts) => ask(texts, limits.query));
      return vector as Float32Array;
    },
    async skills(skills) {
      // One call after the other: together they would have more requests under way than a service is meant to get.
      const mine = before.then(async () => embedBatches(skills.map(textOf)));
      before = mine.catch(() => undefined);
      return mine;
    },
  };
}

/**
 * Sends requests, and holds the service to the dimensions of its first answer: vectors of different ones cannot be
 * compared.
 */
function createAsking(endpoint: Endpoint): (texts: readonly string[], limits: RequestLimits) => Promise<Asked> {
  let known: number | undefined;
  return async (texts, limits) => {
    const reply = await post(endpoint, texts, limits);
    if (reply.kind !== 'answer') {
      return { kind: 'failed', error: failureOf(reply, endpoint), mayTakeLess: mayTakeLess(reply, texts.length) };
    }
    const found = vectorsIn(reply.body, texts.length);
    if ('problem' in found) return unusable(endpoint, found.problem);
    known ??= found.dimensions;
    if (found.dimensions !== known) return unusable(endpoint, `${found.dimensions} dimensions after ${known}`);
    return { kind: 'embedded', vectors: found.vectors };
  };
}

function unusable(endpoint: Endpoint, problem: string): Asked {
  return { kind: 'failed', error: answerError(endpoint, problem), mayTakeLess: false };
}

/** The text of a skill that a model is given to embed. */
function textOf({ name, description, body, tools = '' }: EmbeddedParts): string {
  const parts = [spokenName(name), description, ...(tools === '' ? [] : [spokenName(tools)]), proseOf(body)];
  return cutTo(parts.join('\n'), textBytes);
}
