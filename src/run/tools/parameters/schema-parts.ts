import { isObject } from '../../../core/formats/documents.ts';
import type { Json } from '../../../skill/types.ts';
import type { JsonSchema } from '../types.ts';

/** The schemas of the parameters, by name, in the order they were declared. */
export function propertiesOf({ properties }: JsonSchema): { readonly [name: string]: JsonSchema } {
  return isObject(properties) ? (properties as { readonly [name: string]: JsonSchema }) : {};
}

export function requiredOf({ required }: JsonSchema): readonly string[] {
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
}

/** The types that a schema names; none where anything goes, or where it says so in another way. */
export function typesOf(schema: Json | undefined): readonly string[] {
  if (!isObject(schema)) return [];
  const { type } = schema;
  return (Array.isArray(type) ? type : [type]).filter((one) => typeof one === 'string');
}

export function isOfType(schema: Json | undefined, type: string): boolean {
  return typesOf(schema).includes(type);
}

/** The schema of tools without parameters. */
export const noParameters: JsonSchema = { type: 'object', properties: {}, additionalProperties: false };

/** The schema of what is called with arguments, as programs are: scripts, and modules and images that declare no tools. */
export const plainParameters: JsonSchema = {
  type: 'object',
  properties: {
    args: {
      type: 'array',
      items: { type: 'string' },
      description: 'The arguments, each passed on as it is.',
    },
    stdin: { type: 'string', description: 'What it reads from standard input.' },
  },
  additionalProperties: false,
};
