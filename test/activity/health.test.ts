import { describe, expect, it, onTestFinished } from 'vitest';
import { configurationOf } from '../../src/core/config/values.ts';
import { rememberLines } from '../../src/core/disk/log-tail.ts';
import { createLogger } from '../../src/core/log.ts';
import { invoke } from '../../src/engine/operation.ts';
import { doctor } from '../../src/engine/operations/machine/doctor.ts';
import { health } from '../../src/engine/operations/machine/health.ts';
import { search } from '../../src/engine/operations/skills/search.ts';
import { serveHttp } from '../../src/faces/mcp/http/start.ts';
import { createServerFactory } from '../../src/faces/mcp/server.ts';
import { createService } from '../../src/faces/mcp/service.ts';
import { profiles } from '../../src/faces/mcp/surface.ts';
import { openSession } from '../serve/http.ts';
import { createWorld } from '../support/world.ts';
import { environmentOf } from './log.ts';

async function serving(given: object = {}) {
  const world = createWorld();
  world.skill('home/.claude/skills/pdf', { description: 'Merge PDF files.' });
  world.write('home/.claude/skills/broken/SKILL.md', 'no front matter');
  const configuration = configurationOf({ port: 0, transport: 'http', ...given });
  const tail = rememberLines(() => {});
  const log = createLogger({ level: 'info', format: 'text', write: tail.write });
  const service = await createService(profiles.serve, configuration, environmentOf(world), log);
  const http = await serveHttp(createServerFactory(service), configuration.values, log);
  service.addVitals({ log: tail.lines, sessions: http.sessions });
  onTestFinished(async () => {
    await http.close();
    service.close();
  });
  await service.engine.freshness?.check();
  return { world, engine: service.engine, http };
}

describe('health', () => {
  it('tells where was looked and what was found, as doctor does', async () => {
    const { engine } = await serving();
    const { roots, summary, version, node, pid, memoryBytes } = await invoke(engine, health, {}, { origin: 'library' });
    const told = await invoke(engine, doctor, {}, { origin: 'library' });
    expect({ roots, summary }).toEqual({ roots: told.roots, summary: told.summary });
    expect(summary).toMatchObject({ skills: 1, errors: 1 });
    expect({ node, pid }).toEqual({ node: process.version, pid: process.pid });
    expect(version).toMatch(/^\d+\.\d+\.\d+/);
    expect(memoryBytes).toBeGreaterThan(10_000_000);
  });

  it('tells of the watcher, the sessions and the log of a server that runs', async () => {
    const { engine, http } = await serving();
    await openSession(http.url);
    await expect
      .poll(async () => (await invoke(engine, health, {}, { origin: 'library' })).watcher?.state)
      .toBe('whole');
    const { watcher, sessions, log, startedAt } = await invoke(engine, health, {}, { origin: 'library' });
    expect(watcher?.folders).toBeGreaterThan(0);
    expect(watcher?.intervalMs).toBe(30_000);
    expect(Date.parse(watcher?.lookedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(startedAt ?? '') - 1);
    expect(sessions).toMatchObject([{ client: 'test', busy: 0 }]);
    expect(log.map(({ message }) => message)).toContainEqual(expect.stringMatching(/^listening on http/));
  });

  it('tells that nothing is watched where that is switched off', async () => {
    const { engine } = await serving({ autoRefresh: false });
    expect((await invoke(engine, health, {}, { origin: 'library' })).watcher).toMatchObject({
      state: 'off',
      folders: 0,
    });
  });

  it('tells how the index stands, without adding to it, and what lies on the disk', async () => {
    const { engine, world } = await serving();
    const before = await invoke(engine, health, {}, { origin: 'library' });
    expect(before.index).toEqual({
      ready: 0,
      total: 1,
      growing: false,
      embedder: 'built in',
      path: null,
      bytes: null,
    });
    await search.run(engine, { query: ['merge'], limit: 3, exact: false, explain: false } as never, {
      origin: 'library',
    });
    await expect.poll(async () => (await invoke(engine, health, {}, { origin: 'library' })).index.path).not.toBeNull();
    const { index, stores } = await invoke(engine, health, {}, { origin: 'library' });
    expect(index).toMatchObject({ ready: 1, total: 1, growing: false });
    const named = Object.fromEntries(stores.map((store) => [store.what, store]));
    expect(named['search index']).toMatchObject({
      files: 1,
      bytes: index.bytes,
      path: world.path('cache/repertoire/index'),
    });
    expect(named['scan cache']?.files).toBeGreaterThan(0);
    expect(named['audit log']).toMatchObject({ files: 0, bytes: 0 });
  });

  it('tells what is wrong with the settings of an embedder, and all else', async () => {
    const { engine } = await serving({ embeddingsUrl: 'http://localhost:1/v1' });
    const { index, roots } = await invoke(engine, health, {}, { origin: 'library' });
    expect(index.embedder).toContain('no model');
    expect(roots.length).toBeGreaterThan(0);
  });

  it('leaves out what only a server knows where none runs', async () => {
    const { engine } = await serving();
    const { startedAt, watcher, sessions, log } = await invoke(
      { ...engine, vitals: undefined },
      health,
      {},
      { origin: 'library' },
    );
    expect({ startedAt, watcher, sessions, log }).toEqual({ startedAt: null, watcher: null, sessions: [], log: [] });
  });
});
