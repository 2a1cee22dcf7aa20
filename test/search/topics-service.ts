import {
  answerWith,
  type EmbeddingsService,
  type ServiceReply,
  type ServiceRequest,
  startEmbeddingsService,
} from '../support/embeddings-service.ts';
import { createWorld, type World } from '../support/world.ts';
import type { Answer } from './library.ts';

/** What texts are about: words of one line point in one direction, though they have no letter in common. */
const topics: readonly RegExp[] = [/\bcats?\b|feline/i, /\bboats?\b|vessel/i, /\bbread\b|loaf/i];

/** One direction for each topic, and another for everything else. */
export function vectorOf(text: string, dimensions = 16): number[] {
  const topic = topics.findIndex((words) => words.test(text));
  const axis = topic === -1 ? topics.length : topic;
  return Array.from({ length: dimensions }, (_, at) => (at === axis ? 1 : 0));
}

/** The right answer. */
export function directions({ input }: ServiceRequest, dimensions = 16): ServiceReply {
  return answerWith(input.map((text) => vectorOf(text, dimensions)));
}

export const key = 'sk-very-secret-0123456789';

/** The variables that name a service. */
export function serviceAt(url: string): Record<string, string> {
  return { REPERTOIRE_EMBEDDINGS_URL: url, REPERTOIRE_EMBEDDINGS_MODEL: 'tiny', REPERTOIRE_EMBEDDINGS_KEY: key };
}

/** A service that knows the topics. */
export function startTopics(dimensions: () => number = () => 16): Promise<EmbeddingsService> {
  return startEmbeddingsService((request) => directions(request, dimensions()));
}

/** A skill for each topic. */
export function pets(): World {
  const world = createWorld();
  world.skill('project/skills/grooming', { description: 'Brushes cats.' });
  world.skill('project/skills/sailing', { description: 'Rigs boats.' });
  world.skill('project/skills/baking', { description: 'Bakes bread.' });
  return world;
}

/** What the command finds with such a service, and what it says. */
export async function findWith(world: World, url: string, ...args: string[]): Promise<Answer> {
  const run = await world.run(['search', '--json', ...args], { env: serviceAt(url) });
  if (run.stdout === '') throw new Error(`nothing was printed: ${run.stderr}`);
  return run.json<Answer>();
}

/** All texts that were sent, in order. */
export function sentTo({ requests }: EmbeddingsService): string[] {
  return requests.flatMap(({ input }) => input);
}
