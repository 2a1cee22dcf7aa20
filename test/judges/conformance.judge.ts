import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { judgeConformance } from './conformance.ts';
import { exampleWorld } from './example-world.ts';
import { scenarios, servers } from './scenarios.ts';
import { type JudgedServer, startServer } from './server.ts';

const expected = fileURLToPath(new URL('expected-failures.yaml', import.meta.url));
const world = exampleWorld();
const running = new Map<string, JudgedServer>();

beforeAll(async () => {
  for (const [name, args] of Object.entries(servers)) running.set(name, await startServer(world, args));
});

afterAll(async () => {
  for (const server of running.values()) await server.stop();
  rmSync(world.root, { recursive: true, force: true });
});

const cases = scenarios.flatMap(({ name, revisions, server = 'everything' }) =>
  revisions.map((revision) => [name, revision, server] as const),
);

describe.concurrent('the official suite on the program', () => {
  it.for(cases)('%s, %s, %s', async ([name, revision, server], { expect, task }) => {
    const url = running.get(server)?.url ?? '';
    // An excuse that is not needed is an error, so only the server that needs them has any.
    const excuses = server === 'everything' ? ['--expected-failures', expected] : [];
    const asked = ['--scenario', name, '--spec-version', revision, '--force', ...excuses];
    const { code, count, complaints, said } = await judgeConformance(world, url, asked);
    task.meta.count = count;
    expect(code, [...complaints, said].join('\n')).toBe(0);
    expect(count.passed).toBeGreaterThan(0);
    if (excuses.length === 0) expect(complaints).toEqual([]);
  });
});
