import { type Schema, Validator } from '@cfworker/json-schema';
import { describeApi } from '../../src/faces/web/openapi.ts';
import type { ConsoleMode } from '../../src/faces/web/shapes.ts';

/** The parts of a description that tests look at. */
export interface Described {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, DescribedResponse>>;
  };
}

export interface DescribedOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly security?: readonly unknown[];
  readonly parameters?: readonly DescribedParameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<Record<string, DescribedResponse>>;
}

export interface DescribedParameter {
  readonly name: string;
  readonly description?: string;
  readonly required: boolean;
  readonly schema: Schema;
}

interface DescribedResponse {
  readonly description: string;
  readonly content: Readonly<Record<string, { readonly schema?: Schema }>>;
}

export async function described(mode: ConsoleMode = 'full'): Promise<Described> {
  return (await describeApi(mode)) as unknown as Described;
}

/** Every operation that is described, with where it is. */
export function operationsIn({ paths }: Described): { path: string; method: string; operation: DescribedOperation }[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
}

/** What is wrong with a value by a schema of a description; empty where nothing is. */
export function problemsWith(api: Described, schema: Schema, value: unknown): string[] {
  const validator = new Validator({ ...schema, components: api.components } as Schema, '2020-12', false);
  const { valid, errors } = validator.validate(value);
  return valid ? [] : errors.map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`);
}

/** The schema of what is answered when all is well. */
export function answerOf(api: Described, path: string, type = 'application/json'): Schema {
  const [operation] = Object.values(api.paths[path] ?? {});
  const schema = operation?.responses['200']?.content[type]?.schema;
  if (schema === undefined) throw new Error(`${path} is not described`);
  return schema;
}
