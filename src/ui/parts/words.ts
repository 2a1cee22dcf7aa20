/** How a badge or a notice looks; plain where nothing is said. */
export type Tone = '' | 'good' | 'warn' | 'bad';

/** Something in words, and how it is meant. */
export interface Said {
  readonly tone: Tone;
  readonly text: string;
}

/** A moment as people of this place write it. */
export function moment(iso: string): string {
  return new Date(iso).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
}
