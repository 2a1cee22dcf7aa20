import { choice, integer, object, optional, text, type ValuesOf } from '../../core/schema/schema.ts';
import { readOwn } from '../../core/schema/schema-reader.ts';
import { outputFormats, type Shaping } from '../../run/output/types.ts';

/** Input fields that shape the output, the same for every entry point. */
export const shapingFields = {
  grep: optional(text('Keep only the lines of output that match.')),
  head: optional(integer('Keep only the first lines.', { min: 0 })),
  tail: optional(integer('Keep only the last lines.', { min: 0 })),
  jq: optional(text('Select from JSON output with a jq filter.')),
  format: optional(choice(outputFormats, 'Give the output as text, json, lines, count or compact.')),
  maxOutput: optional(integer('Give at most this many characters of output.', { min: 1 })),
};

/** The shaping that was asked for, and nothing else. */
export function shapingOf(input: ValuesOf<typeof shapingFields>): Shaping {
  const { grep, head, tail, jq, format, maxOutput } = input;
  const given = { grep, head, tail, jq, format, maxOutput };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Shaping;
}

/** Reads shaping that a server has sent as JSON; none where it is not as we write it. */
export function shapingSent(text: string): Shaping {
  const sent = readOwn(object(shapingFields), text);
  return sent === null ? {} : shapingOf(sent);
}
