import type { JsonSchema } from '../../engine/operations/running/tools.ts';
import type { ReadOutput } from '../../engine/operations/skills/read.ts';

export interface Parameter {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string;
}

/** The parameters of a tool, as briefly as can be. The schema is third-party, and read without trust. */
export function parametersOf({ properties, required }: JsonSchema): readonly Parameter[] {
  const needed = Array.isArray(required) ? required : [];
  return Object.entries(recordFrom(properties)).map(([name, schema]) => {
    const { description, ...rest } = recordFrom(schema);
    return {
      name,
      type: typeOf(rest),
      isRequired: needed.includes(name),
      description: typeof description === 'string' ? description : '',
    };
  });
}

function typeOf({ type, enum: choices, items }: Readonly<Record<string, unknown>>): string {
  if (Array.isArray(choices)) return choices.map((one) => JSON.stringify(one)).join(' | ');
  if (type === 'array') return `list of ${typeOf(recordFrom(items))}`;
  if (Array.isArray(type)) return type.join(' | ');
  return typeof type === 'string' ? type : 'any';
}

function recordFrom(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

/** The part of a digest that is enough to recognize it. */
export function shortDigest(digest: string): string {
  return digest.replace(/^sha256:/, '').slice(0, 12);
}

/** Reads a file part by part: up to a number of them, or until it ends. */
export async function readParts(
  readAt: (offset: number) => Promise<ReadOutput>,
  count: number,
): Promise<readonly ReadOutput[]> {
  const parts: ReadOutput[] = [];
  for (let offset: number | null = 0; offset !== null && parts.length < count; ) {
    const part = await readAt(offset);
    parts.push(part);
    // An offset that does not advance would be asked for without end.
    offset = part.nextOffset !== null && part.nextOffset > offset ? part.nextOffset : null;
  }
  return parts;
}

export function joined(parts: readonly ReadOutput[]): string {
  return parts.map(({ content }) => content).join('');
}
