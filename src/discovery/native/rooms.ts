import type { Listing } from './types.ts';

/** A list that showed every description whole. More than that was not tried. */
export function ample(characters: number, tried: string): Listing {
  return {
    most: Number.POSITIVE_INFINITY,
    rooms: [{ characters, with: `${tried}; more was not tried` }],
    overflow: 'not known',
    overhead: ({ name, file }) => name.length + file.length + 100,
  };
}
