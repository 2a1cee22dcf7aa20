import type { Listing } from './types.ts';

/** Where the model's context is not known, Codex's list may be this long. */
export const codexListing: Listing = {
  characters: 8000,
  basis: 'what Codex allows itself where it does not know the size of the context; 2 % of it where it does',
  most: 1024,
  cuts: 'evenly',
  order: 'descriptions are shortened evenly; then the last are left out, those of the user after those of the project',
  overhead: ({ name, file }) => name.length + file.length + '- : (file: )\n'.length,
};

export const claudeListing: Listing = {
  characters: 8000,
  basis: '1 % of a context of 200,000 tokens, at 4 characters each',
  most: 1536,
  cuts: 'in-order',
  order:
    'names stay, and the descriptions used least go first; which those are is not known here, so the last by name ' +
    'are taken for them',
  overhead: ({ name }) => name.length + '- : \n'.length,
};
