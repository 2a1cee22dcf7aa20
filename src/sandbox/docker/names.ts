/** How our containers are told from everybody else's. */
export const labels = {
  execution: 'repertoire.execution',
  owner: 'repertoire.owner',
  part: 'repertoire.part',
} as const;

/** What a container is there for: to run a tool, or to hold the network of one. */
export type Part = 'tool' | 'bridge';

/** A name that we know before the engine answers, so that a container whose birth we missed can be removed too. */
export function containerName(execution: string, part: Part): string {
  return `repertoire-${part}-${execution.replace(/[^A-Za-z0-9_.-]/g, '-')}`;
}

/**
 * Whether it can be the name of an image. It becomes part of a path of the engine's interface, where a `?` or a `..`
 * would ask for something else.
 */
export function isImageName(image: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._:/@-]*$/.test(image) && !/\.\.|\/\//.test(image) && image.length <= 512;
}
