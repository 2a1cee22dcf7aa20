import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Operation } from '../../src/engine/operation.ts';
import { isServer } from '../../src/faces/cli/command.ts';
import { commands } from '../../src/faces/cli/commands.ts';
import { tools } from '../../src/faces/mcp/tools/call.ts';
import { jobsName } from '../../src/faces/mcp/tools/execute.ts';
import { operations as routes } from '../../src/faces/web/operations.ts';

const source = fileURLToPath(new URL('../../src', import.meta.url));

const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => /\.tsx?$/.test(path) && !path.includes('.test.'))
  .map((path) => ({ path, text: readFileSync(join(source, path), 'utf8') }));

/** Calls of an operation's own `run`, by whatever name it was imported. */
function runsIn(text: string): string[] {
  const imports = [...text.matchAll(/import \{([^}]*)\} from '[^']*\/operations\/[^']*'/g)];
  const names = imports.flatMap(([, list = '']) =>
    list
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== '' && !one.startsWith('type '))
      .map((one) => one.split(' as ').at(-1) as string),
  );
  const awaited = [...text.matchAll(/const \{ (\w+) \} = await import\('[^']*\/operations\//g)].map(([, name]) => name);
  const known = ['operation', ...names, ...awaited].join('|');
  return [...text.matchAll(new RegExp(`\\b(?:${known})\\.run\\(`, 'g'))].map(([call]) => call);
}

describe('an operation', () => {
  it('is run by invoke() alone, which reads its input, brings the registry up to date and notes it', () => {
    const callers = files.filter(({ text }) => runsIn(text).length > 0).map(({ path }) => path);
    expect(callers).toEqual(['engine/operation.ts']);
  });

  it('would be seen if it were run by somebody else', () => {
    expect(runsIn("import { read as part } from '../engine/operations/read.ts';\npart.run(engine, {})")).toHaveLength(
      1,
    );
    expect(runsIn("const { jobs } = await import('../operations/jobs.ts');\njobs.run(engine)")).toHaveLength(1);
    expect(runsIn("import { type RunOutput } from './operations/run.ts';\ntype X = typeof operation.run;")).toEqual([]);
  });

  it('knows no command line: no dashes, no places, no standard input', () => {
    const own = files.filter(({ path }) => path.startsWith('engine/operations/'));
    const words = /\b(?:positional|short|completes):|readFileSync\(0\b|process\.stdin/;
    expect(own.filter(({ text }) => words.test(text)).map(({ path }) => path)).toEqual([]);
  });
});

describe('an engine', () => {
  it('is never copied to become another request, nor is a request', () => {
    // A part of the work is done for the same request, at another place in its trace.
    const places = ['engine/telemetry/telemetry.ts'];
    const copying = files.filter(({ text }) => /\{ \.\.\.(?:engine|request)\b/.test(text)).map(({ path }) => path);
    expect(copying).toEqual(places);
  });

  it('has its services as fields: what is remembered beside an object is made of that object alone', () => {
    const data = [
      'ArrayBufferLike',
      'JsonSchema',
      'Root',
      'Scan',
      'Segment',
      'ShownText',
      'Skill',
      'SkillText',
      'SkillTool',
      'Snapshot',
      'Socket',
    ];
    const keys = files
      .filter(({ path }) => path !== 'core/maps.ts') // its keys are named where it is used
      .flatMap(({ path, text }) =>
        [...text.matchAll(/new WeakMap<(\w+)|\bmemoized\((?:\s*\((?:\w+|\{[^}]*\}): (\w+)\))?/g)].map(
          ([, made = '', given = made]) => ({ path, key: given }),
        ),
      );
    expect(keys.filter(({ key }) => !data.includes(key))).toEqual([]);
  });
});

const faces = ['cli', 'http', 'mcp', 'library'] as const;
type Face = (typeof faces)[number];

const own = 'writes to the machine that it is typed on, or tells of it';
const program = 'a program finds, searches, loads and runs; looking after a machine is for people';
const models = 'models find, load and run skills; what others did and may do is for people';
const otherwise = (name: string) => `${name} is the same for this face`;
const page = 'has the details that a page shows; other faces tell them by commands of their own';

/** Why an operation is not there for a face. */
const reasons: Readonly<Record<string, Partial<Record<Face, string>>>> = {
  activity: { mcp: models, library: program },
  add: { mcp: own, library: own },
  agents: { cli: otherwise('doctor'), mcp: models, library: program },
  alias: { http: own, mcp: own, library: own },
  allow: { mcp: models, library: program },
  attention: { cli: otherwise('doctor'), mcp: models, library: program },
  audit: { mcp: models, library: program },
  browse: { cli: otherwise('list'), mcp: otherwise('installed'), library: otherwise('list') },
  bundle: { http: own, mcp: own, library: own },
  cluster: { http: own, mcp: own, library: own },
  config: { http: own, mcp: own, library: own },
  configure: { http: own, mcp: own, library: own },
  disable: { mcp: own, library: program },
  doctor: { mcp: models, library: program },
  download: { cli: otherwise('output'), mcp: models, library: program },
  draft: { cli: otherwise('validate'), mcp: own, library: program },
  edit: { cli: 'a shell has editors', mcp: own, library: program },
  enable: { mcp: own, library: program },
  eval: { http: own, mcp: own, library: program },
  execute: { cli: otherwise('run'), http: otherwise('run') },
  grant: { mcp: 'a person is asked by execute, when something is missing', library: program },
  grants: { mcp: models, library: program },
  health: { cli: 'a command has no server to tell of', mcp: models, library: program },
  inspect: { cli: page, mcp: page, library: page },
  install: { http: own, mcp: own, library: own },
  installed: { cli: otherwise('tools'), http: otherwise('browse'), library: otherwise('tools') },
  jobs: { library: 'only servers leave runs behind' },
  list: { http: otherwise('browse'), mcp: otherwise('summaries') },
  load: { cli: otherwise('show'), http: otherwise('inspect'), library: otherwise('source') },
  locked: { cli: otherwise('verify'), mcp: own, library: own },
  members: { mcp: models, library: program },
  new: { mcp: own, library: own },
  outdated: { mcp: own, library: own },
  output: { mcp: models, library: program },
  pack: { http: own, mcp: own, library: own },
  picture: { cli: page, mcp: otherwise('load'), library: page },
  prune: { http: own, mcp: own, library: own },
  publish: { http: own, mcp: own, library: own },
  read: { cli: 'a shell reads files', mcp: otherwise('load'), library: 'a program reads files' },
  remote: { http: own, mcp: models, library: program },
  remove: { mcp: own, library: own },
  resolve: { cli: otherwise('why'), http: otherwise('why'), mcp: otherwise('load') },
  revoke: { mcp: models, library: program },
  run: { mcp: otherwise('execute'), library: otherwise('execute') },
  scan: { http: own, mcp: models, library: program },
  search: {},
  setup: { mcp: own, library: own },
  show: { http: otherwise('inspect'), mcp: otherwise('load'), library: otherwise('source') },
  source: { cli: otherwise('show'), http: otherwise('read'), mcp: otherwise('load') },
  statistics: { mcp: models, library: program },
  summaries: { cli: otherwise('list'), http: otherwise('browse'), library: otherwise('list') },
  'sync-back': { http: own, mcp: own, library: own },
  tools: { mcp: otherwise('installed') },
  update: { mcp: own, library: own },
  validate: { http: own, mcp: own, library: program },
  verify: { http: own, mcp: own, library: own },
  why: { mcp: models, library: otherwise('resolve') },
};

function isOperation(value: unknown): value is Operation {
  return typeof value === 'object' && value !== null && 'effect' in value && 'run' in value;
}

async function everyOperation(): Promise<string[]> {
  const found: string[] = [];
  for (const { path } of files.filter((one) => one.path.startsWith('engine/operations/'))) {
    const module = (await import(join(source, path))) as Record<string, unknown>;
    found.push(
      ...Object.values(module)
        .filter(isOperation)
        .map(({ name }) => name),
    );
  }
  return found.sort();
}

/** The operations that a file calls by name. */
function invokedIn(path: string): string[] {
  const { text } = files.find((one) => one.path === path) ?? { text: '' };
  return [...text.matchAll(/invoke\(engine, (\w+)/g)].map(([, name = '']) => name);
}

async function everyFace(): Promise<Readonly<Record<Face, ReadonlySet<string>>>> {
  const loaded = await Promise.all(Object.values(commands).map(({ load }) => load()));
  const routed = await Promise.all(Object.values(routes).map(({ load }) => load()));
  const called = Object.values(tools).flatMap((tool) =>
    typeof tool === 'function' ? [tool({}), tool({ skill_name: jobsName })] : [tool],
  );
  return {
    cli: new Set(loaded.flatMap((command) => (isServer(command) ? [] : [command.operation.name]))),
    http: new Set([
      ...routed.map(({ name }) => name),
      ...invokedIn('faces/web/api.ts'),
      ...invokedIn('faces/web/run.ts'),
    ]),
    mcp: new Set(called.map(({ operation }) => operation.name)),
    library: new Set(invokedIn('engine/repertoire.ts')),
  };
}

describe('the faces', () => {
  it('have every operation, or a reason why not', async () => {
    const operations = await everyOperation();
    const has = await everyFace();
    const cell = (name: string, face: Face) => (has[face].has(name) ? 'yes' : reasons[name]?.[face] ? '-' : 'MISSING');
    const row = (cells: readonly string[]): string =>
      cells
        .map((one) => one.padEnd(11))
        .join('')
        .trimEnd();
    const matrix = operations.map((name) => row([name, ...faces.map((face) => cell(name, face))]));
    process.stdout.write(`${[row(['', ...faces]), ...matrix].join('\n')}\n`);
    expect(matrix.filter((line) => line.includes('MISSING'))).toEqual([]);
    expect(operations.length).toBeGreaterThan(25);
  });

  it('give no reason for what is there, or for what does not exist', async () => {
    const operations = await everyOperation();
    const has = await everyFace();
    expect(Object.keys(reasons)).toEqual(operations);
    const idle = Object.entries(reasons).flatMap(([name, given]) =>
      Object.keys(given)
        .filter((face) => has[face as Face].has(name))
        .map((face) => `${name} ${face}`),
    );
    expect(idle).toEqual([]);
  });
});
