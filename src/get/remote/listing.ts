import { SkillError } from '../../core/errors.ts';
import { read } from '../../core/schema/schema-reader.ts';
import { count } from '../../core/text/text.ts';
import type { Connected } from '../connect/client.ts';
import { type Offer, offerIn, offersAt, pageSchema, serverOf } from './entries.ts';
import type { FetchLimits } from './limits.ts';

/** A skill that was not taken, or taken in part, and why. */
export interface FetchProblem {
  /** The skill; null for what concerns the server as a whole. */
  readonly skill: string | null;
  readonly message: string;
}

/** The offers of a server. */
export interface Listing {
  readonly offers: readonly Offer[];
  /** The identity that the server gives itself. */
  readonly server: string | null;
}

/** The connection whose lists are read, and how far. */
interface Source {
  readonly connected: Connected;
  readonly limits: FetchLimits;
  readonly signal: AbortSignal;
  /** Receives what is wrong with the list. */
  readonly problems: FetchProblem[];
}

const extension = 'io.modelcontextprotocol/skills';

/** Reads the whole list: by the skills extension or, where the server does not speak it, among its resources. */
export async function offersOf(source: Source): Promise<Listing> {
  const { extensions, resources } = source.connected.client.getServerCapabilities() ?? {};
  if (extensions?.[extension] !== undefined) return listed(source);
  const offers = resources === undefined ? [] : await amongResources(source);
  if (offers.length > 0) return { offers, server: null };
  const message = 'the server offers no skills: it neither speaks the skills extension nor lists skills as resources';
  throw unusable(message);
}

async function listed(source: Source): Promise<Listing> {
  const offers: Offer[] = [];
  let server: string | null = null;
  for await (const { answer, items } of pagesOf(source, 'skills/list', 'skills')) {
    server ??= serverOf(answer);
    for (const item of items) {
      const offer = offerIn(item, source.limits);
      if (offer.ok) offers.push(offer.value);
      else source.problems.push({ skill: offer.name, message: `left out: ${offer.reason}` });
    }
  }
  return { offers, server };
}

async function amongResources(source: Source): Promise<readonly Offer[]> {
  const offers: Offer[] = [];
  for await (const { items } of pagesOf(source, 'resources/list', 'resources')) offers.push(...items.flatMap(offersAt));
  return offers;
}

interface Page {
  readonly answer: unknown;
  readonly items: readonly unknown[];
}

/** Yields the pages of a list, as long as it comes to an end. */
async function* pagesOf(source: Source, method: string, key: string): AsyncGenerator<Page> {
  const { connected, limits, signal, problems } = source;
  const end = (message: string): void => void problems.push({ skill: null, message });
  const seen = new Set<string>();
  let cursor: string | undefined;
  let left = limits.skills;
  for (let pages = 0; pages < limits.pages; pages++) {
    signal.throwIfAborted();
    const answer = await connected.request(method, cursor === undefined ? {} : { cursor });
    const reading = read(pageSchema(key), answer, 'data', 1);
    if (!reading.ok) throw unusable(`${method} was answered with something else: ${key} ${reading.issues[0].message}`);
    const items = reading.value[key] as readonly unknown[];
    cursor = reading.value['nextCursor'] as string | undefined;
    yield { answer, items: items.slice(0, left) };
    left -= items.length;
    if (left < 0 || (left === 0 && cursor !== undefined)) {
      return end(`the list has more than ${count(limits.skills, 'entry', 'entries')}; the first ones were taken`);
    }
    if (cursor === undefined) return;
    if (seen.has(cursor)) return end('the list leads back to a page that was there before');
    seen.add(cursor);
  }
  end(`the list has more than ${count(limits.pages, 'page')}; the first ones were taken`);
}

/** The error for a server whose skills cannot be taken. */
export function unusable(message: string): SkillError {
  return new SkillError('unavailable', message, { hint: 'Ask whoever runs the server.' });
}
