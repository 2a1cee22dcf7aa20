import { beforeAll, expect, it } from 'vitest';
import { assemble, assembleComponent } from '../sandbox/guests/assemble.ts';
import { mirrorText } from '../sandbox/guests/components.ts';
import { componentOfWorld, sayResult } from '../sandbox/guests/worlds.ts';
import { connectStdio } from '../support/mcp.ts';
import { createWorld, type World } from '../support/world.ts';

interface Shown {
  readonly skills: readonly { source: string; tools: { name: string; parameters: object }[]; problems: object[] }[];
}

let typed: Uint8Array;
beforeAll(async () => {
  typed = await componentOfWorld(
    'package acme:greet; world w { export greet: func(name: string, tags: list<tuple<string, u8>>) -> result<string, string>; }',
    sayResult('greet', 'err', 'nobody is there', '(param i32 i32 i32 i32)'),
  );
});

function withModule(file: string, bytes: Uint8Array): World {
  const world = createWorld();
  world.skill('project/skills/parts');
  world.write(`project/skills/parts/${file}`, Buffer.from(bytes));
  return world;
}

const toolsIn = async (world: World) => (await world.run(['tools', 'parts', '--json'])).json<Shown>().skills[0];

it('the tools that a component lists are those of a skill without a manifest [C4-TOOLS-02]', async () => {
  const world = withModule('mirror.wasm', await assembleComponent(mirrorText()));
  expect(await toolsIn(world)).toMatchObject({
    runtime: 'wasm',
    source: 'component',
    problems: [],
    tools: [{ name: 'mirror', parameters: { required: ['ok'] } }],
  });
  const given = JSON.stringify({ ok: { success: true, output: 'seen' } });
  const { code, stdout, stderr } = await world.run(['run', 'parts:mirror', '--params', given]);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain('seen');
});

it('the functions of a component in dist/ are tools, with their WIT types as JSON Schema [C4-TOOLS-02]', async () => {
  const world = withModule('dist/skill.wasm', typed);
  const tags = {
    type: 'array',
    items: {
      type: 'array',
      prefixItems: [{ type: 'string' }, { type: 'integer', minimum: 0, maximum: 255 }],
      minItems: 2,
      maxItems: 2,
    },
  };
  expect(await toolsIn(world)).toMatchObject({
    source: 'component',
    problems: [],
    tools: [
      { name: 'greet', parameters: { properties: { name: { type: 'string' }, tags }, required: ['name', 'tags'] } },
    ],
  });
  const wrong = await world.run(['run', 'parts:greet', '--params', '{"name":"a","tags":[["x",256]]}']);
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('255')]);
  const failed = await world.run(['run', 'parts:greet', '--params', '{"name":"a","tags":[["x",1]]}']);
  expect([failed.code, failed.stderr]).toEqual([1, expect.stringContaining('nobody is there')]);
});

it('a component that cannot be used says why, when it is listed and when it is run [C4-TOOLS-02]', async () => {
  const bytes = await componentOfWorld(
    'package acme:odd; interface store { put: func(); } world w { import store; export go: func(); }',
    '(import "acme:odd/store" "put" (func $put))\n(func (export "go") (call $put))',
  );
  const world = withModule('skill.wasm', bytes);
  expect(await toolsIn(world)).toMatchObject({
    tools: [],
    problems: [
      {
        code: 'component-unusable',
        message: expect.stringContaining('it imports acme:odd/store, which is not available to components here'),
        remedy: expect.stringContaining('WASI 0.2'),
      },
    ],
  });
  const { code, stderr } = await world.run(['run', 'parts:go']);
  expect(code).not.toBe(0);
  expect(stderr).toContain('it imports acme:odd/store');
  const server = await connectStdio(world, ['serve']);
  const parameters = { skill_name: 'parts', tool_name: 'go', parameters: {} };
  const { isError, content } = await server.call('skill-engine/execute', parameters);
  expect([isError, JSON.stringify(content)]).toEqual([true, expect.stringContaining('it imports acme:odd/store')]);
});

it('what runs components comes with the program, and not from the folder it is started in [C4-TOOLS-02]', async () => {
  const world = withModule('skill.wasm', typed);
  for (const name of ['jco-transpile', 'preview2-shim']) {
    const folder = `project/node_modules/@bytecodealliance/${name}`;
    const exports = { './component': './x.js', './instantiation': './x.js' };
    world.write(`${folder}/package.json`, JSON.stringify({ name, version: '9.9.9', type: 'module', exports }));
    world.write(`${folder}/x.js`, "process.stdout.write('INTRUDER'); throw new Error('INTRUDER');\n");
  }
  expect(await toolsIn(world)).toMatchObject({ tools: [{ name: 'greet' }], problems: [] });
  const { stdout, stderr } = await world.run(['run', 'parts:greet', '--params', '{"name":"a","tags":[]}']);
  expect(stdout + stderr).toContain('nobody is there');
  expect(stdout + stderr).not.toContain('INTRUDER');
});

const program = `(module
  (import "wasi_snapshot_preview1" "args_sizes_get" (func $sizes (param i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
  (memory (export "memory") 1)
  (func (export "_start") (drop (call $sizes (i32.const 0) (i32.const 4))) (call $exit (i32.load (i32.const 0)))))`;

it('a core module that is named as the skill’s own is one tool, unless the skill has scripts [C4-TOOLS-02]', async () => {
  const world = withModule('skill.wasm', await assemble(program));
  expect(await toolsIn(world)).toMatchObject({
    source: 'module',
    problems: [],
    tools: [{ name: 'run', parameters: { properties: { args: {}, stdin: {} } } }],
  });
  // It ends with the number of its arguments, its own name among them.
  const { code } = await world.run(['run', 'parts:run', '--params', '{"args":["a","b c"]}']);
  expect(code).toBe(3);
  world.write('project/skills/parts/scripts/other.sh', 'echo\n');
  expect(await toolsIn(world)).toMatchObject({
    source: 'scripts',
    tools: [{ name: 'other' }],
    problems: [{ code: 'tool-empty', message: expect.stringContaining('skill.wasm is not a tool') }],
  });
});

it.each(['skill.wasm', 'dist/skill.wasm', 'parts.wasm'])(
  '%s that is empty or something else is reported',
  async (file) => {
    for (const bytes of ['', 'not a module']) {
      const world = withModule(file, Buffer.from(bytes));
      expect(await toolsIn(world)).toMatchObject({
        tools: [],
        problems: [{ code: 'tool-empty', message: expect.stringContaining('is not a WebAssembly file') }],
      });
      const { code, stderr } = await world.run(['run', 'parts']);
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(/has no tools: .*\.wasm" is not a WebAssembly file\n.*Build/),
      ]);
      world.write('project/skills/parts/scripts/say.sh', '#!/bin/sh\necho said\n');
      expect(await toolsIn(world)).toMatchObject({ tools: [{ name: 'say' }], problems: [{ code: 'tool-empty' }] });
    }
  },
);
