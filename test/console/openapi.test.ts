import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { statusOf } from '../../src/faces/web/answers.ts';
import { operations } from '../../src/faces/web/operations.ts';
import { described, operationsIn } from './described.ts';

/** Every object inside, with the way to it. */
function* objectsIn(value: unknown, way = '#'): Generator<[string, Record<string, unknown>]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [way, value as Record<string, unknown>];
  for (const [name, inner] of Object.entries(value)) yield* objectsIn(inner, `${way}/${name}`);
}

const isWritten = (text: unknown): boolean => typeof text === 'string' && /^\S.*[.\w`]$/s.test(text);

describe('the description of the API', () => {
  it('has every operation, with the method that its effect asks for', async () => {
    const { paths } = await described();
    for (const [name, { load, ...exposed }] of Object.entries(operations)) {
      const { effect } = await load();
      const isAsked = effect === 'reads' && !('byBody' in exposed);
      expect(Object.keys(paths[`/api/${name}`] ?? {}), name).toEqual([isAsked ? 'get' : 'post']);
    }
  });

  it('leaves out what acts where the console is for reading', async () => {
    const all = operationsIn(await described('read'));
    expect(all.filter(({ method }) => method !== 'GET').map(({ path }) => path)).toEqual(['/api/session']);
    expect(all.map(({ path }) => path)).toContain('/api/browse');
  });

  it('names each operation once, and says what it does', async () => {
    const all = operationsIn(await described());
    const ids = all.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { path, operation } of all) {
      expect(operation.operationId, path).toMatch(/^[a-z]+([A-Z][a-z]+)*$/);
      expect(isWritten(operation.summary), path).toBe(true);
    }
  });

  it('says what every field is', async () => {
    const undescribed = operationsIn(await described()).flatMap(({ path, operation }) => {
      const body = operation.requestBody?.content['application/json']?.schema;
      const fields = [
        ...(operation.parameters ?? []).map(({ name, description }) => [name, description]),
        ...Object.entries(body?.properties ?? {}).map(([name, field]) => [
          name,
          (field as { description?: string }).description,
        ]),
      ];
      return fields.filter(([, words]) => !isWritten(words)).map(([name]) => `${path} ${name}`);
    });
    expect(undescribed).toEqual([]);
  });

  it('leads nowhere that is not there', async () => {
    const api = await described();
    const names = (['schemas', 'responses'] as const).flatMap((kind) =>
      Object.keys(api.components[kind]).map((name) => `#/components/${kind}/${name}`),
    );
    const refs = [...objectsIn(api)].flatMap(([way, { $ref }]) => (typeof $ref === 'string' ? [{ way, $ref }] : []));
    expect(refs.length).toBeGreaterThan(20);
    expect(refs.filter(({ $ref }) => !names.includes($ref))).toEqual([]);
    const used = new Set(refs.map(({ $ref }) => $ref));
    expect(names.filter((name) => !used.has(name))).toEqual([]);
  });

  it('says of objects exactly what is in them', async () => {
    const api = await described();
    const loose = [...objectsIn(api)].filter(
      ([, one]) => one['type'] === 'object' && one['properties'] !== undefined && one['additionalProperties'] !== false,
    );
    expect(loose.map(([way]) => way)).toEqual([]);
    const unsaid = [...objectsIn(api)].filter(
      ([, one]) =>
        one['type'] === 'object' && one['properties'] === undefined && one['additionalProperties'] === undefined,
    );
    // What authors of skills write is theirs; and this is no place to describe descriptions.
    expect(
      unsaid.filter(([way, { description }]) => description === undefined && !way.includes('openapi.json')),
    ).toEqual([]);
  });

  it('tells of every failure there is, in one form', async () => {
    const statuses = [...new Set(Object.values(statusOf))].map(String);
    const api = await described();
    for (const { content } of Object.values(api.components.responses)) {
      expect(content).toEqual({ 'application/json': { schema: { $ref: '#/components/schemas/Error' } } });
    }
    for (const { path, operation } of operationsIn(api)) {
      expect(Object.keys(operation.responses), path).toEqual(expect.arrayContaining(['200', ...statuses]));
      for (const status of statuses) {
        expect(operation.responses[status]).toEqual({ $ref: `#/components/responses/Failure${status}` });
      }
    }
  });

  it('stands in the documents as it is', async () => {
    const page = readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8');
    expect(JSON.parse(page), 'npm run docs writes it').toEqual(JSON.parse(JSON.stringify(await described())));
  });
});
