import { readFileSync } from 'node:fs';

export interface Requirement {
  /** Stable, cited by tests: source, topic, number. */
  readonly id: string;
  /** Document and heading that ask for it. */
  readonly source: string;
  /** What must hold, in our own words. */
  readonly text: string;
}

/** Reads lines of an id and a sentence, below lines with a `#` and the source that asks for them. */
export function readRequirements(text: string): Requirement[] {
  let source = '';
  return text.split('\n').flatMap((line): Requirement[] => {
    if (line.startsWith('# ')) source = line.slice(2);
    const [, id = '', sentence = ''] = /^([^#\s]\S*) (.+)$/.exec(line) ?? [];
    return id === '' ? [] : [{ id, source, text: sentence }];
  });
}

export const requirements = readRequirements(readFileSync(new URL('requirements.txt', import.meta.url), 'utf8'));
