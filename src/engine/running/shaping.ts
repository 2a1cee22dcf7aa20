import type { Fields, ValuesOf } from '../../kernel/fields.ts';
import { outputFormats, type Shaping } from '../../output/types.ts';

/** How output is cut down, as every door takes it. */
export const shapingFields = {
  grep: { kind: 'text', value: 'REGEX', description: 'Keep only the lines of output that match.' },
  head: { kind: 'integer', value: 'N', min: 0, description: 'Keep only the first lines.' },
  tail: { kind: 'integer', value: 'N', min: 0, description: 'Keep only the last lines.' },
  jq: { kind: 'text', value: 'FILTER', description: 'Select from JSON output with a jq filter.' },
  format: {
    kind: 'choice',
    value: 'FORM',
    choices: outputFormats,
    description: 'Give the output as text, json, lines, count or compact.',
  },
  maxOutput: { kind: 'integer', value: 'CHARS', min: 1, description: 'Give at most this many characters of output.' },
} as const satisfies Fields;

/** Only what was asked for. */
export function shapingOf(input: ValuesOf<typeof shapingFields>): Shaping {
  const { grep, head, tail, jq, format, maxOutput } = input;
  const given = { grep, head, tail, jq, format, maxOutput };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Shaping;
}
