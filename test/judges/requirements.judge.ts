import { readFileSync, rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Serving } from '../../src/faces/mcp/http/start.ts';
import { World } from '../support/world.ts';
import { judgeConformance } from './conformance.ts';
import { startFixtureServer } from './fixture-server.ts';

const expected = readFileSync(new URL('expected-failures.yaml', import.meta.url), 'utf8');
const { unscored } = parse(expected) as { unscored: string[] };
const world = new World();
let server: Serving;

beforeAll(async () => {
  server = await startFixtureServer();
});

afterAll(async () => {
  await server.close();
  rmSync(world.root, { recursive: true, force: true });
});

it.for(['2025-11-25', '2026-07-28'])('everything that %s requires', async (revision, { task }) => {
  const asked = ['--requirements', revision];
  const { code, scenarios, count, complaints, said } = await judgeConformance(world, server.url, asked, unscored);
  task.meta.count = count;
  expect(complaints).toEqual([]);
  expect(code, said).toBe(0);
  expect(scenarios).toBeGreaterThan(30);
});
