import type { Json, JsonSchema } from '../../engine/operations/tools.ts';

const mostExamples = 3;

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Keywords are a stranger's: one of the wrong type is as good as none. */
export function numberIn(value: Json | undefined): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

export function textIn(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

export function listIn(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

/** What a schema of any type may say. */
export function commonOf(schema: JsonSchema) {
  return {
    title: textIn(schema['title']),
    description: textIn(schema['description']),
    fallback: schema['default'],
    examples: listIn(schema['examples']).slice(0, mostExamples),
  };
}
