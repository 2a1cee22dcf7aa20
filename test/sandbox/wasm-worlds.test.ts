import { createHash } from 'node:crypto';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hostEnvironment } from '../../src/core/environment.ts';
import type { RunSpec } from '../../src/run/sandbox/types.ts';
import { componentTools } from '../../src/run/sandbox/wasm/tools.ts';
import { createStage, type Stage } from './guests/stage.ts';
import { componentOfWorld, echo, program, reader, say, sayResult, wasi } from './guests/worlds.ts';

let stage: Stage;
beforeAll(() => {
  stage = createStage();
});
afterAll(() => stage.end());

function sourceOf(bytes: Uint8Array): { file: string; digest: string; skillFolder: string } {
  const digest = createHash('sha256').update(bytes).digest('hex');
  const file = join(stage.skill, `${digest.slice(0, 16)}.wasm`);
  writeFileSync(file, bytes);
  return { file, digest, skillFolder: stage.skill };
}

const toolsOf = (bytes: Uint8Array) =>
  componentTools(hostEnvironment({ home: stage.root, cwd: stage.root, env: {} }), {}, sourceOf(bytes));

function call(bytes: Uint8Array, tool: string, parameters: unknown, more: Partial<RunSpec> = {}) {
  const { file, digest } = sourceOf(bytes);
  const task = { kind: 'component', file, digest, tool, parameters: JSON.stringify(parameters) } as const;
  return stage.runSpec({ ...stage.specFor(bytes), task, ...more });
}

const types = `
  record point { x: s32, the-label: option<string> }
  variant shape { none, circle(f64), at(point), many(list<point>) }
  enum colour { red, dark-green }
  flags rights { read, write-all }`;

/** A value of each type, which must come back as it was given. */
const samples: Readonly<Record<string, readonly unknown[]>> = {
  bool: [true, false],
  u8: [0, 255],
  s8: [-128, 127],
  u16: [65_535],
  s16: [-32_768],
  u32: [4_294_967_295],
  s32: [-2_147_483_648],
  u64: [0, 42, '18446744073709551615'],
  s64: [-1, '-9223372036854775808'],
  f32: [1.5, -0.25],
  f64: [0.1, 1e300],
  char: ['a', 'é', '🦀'],
  string: ['', 'Grüße, 世界 🦀', 'a\0b'],
  point: [
    { x: -1, 'the-label': 'here' },
    { x: 2, 'the-label': null },
  ],
  shape: [
    { tag: 'none' },
    { tag: 'circle', val: 2.5 },
    { tag: 'at', val: { x: 1, 'the-label': 'p' } },
    { tag: 'many', val: [{ x: 1, 'the-label': null }] },
  ],
  colour: ['red', 'dark-green'],
  rights: [[], ['write-all'], ['read', 'write-all']],
  'option<u8>': [null, 7],
  'option<option<string>>': [null, { some: null }, { some: 'x' }],
  'result<u8, string>': [{ ok: 1 }, { err: 'no' }],
  'result<_, colour>': [{ ok: null }, { err: 'red' }],
  'list<list<u8>>': [[], [[1, 2], []]],
  'tuple<string, u8, tuple<bool, char>>': [['a', 1, [true, 'z']]],
};

describe('the types of WIT', () => {
  const names = Object.keys(samples);
  let bytes: Uint8Array;
  beforeAll(async () => {
    const functions = names.map((type, index) => `f${index}: func(it: list<${type}>) -> list<${type}>;`).join('\n');
    const wit = `package acme:all@1.0.0; interface all { ${types} ${functions} } world w { export all; }`;
    bytes = await componentOfWorld(wit, names.map((_, index) => echo(`acme:all/all@1.0.0#f${index}`)).join('\n'));
  });

  it.each(names.map((type, index) => [type, index] as const))(
    '%s goes in and comes out as JSON',
    async (type, index) => {
      const it = samples[type];
      const { exitCode, stdout, stderr } = await call(bytes, `f${index}`, { it });
      expect([exitCode, stderr]).toEqual([0, '']);
      expect(JSON.parse(stdout)).toEqual(it);
    },
  );

  it('are the JSON Schema of the parameters', async () => {
    const { tools, problems } = await toolsOf(bytes);
    expect(problems).toEqual([]);
    expect(tools.map(({ name }) => name)).toEqual(names.map((_, index) => `f${index}`));
    expect(new Set(tools.map(({ output }) => output))).toEqual(new Set(['json']));
    const schemaFor = (type: string) => {
      const { parameters } = tools[names.indexOf(type)] ?? {};
      return (parameters as { properties: { it: { items: unknown } } }).properties.it.items;
    };
    const label = { anyOf: [{ type: 'string' }, { type: 'null' }] };
    expect(schemaFor('point')).toEqual({
      type: 'object',
      properties: { x: { type: 'integer', minimum: -2_147_483_648, maximum: 2_147_483_647 }, 'the-label': label },
      required: ['x'],
      additionalProperties: false,
    });
    expect(schemaFor('colour')).toEqual({ type: 'string', enum: ['red', 'dark-green'] });
    expect(schemaFor('u8')).toEqual({ type: 'integer', minimum: 0, maximum: 255 });
  });

  it('are passed by themselves, too, by the names of the parameters', async () => {
    const scalars = await componentOfWorld(
      `package acme:scalars; world w {
        export delete: func(of-it: u64, it: f32) -> u64;
        export no-result: func();
        export maybe: func(it: option<u32>) -> option<u32>;
      }`,
      `(func (export "delete") (param i64 f32) (result i64) (i64.sub (local.get 0) (i64.const 1)))
       (func (export "no-result"))
       (func (export "maybe") (param i32 i32) (result i32)
         (i32.store8 (i32.const 16) (local.get 0)) (i32.store (i32.const 20) (local.get 1)) (i32.const 16))`,
    );
    expect(await call(scalars, 'delete', { 'of-it': '18446744073709551615', it: 1 })).toMatchObject({
      exitCode: 0,
      stdout: '18446744073709551614',
    });
    expect(await call(scalars, 'no-result', {})).toMatchObject({ exitCode: 0, stdout: '', stderr: '' });
    expect(await call(scalars, 'maybe', { it: 5 })).toMatchObject({ exitCode: 0, stdout: '5' });
    expect(await call(scalars, 'maybe', {})).toMatchObject({ exitCode: 0, stdout: '' });
    expect(await call(scalars, 'delete', { it: 1 })).toMatchObject({
      reason: 'engine_error',
      message: expect.stringContaining('of-it: an integer from 0 to 18446744073709551615 is expected'),
    });
  });
});

describe('a component that lists its tools in types of its own', () => {
  const wit = `package acme:skill; world w {
    enum kind { %string, number, json }
    record parameter { name: string, param-type: kind, description: string, required: bool, default-value: option<string> }
    record tool { name: string, description: string, parameters: list<parameter>, streaming: bool }
    record outcome { success: bool, output: string, error-message: option<string>, metadata: option<list<tuple<string, string>>> }
    export get-tools: func() -> list<tool>;
    export execute-tool: func(name: string, args: list<tuple<string, string>>) -> result<outcome, string>;
    export health-check: func() -> result<_, string>;
  }`;
  /** One tool, and one parameter; the answer is the value of the first pair, and a failure where it begins with `!`. */
  const functions = `
    (data (i32.const 1024) "greetSays hellowhoWhom to greet7unknown")
    (func $text (param $at i32) (param $from i32) (param $length i32)
      (i32.store (local.get $at) (local.get $from)) (i32.store offset=4 (local.get $at) (local.get $length)))
    (func (export "get-tools") (result i32)
      (i32.store (i32.const 16) (i32.const 64)) (i32.store (i32.const 20) (i32.const 1))
      (call $text (i32.const 64) (i32.const 1024) (i32.const 5))
      (call $text (i32.const 72) (i32.const 1029) (i32.const 10))
      (i32.store (i32.const 80) (i32.const 128)) (i32.store (i32.const 84) (i32.const 1))
      (call $text (i32.const 128) (i32.const 1039) (i32.const 3))
      (i32.store8 (i32.const 136) (i32.const 1))
      (call $text (i32.const 140) (i32.const 1042) (i32.const 13))
      (i32.store8 (i32.const 148) (i32.const 1))
      (i32.store8 (i32.const 152) (i32.const 1))
      (call $text (i32.const 156) (i32.const 1055) (i32.const 1))
      (i32.const 16))
    (func (export "health-check") (result i32) (i32.const 256))
    (func (export "execute-tool") (param $name i32) (param i32) (param $pairs i32) (param $count i32) (result i32)
      (local $value i32) (local $length i32)
      (if (i32.eqz (local.get $count)) (then
        (i32.store8 (i32.const 16) (i32.const 1)) (call $text (i32.const 20) (i32.const 1056) (i32.const 7))
        (return (i32.const 16))))
      (local.set $value (i32.load offset=8 (local.get $pairs)))
      (local.set $length (i32.load offset=12 (local.get $pairs)))
      (i32.store8 (i32.const 16) (i32.const 0))
      (call $text (i32.const 24) (local.get $value) (local.get $length))
      (i32.store8 (i32.const 32) (i32.const 0))
      (i32.store8 (i32.const 20) (i32.ne (i32.load8_u (local.get $value)) (i32.const 33)))
      (if (i32.eqz (i32.load8_u (i32.const 20))) (then
        (i32.store8 (i32.const 32) (i32.const 1)) (call $text (i32.const 36) (local.get $value) (local.get $length))))
      (i32.store8 (i32.const 44) (i32.const 0))
      (i32.const 16))`;
  let bytes: Uint8Array;
  beforeAll(async () => {
    bytes = await componentOfWorld(wit, functions);
  });

  it('is asked for them', async () => {
    const who = { type: 'number', description: 'Whom to greet', default: 7 };
    expect(await toolsOf(bytes)).toEqual({
      tools: [
        {
          name: 'greet',
          description: 'Says hello',
          output: 'text',
          parameters: { type: 'object', properties: { who }, required: ['who'], additionalProperties: false },
        },
      ],
      problems: [],
    });
  });

  it.each([
    [{ who: 'Ann' }, { exitCode: 0, stdout: 'Ann', stderr: '' }],
    [{ who: [1, { a: null }] }, { exitCode: 0, stdout: '[1,{"a":null}]', stderr: '' }],
    [{ who: '!Ann' }, { exitCode: 1, stdout: '!Ann', stderr: '!Ann\n' }],
    [{}, { exitCode: 1, stdout: '', stderr: 'unknown\n' }],
  ])('takes %j as names with their values, and tells failure from success', async (parameters, expected) => {
    expect(await call(bytes, 'greet', parameters)).toMatchObject({ reason: 'exited', ...expected });
  });
});

describe('a program for WASI 0.2', () => {
  it('is a tool that takes arguments and standard input, and ends with its code', async () => {
    const bytes = await componentOfWorld(`package acme:program; world w { ${program.imports} } ${wasi}`, program.text);
    expect((await toolsOf(bytes)).tools).toMatchObject([{ name: 'run', parameters: null, output: 'text' }]);
    const run = (word: string) => call(bytes, 'run', { args: [word] }, { stdin: Buffer.from('from stdin') });
    // It prints its first argument and a page of its input, a thousand times over.
    const { exitCode, stdout } = await run('x');
    expect([exitCode, stdout.length, stdout.slice(0, 22)]).toEqual([0, 11_000, 'xfrom stdinxfrom stdin']);
    expect(await run('four')).toMatchObject({ exitCode: 1, stderr: '' });
  });
});

describe('the files of a component', () => {
  it('are those of the skill and what is granted, and none outside', async () => {
    const bytes = await componentOfWorld(
      `package acme:files; world w { ${reader.imports} export read: func(folder: u32, path: string) -> result<string, u8>; } ${wasi}`,
      reader.text,
    );
    const source = stage.folder('granted');
    writeFileSync(join(source, 'note.txt'), 'granted note');
    const mounts = [{ source, target: '/granted', access: 'read' }] as const;
    const read = (folder: number, path: string) => call(bytes, 'read', { folder, path }, { mounts });
    expect(await read(0, 'data.txt')).toMatchObject({ exitCode: 0, stdout: 'data of the skill', stderr: '' });
    expect(await read(2, 'note.txt')).toMatchObject({ exitCode: 0, stdout: 'granted note', stderr: '' });
    for (const [name, target] of Object.entries({ folder: '/engine', beside: '../engine', file: '/engine/node' }))
      symlinkSync(target, join(stage.skill, `engine-${name}`));
    const engine = ['engine-folder/node', 'engine-beside/node', 'engine-file', 'engine-folder/component/component.js'];
    for (const path of ['../secret.txt', '/etc/passwd', join(stage.root, 'secret.txt'), 'missing.txt', ...engine])
      expect(await read(0, path)).toMatchObject({ exitCode: 1, stdout: '' });
  });
});

describe('a component that cannot be used', () => {
  const refused = async (wit: string, functions: string) => {
    const bytes = await componentOfWorld(wit, functions);
    return toolsOf(bytes).then(
      ({ tools, problems }) => ({ tools: tools.map(({ name }) => name), problems }),
      (error: Error) => error.message,
    );
  };

  it('says which interface it lacks', async () => {
    const wit = 'package acme:odd@2.0.0; interface db { get: func(); } world w { import db; export go: func(); }';
    const functions = '(import "acme:odd/db@2.0.0" "get" (func $get))\n(func (export "go") (call $get))';
    expect(await refused(wit, functions)).toContain(
      'it imports acme:odd/db@2.0.0, which is not available to components here',
    );
  });

  it('may use types of another interface, which nobody has to offer', async () => {
    const wit = `package acme:odd; interface types { record r { a: u8 } }
      world w { use types.{r}; export go: func(it: r) -> u8; }`;
    const functions = '(func (export "go") (param i32) (result i32) (local.get 0))';
    expect(await refused(wit, functions)).toEqual({ tools: ['go'], problems: [] });
  });

  it('keeps its other functions where some take resources', async () => {
    const wit = `package acme:odd; interface store { resource bucket { get: func() -> u8; } open: func() -> bucket; plain: func(); }
      world w { export store; }`;
    const functions = `(func (export "acme:odd/store#[method]bucket.get") (param i32) (result i32) (i32.const 1))
      (func (export "acme:odd/store#open") (result i32) (i32.const 1))
      (func (export "acme:odd/store#plain"))`;
    expect(await refused(wit, functions)).toEqual({
      tools: ['plain'],
      problems: [
        '[method]bucket.get is not a tool: it takes or returns a resource, which is not supported',
        'open is not a tool: it takes or returns a resource, which is not supported',
      ],
    });
  });

  it('is told apart where types grow beyond measure', async () => {
    const doubled = Array.from({ length: 12 }, (_, at) => `type t${at + 1} = tuple<t${at}, t${at}>;`).join(' ');
    const wit = `package acme:odd; interface big { type t0 = u8; ${doubled} go: func(it: list<t12>) -> list<u8>; fine: func(it: list<u8>) -> list<u8>; }
      world w { export big; }`;
    expect(await refused(wit, `${echo('acme:odd/big#go')} ${echo('acme:odd/big#fine')}`)).toMatchObject({
      tools: ['fine'],
      problems: [expect.stringContaining('go is not a tool: it takes or returns a type with too many parts')],
    });
  });

  it('has tools of both interfaces that have a function of the same name', async () => {
    const wit = `package acme:two; interface a { go: func(); } interface b { go: func(); } world w { export a; export b; }`;
    const functions = '(func (export "acme:two/a#go")) (func (export "acme:two/b#go"))';
    expect(await refused(wit, functions)).toEqual({ tools: ['a-go', 'b-go'], problems: [] });
  });
});

describe('a component that does harm', () => {
  let bytes: Uint8Array;
  beforeAll(async () => {
    bytes = await componentOfWorld(
      `package acme:harm; world w {
        export trap: func();
        export fail: func() -> result<string, string>;
        export hello: func() -> string;
        export endless: func();
        export huge: func() -> list<u64>;
        export outside: func() -> string;
      }`,
      `(func (export "trap") unreachable)
       ${sayResult('fail', 'err', 'so it is')}
       ${say('hello', 'Grüße')}
       (func (export "endless") (loop $again (br $again)))
       (func (export "huge") (result i32) (drop (memory.grow (i32.const 15)))
         (i32.store (i32.const 16) (i32.const 0)) (i32.store (i32.const 20) (i32.const 131072)) (i32.const 16))
       (func (export "outside") (result i32)
         (i32.store (i32.const 16) (i32.const 0)) (i32.store (i32.const 20) (i32.const -1)) (i32.const 16))`,
    );
  });

  it('fails by itself alone: others of its functions can be called', async () => {
    expect(await call(bytes, 'hello', {})).toMatchObject({ exitCode: 0, stdout: 'Grüße' });
    expect(await call(bytes, 'fail', {})).toMatchObject({ exitCode: 1, stdout: '', stderr: 'so it is\n' });
    expect(await call(bytes, 'trap', {})).toMatchObject({
      exitCode: 134,
      stderr: expect.stringContaining('unreachable'),
    });
    expect(await call(bytes, 'outside', {})).toMatchObject({ exitCode: 134, stdout: '' });
  });

  it('is ended at the deadline', async () => {
    const limits = { ...stage.specFor(bytes).limits, timeoutMs: 1000 };
    expect(await call(bytes, 'endless', {}, { limits })).toMatchObject({ reason: 'timeout' });
  });

  it('gets no more out than it may', async () => {
    const limits = { ...stage.specFor(bytes).limits, outputBytes: 10_000 };
    expect(await call(bytes, 'huge', {}, { limits })).toMatchObject({ reason: 'output_limit' });
  });
});
