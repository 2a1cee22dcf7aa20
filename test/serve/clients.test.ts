import { spawn } from 'node:child_process';
import { existsSync, symlinkSync } from 'node:fs';
import {
  Client,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, it, onTestFinished } from 'vitest';
import { startHttp } from '../support/mcp.ts';
import { program, type World } from '../support/world.ts';
import { pdfWorld } from './http.ts';

type Mode = 'legacy' | 'auto' | { pin: string };
const modes: readonly Mode[] = ['legacy', 'auto', { pin: '2026-07-28' }];

/** A folder with the command `skill` first in the path. */
function installed(world: World): Record<string, string> {
  const command = `${world.folder('bin')}/skill`;
  if (!existsSync(command)) symlinkSync(program, command);
  const { HOME = '', XDG_CACHE_HOME = '', PATH = '' } = world.environment();
  return { HOME, XDG_CACHE_HOME, PATH: `${world.path('bin')}:${PATH}` };
}

async function connect(transport: Transport, mode: Mode): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
  onTestFinished(() => client.close().catch(() => {}));
  await client.connect(transport);
  return client;
}

async function expectServed(client: Client): Promise<void> {
  expect(client.getServerVersion()?.name).toBe('repertoire');
  expect(client.getInstructions()).toContain('skill');
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('skill');
  const { content } = await client.callTool({ name: 'skill', arguments: { name: 'pdf' } });
  expect(JSON.stringify(content)).toContain('How to read PDF.');
  expect((await client.listResources()).resources).toHaveLength(1);
  expect((await client.listPrompts()).prompts).toHaveLength(1);
}

it('the client library connects to `skill serve` over stdio, in either era [S4-TEST-02 S4-LIFE-01 S4-LIFE-04 S1-INIT-04]', async () => {
  for (const mode of modes) {
    const world = pdfWorld();
    const transport = new StdioClientTransport({
      command: 'skill',
      args: ['serve'],
      env: installed(world),
      cwd: world.project,
      stderr: 'ignore',
    });
    const client = await connect(transport, mode);
    await expectServed(client);
    const { pid } = transport;
    expect(pid).toBeGreaterThan(0);
    await client.close();
    await expect.poll(() => isRunning(pid ?? 0)).toBe(false);
  }
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

it('a lone `tools/list` piped into `skill serve` is answered without a handshake [S4-TEST-01 S4-TRANS-01 S4-MSG-01]', async () => {
  const world = pdfWorld();
  const request = '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}';
  const { stdout, code } = await shell(world, `echo '${request}' | skill serve`);
  expect(code).toBe(0);
  const lines = stdout.trimEnd().split('\n');
  expect(lines).toHaveLength(1);
  const answer = JSON.parse(lines[0] ?? '') as { jsonrpc: string; id: number; result: { tools: { name: string }[] } };
  expect(answer).toMatchObject({ jsonrpc: '2.0', id: 1 });
  expect(answer.result.tools.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['skill', 'skills.list', 'skills.search', 'skill-engine/list_skills']),
  );
  // As does any other request, and several at once, in whatever order they are done.
  const call = '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"skill","arguments":{"name":"pdf"}}}';
  const both = await shell(world, `printf '%s\\n' '${call}' '${request}' | skill serve 2>/dev/null`);
  expect(both.stdout).toContain('How to read PDF.');
  expect(both.stdout.trimEnd().split('\n')).toHaveLength(2);
});

async function shell(world: World, script: string): Promise<{ stdout: string; code: number | null }> {
  const child = spawn('sh', ['-c', script], {
    cwd: world.project,
    env: installed(world),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk;
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { stdout, code };
}

it.each(modes)('the client library connects over streamable HTTP: %j', async (mode) => {
  const { url } = await startHttp(pdfWorld());
  await expectServed(await connect(new StreamableHTTPClientTransport(new URL(url)), mode));
});

it('the client library connects over HTTP with server-sent events', async () => {
  const { url } = await startHttp(pdfWorld(), ['serve', '--transport', 'sse']);
  await expectServed(await connect(new SSEClientTransport(new URL(url)), 'legacy'));
});

it('the client library connects with a token', async () => {
  const token = 'tok-9f8e7d6c5b4a39281706';
  const { url } = await startHttp(pdfWorld(), ['serve', '--transport', 'sse'], { env: { REPERTOIRE_TOKEN: token } });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await expectServed(await connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }), 'auto'));
  await expectServed(await connect(new SSEClientTransport(new URL(url), { requestInit }), 'legacy'));
  await expect(connect(new StreamableHTTPClientTransport(new URL(url)), 'legacy')).rejects.toThrow();
});
