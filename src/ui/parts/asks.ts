/** Words for each sort of capability, as grants have them. */
const sorts: readonly (readonly [sort: string, words: string])[] = [
  ['network:*.', 'talk to every host below '],
  ['network:', 'talk to '],
  ['filesystem:read:', 'read files below '],
  ['filesystem:write:', 'read and change files below '],
  ['env:', 'see the environment variable '],
  ['secrets:', 'be given the secret '],
  ['images:', 'use the container image '],
  ['commands:', 'run the program '],
];

/** A capability in words, by its key; one of a sort that we do not know is told as it is. */
export function askInWords(key: string): string {
  const found = sorts.find(([sort]) => key.startsWith(sort));
  return found === undefined ? key : found[1] + key.slice(found[0].length);
}

/** Capabilities in words, by their keys with commas between them, as the log has them. */
export function asksInWords(keys: string): string {
  return keys.split(', ').map(askInWords).join('; ');
}
