import { choice, integer, optional, text, type ValuesOf } from '../../core/schema.ts';
import { outputFormats, type Shaping } from '../../run/output/types.ts';

/** How output is cut down, as every door takes it. */
export const shapingFields = {
  grep: optional(text('Keep only the lines of output that match.')),
  head: optional(integer('Keep only the first lines.', { min: 0 })),
  tail: optional(integer('Keep only the last lines.', { min: 0 })),
  jq: optional(text('Select from JSON output with a jq filter.')),
  format: optional(choice(outputFormats, 'Give the output as text, json, lines, count or compact.')),
  maxOutput: optional(integer('Give at most this many characters of output.', { min: 1 })),
};

/** Only what was asked for. */
export function shapingOf(input: ValuesOf<typeof shapingFields>): Shaping {
  const { grep, head, tail, jq, format, maxOutput } = input;
  const given = { grep, head, tail, jq, format, maxOutput };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Shaping;
}
