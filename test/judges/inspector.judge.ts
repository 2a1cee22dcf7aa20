import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { program } from '../support/world.ts';
import { exampleWorld, leftOut } from './example-world.ts';
import { runJudge } from './node.ts';
import { servers } from './scenarios.ts';
import { type JudgedServer, startServer } from './server.ts';

const world = exampleWorld();
const listable = (await world.list()).skills.filter(({ name }) => !leftOut.includes(name));
let server: JudgedServer;

beforeAll(async () => {
  server = await startServer(world, servers.everything);
});

afterAll(async () => {
  await server.stop();
  rmSync(world.root, { recursive: true, force: true });
});

interface Report {
  readonly uri: string;
  readonly conformance: readonly unknown[];
  readonly frontmatter: readonly unknown[];
  readonly files: readonly { readonly uri: string; readonly status: string }[];
}

const cache = `XDG_CACHE_HOME=${world.path('cache')}`;
const targets = {
  stdio: () => [process.execPath, program, 'serve', '--structured', '--transport', 'stdio', '-e', cache],
  http: () => [server.url, '--transport', 'http'],
};

const cases = (['stdio', 'http'] as const).flatMap((transport) =>
  (['legacy', 'modern'] as const).map((era) => [transport, era] as const),
);

function inspect(transport: keyof typeof targets, era: string, ...asked: string[]) {
  const args = [...targets[transport](), '--protocol-era', era, '--format', 'json', ...asked];
  return runJudge(world, '@modelcontextprotocol/inspector/clients/launcher/build/index.js', ['--cli', ...args]);
}

describe.concurrent('the Inspector', () => {
  it.for(cases)('tools/list --strict, %s, %s', async ([transport, era], { expect, task }) => {
    const { code, stdout, stderr } = await inspect(transport, era, '--method', 'tools/list', '--strict');
    expect(stderr).not.toMatch(/portab|[1-9]\d* warning/i);
    expect(code, stderr).toBe(0);
    const { result } = JSON.parse(stdout) as { result: { tools: { name: string }[] } };
    expect(result.tools.map(({ name }) => name)).toContain('skills.list');
    task.meta.count = { passed: result.tools.length, total: result.tools.length };
  });

  it.for(cases)('skills/list --verify, %s, %s', async ([transport, era], { expect, task }) => {
    const asked = ['--method', 'skills/list', '--verify', '--require-digests'];
    const { code, stdout, stderr } = await inspect(transport, era, ...asked);
    expect(code, stderr + stdout.slice(-2000)).toBe(0);
    const reports = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Report);
    const files = reports.flatMap((report) => report.files);
    const verified = files.filter(({ status }) => status === 'verified');
    task.meta.count = { passed: verified.length, total: files.length };
    expect(verified).toEqual(files);
    expect(reports.flatMap(({ conformance, frontmatter }) => [...conformance, ...frontmatter])).toEqual([]);
    expect(reports).toHaveLength(listable.length);
  });

  it.for([
    ['csv-profiler', 0],
    ['no-such-skill', 5],
  ] as const)('tools/call of the skill %s ends with %i', async ([name, expected], { expect }) => {
    const { code } = await inspect(
      'http',
      'modern',
      '--method',
      'tools/call',
      '--tool-name',
      'skill',
      '--tool-arg',
      `name=${name}`,
    );
    expect(code).toBe(expected);
  });
});
