import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { connectStdio, startStdio } from '../support/mcp.ts';
import { createWorld, program, type World } from '../support/world.ts';
import { slowSkills } from './slow.ts';

/** Whether a process runs; one that has ended and waits for somebody to notice does not. */
function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/** A client that starts a server, sends it these lines, reads nothing if so asked, and tells the server's pid. */
const clientSource = `
  const { spawn } = require('node:child_process');
  const [program, lines, reads] = process.argv.slice(1);
  const server = spawn(process.execPath, [program, 'serve'], { stdio: ['pipe', 'pipe', 'ignore'] });
  if (reads === 'yes') server.stdout.on('data', () => process.stdout.write(server.pid + '\\n'));
  else process.stdout.write(server.pid + '\\n');
  server.stdin.write(lines);
`;

/** Starts such a client and gives the pid of its server once it has answered, or has been started. */
async function startClient(world: World, lines: string, reads: 'yes' | 'no' = 'yes') {
  const client = spawn(process.execPath, ['-e', clientSource, program, lines, reads], {
    cwd: world.project,
    env: world.environment(),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [chunk] = (await once(client.stdout, 'data')) as [Buffer];
  const pid = Number.parseInt(chunk.toString('utf8'), 10);
  onTestFinished(() => {
    client.kill('SIGKILL');
    if (isAlive(pid)) process.kill(pid, 'SIGKILL');
  });
  return { client, pid };
}

const line = (method: string, params?: object) => `${JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })}\n`;

async function expectGone(pid: number): Promise<void> {
  await expect.poll(() => isAlive(pid), { interval: 50 }).toBe(false);
}

it('a client killed with SIGKILL leaves no server behind', async () => {
  const { client, pid } = await startClient(createWorld(), line('ping'));
  expect(isAlive(pid)).toBe(true);
  client.kill('SIGKILL');
  await expectGone(pid);
});

it('a client killed in the middle of a long scan, with a request under way, leaves no server behind', async () => {
  const world = createWorld();
  slowSkills(world, 600);
  const { client, pid } = await startClient(world, line('ping') + line('tools/list'));
  expect(isAlive(pid)).toBe(true);
  client.kill('SIGKILL');
  await expectGone(pid);
});

it('a client killed before the server could answer anything leaves no server behind', async () => {
  const { client, pid } = await startClient(createWorld(), '', 'no');
  client.kill('SIGKILL');
  await expectGone(pid);
});

it('a client killed before it has read anything leaves no server behind', async () => {
  const world = createWorld();
  world.skill('project/skills/large', { body: 'x'.repeat(1024 * 1024) });
  const call = line('tools/call', { name: 'skill', arguments: { name: 'large' } });
  const { client, pid } = await startClient(world, call.repeat(20), 'no');
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(isAlive(pid)).toBe(true);
  client.kill('SIGKILL');
  await expectGone(pid);
});

it('a client that reads late misses nothing', async () => {
  const world = createWorld();
  world.skill('project/skills/large', { body: 'é'.repeat(512 * 1024) });
  const server = startStdio(world, ['serve']);
  server.child.stdout?.pause();
  await server.logged(/ready:/);
  const answers = Array.from({ length: 8 }, () => server.call('skill', { name: 'large' }));
  await new Promise((resolve) => setTimeout(resolve, 300));
  server.child.stdout?.resume();
  const lengths = (await Promise.all(answers)).map(({ content }) => content[0]?.text.length);
  expect(new Set(lengths).size).toBe(1);
  expect(lengths[0]).toBeGreaterThan(512 * 1024);
});

it('a server whose stdout is closed ends when it has something to write', async () => {
  const server = await connectStdio(createWorld());
  server.child.stdout?.destroy();
  server.send({ id: 1, method: 'ping' });
  expect(await server.exited).toBe(0);
  expect(server.stderr).toMatch(/shutting down: the client stopped reading/);
});

it('a server whose stderr is closed goes on', async () => {
  const world = createWorld();
  world.skill('project/skills/pdf');
  const server = startStdio(world, ['serve', '--log-level', 'debug']);
  server.child.stderr?.destroy();
  await server.initialize();
  expect(await server.load('pdf')).toContain('Loading: pdf');
  expect(await server.end()).toBe(0);
});
