import { createHash } from 'node:crypto';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { hostEnvironment } from '../../src/kernel/environment.ts';
import type { RunSpec } from '../../src/sandbox/types.ts';
import { askComponent, componentTools } from '../../src/sandbox/wasm/tools.ts';
import { assembleComponent, fakeAddon, realAddon } from './guests/addons.ts';
import { endlessText, environmentText, mirrorText, mirrorTools } from './guests/components.ts';
import { type Asked, createStage, type Stage } from './guests/stage.ts';

const header = Buffer.from('\0asm\x0d\0\x01\0', 'latin1');
const parameters = {
  type: 'object',
  properties: { ok: { description: 'A result' }, count: { type: 'number', description: 'How often', default: 3 } },
  required: ['ok'],
  additionalProperties: false,
};

let stage: Stage;
afterEach(() => stage.end());

function componentOf(bytes: Uint8Array): { file: string; digest: string; skillFolder: string } {
  const file = join(stage.skill, 'component.wasm');
  writeFileSync(file, bytes);
  return { file, digest: createHash('sha256').update(bytes).digest('hex'), skillFolder: stage.skill };
}

function specOf(bytes: Uint8Array, json: string, more: Partial<RunSpec> = {}): RunSpec {
  const { file, digest } = componentOf(bytes);
  return {
    ...stage.specFor(bytes),
    task: { kind: 'component', file, digest, tool: 'mirror', parameters: json },
    ...more,
  };
}

const call = (bytes: Uint8Array, json: string, more: Partial<RunSpec> = {}, asked: Asked = {}) =>
  stage.runSpec(specOf(bytes, json, more), asked);

const host = () => hostEnvironment({ home: stage.root, cwd: stage.root, env: {} });
const cached = () => readdirSync(join(stage.root, '.cache', 'repertoire', 'components'));

describe('a component without the add-on', () => {
  it('is refused, and it is said what to install', async () => {
    stage = createStage();
    const result = await call(header, '{}');
    expect(result.reason).toBe('engine_error');
    expect(result.message).toContain('npm install @bytecodealliance/jco-transpile @bytecodealliance/preview2-shim');
    await expect(componentTools(host(), {}, componentOf(header))).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('is refused where there is no sandbox', async () => {
    stage = createStage({ isolation: 'memory' });
    const result = await call(header, '{}');
    expect(result).toMatchObject({ reason: 'engine_error' });
    expect(result.message).toContain('bubblewrap');
  });
});

/** What the stand-in hands over: the four functions, plain. */
const mirror = `export function instantiate(load, imports) {
  return {
    getMetadata: () => '{"name":"mirror"}',
    getTools: () => ${JSON.stringify(mirrorTools)},
    executeTool: (tool, json) => json,
    validateConfig: (json) => json,
  };
}`;

describe('a component', () => {
  const staged = (generated: string, more = {}) => {
    stage = createStage({ addonFolder: 'unset' });
    const folder = stage.folder('addon');
    fakeAddon(folder, generated, more);
    const { root } = stage;
    const other = createStage({ addonFolder: folder });
    const first = stage;
    stage = { ...other, end: async () => void (await Promise.all([other.end(), first.end()])) };
    return { folder, root };
  };

  it.each([
    ['{"ok":{"success":true,"output":"fine"}}', { exitCode: 0, stdout: 'fine', stderr: '' }],
    ['{"ok":{"success":true,"output":{"a":[1]}}}', { exitCode: 0, stdout: '{"a":[1]}', stderr: '' }],
    ['{"ok":{"success":false,"output":"half","errorMessage":"no"}}', { exitCode: 1, stdout: 'half', stderr: 'no\n' }],
    ['{"ok":{"success":false}}', { exitCode: 1, stdout: '', stderr: 'the tool failed and did not say why\n' }],
    ['{"err":"bad"}', { exitCode: 1, stdout: '', stderr: 'bad\n' }],
    ['{"success":true,"output":"bare"}', { exitCode: 0, stdout: 'bare', stderr: '' }],
    ['plain text', { exitCode: 0, stdout: 'plain text', stderr: '' }],
    [
      '{"ok":{"success":true,"output":"Command: touch /tmp/x"}}',
      { exitCode: 0, stdout: 'Command: touch /tmp/x', stderr: '' },
    ],
  ])('gives %s back as output', async (json, expected) => {
    staged(mirror);
    expect(await call(header, json)).toMatchObject({ reason: 'exited', ...expected });
  });

  it('tells its tools, itself, and what it thinks of a configuration', async () => {
    const { folder } = staged(mirror);
    const options = { addonFolder: folder };
    const source = componentOf(header);
    expect(await componentTools(host(), options, source)).toEqual([
      { name: 'mirror', description: 'Gives back its arguments', parameters },
    ]);
    const ask = (name: 'get-metadata' | 'validate-config', args: string[]) =>
      askComponent(host(), options, source, { function: name, arguments: args });
    expect(await ask('get-metadata', [])).toBe('{"name":"mirror"}');
    expect(await ask('validate-config', ['{"a":1}'])).toBe('{"a":1}');
  });

  it('is made ready once for the same bytes, and anew for others', async () => {
    staged(mirror);
    await call(header, '{}');
    await call(header, '{}');
    expect(cached()).toHaveLength(1);
    await call(Buffer.concat([header, header]), '{}');
    expect(cached()).toHaveLength(2);
    expect(cached().every((name) => /^[0-9a-f]{40}$/.test(name))).toBe(true);
  });

  it('gets its folders and its environment and no network, where it asks for the system', async () => {
    staged(
      `export function instantiate(load, imports) {
        return { executeTool: () => imports['wasi:test/options'].get() + imports['get-config'].default('NAME') };
      }`,
      { imports: ['wasi:test/options'] },
    );
    const { stdout } = await call(header, '{}', { env: { NAME: 'value' } });
    const sandbox = {
      preopens: { '/skill': '/skill', '/tmp': '/tmp', '.': '/skill' },
      env: { NAME: 'value' },
      args: ['component'],
      enableNetwork: false,
    };
    expect(stdout).toBe(`${JSON.stringify({ sandbox })}value`);
  });

  it('is in the sandbox with all that was generated: it sees none of the machine', async () => {
    const secret = 'secret.txt';
    staged(
      `import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
      import { connect } from 'node:net';
      const attempt = (action) => { try { return 'done ' + action(); } catch (error) { return error.code ?? error.message; } };
      export function instantiate() {
        return { executeTool: (tool, json) => [
          attempt(() => readFileSync(JSON.parse(json).secret, 'utf8')),
          attempt(() => readFileSync('/etc/passwd', 'utf8')),
          attempt(() => readFileSync('/proc/self/environ', 'utf8')),
          attempt(() => writeFileSync('/skill/new.txt', 'new')),
          attempt(() => writeFileSync('/engine/component/component.js', 'new')),
          attempt(() => eval('1 + 1')),
          attempt(() => readdirSync('/').join()),
        ].join('|') };
      }`,
    );
    const { stdout } = await call(header, JSON.stringify({ secret: join(stage.root, secret) }));
    const [own, passwd, environ, skill, cache, evaluated, root] = stdout.split('|');
    expect([own, passwd, environ]).toEqual(['ENOENT', 'ENOENT', 'ENOENT']);
    expect([skill, cache]).toEqual(['EROFS', 'EROFS']);
    expect(evaluated).toContain('Code generation from strings');
    expect(root).toBe('done dev,engine,lib64,skill,tmp');
  });

  it('can start no more processes than it may', async () => {
    staged(
      `import { spawn } from 'node:child_process';
      const wait = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
      export function instantiate() {
        return { executeTool: () => {
          const made = Array.from({ length: 30 }, () => spawn('/engine/node', ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' }));
          wait(1500);
          return String(made.filter(({ pid }) => { try { return pid !== undefined && process.kill(pid, 0); } catch { return false; } }).length);
        } };
      }`,
    );
    const limits = { ...stage.specFor(header).limits, processes: 8 };
    const { reason, stdout } = await call(header, '{}', { limits });
    // Either that is noticed inside, or the engine itself ends for want of threads.
    if (reason === 'exited') expect(Number(stdout)).toBeLessThan(20);
    else expect(reason).toBe('memory');
  });

  it('is ended at the deadline', async () => {
    staged('export function instantiate() { return { executeTool() { for (;;); } }; }');
    const limits = { ...stage.specFor(header).limits, timeoutMs: 700 };
    expect(await call(header, '{}', { limits })).toMatchObject({ reason: 'timeout' });
  });

  it('is refused where the add-on hands over files of odd names, and nothing is written for them', async () => {
    staged(mirror, { files: { '../../escaped.js': 'no' } });
    const result = await call(header, '{}');
    expect(result).toMatchObject({ reason: 'engine_error' });
    expect(existsSync(join(stage.root, '.cache', 'repertoire', 'components'))).toBe(false);
  });

  it('is refused where it lacks the function', async () => {
    staged('export function instantiate() { return {}; }');
    expect((await call(header, '{}')).message).toContain('execute-tool');
  });
});

const addon = realAddon();
if (addon !== null) {
  describe('a component, by the real add-on', () => {
    const made = (text: string) => {
      stage = createStage({ addonFolder: addon });
      return assembleComponent(addon, text);
    };

    it('answers all four functions', async () => {
      const bytes = await made(mirrorText());
      const source = componentOf(bytes);
      const options = { addonFolder: addon };
      expect(await componentTools(host(), options, source)).toMatchObject([{ name: 'mirror', parameters }]);
      const ask = (name: 'get-metadata' | 'validate-config', args: string[]) =>
        askComponent(host(), options, source, { function: name, arguments: args });
      expect(JSON.parse(await ask('get-metadata', []))).toMatchObject({ name: 'mirror' });
      expect(await ask('validate-config', ['{"ä":"ö"}'])).toBe('{"ä":"ö"}');
      const result = await call(bytes, '{"ok":{"success":true,"output":"Command: ls ü"}}');
      expect(result).toMatchObject({ reason: 'exited', exitCode: 0, stdout: 'Command: ls ü' });
    });

    it('gets its own environment from the system interface, and not ours', async () => {
      const bytes = await made(environmentText);
      expect(await call(bytes, '{}', { env: { GIVEN: 'x' } })).toMatchObject({ exitCode: 0, stdout: 'GIVEN' });
    });

    // Names that the add-on puts into what it generates without a second look: they do run, and find nothing.
    it.each([
      (code: string) => `x'];${code};['`,
      (code: string) => `x"];${code};["`,
      (code: string) => `'];${code}//`,
      (code: string) => ['`$', '{', code, '}`'].join(''),
    ])('has names that are code, and they do no harm (%#)', async (nameFrom) => {
      stage = createStage({ addonFolder: addon });
      const root = stage.root;
      const fs = "process.getBuiltinModule('fs')".replaceAll("'", nameFrom('').includes('"') ? "'" : '"');
      const quoted = (text: string) => (nameFrom('').includes('"') ? `'${text}'` : `"${text}"`);
      const code = `${fs}.writeSync(1,${quoted('INJECTED')}+${fs}.readFileSync(${quoted(`${root}/secret.txt`)}))`;
      const bytes = await assembleComponent(addon, mirrorText(nameFrom(code)));
      const before = readdirSync(root).sort();
      const result = await call(bytes, '{"ok":{"success":true,"output":"fine"}}');
      expect(result.stdout + result.stderr).not.toContain('secret of the host');
      expect(
        readdirSync(root)
          .filter((name) => name !== '.cache')
          .sort(),
      ).toEqual(before);
    });

    it('is ended at the deadline, and refused where it is malformed', async () => {
      const bytes = await made(endlessText);
      const limits = { ...stage.specFor(bytes).limits, timeoutMs: 1500 };
      await call(bytes, '{}', { limits });
      expect(await call(bytes, '{}', { limits })).toMatchObject({ reason: 'timeout' });
      expect(await call(Buffer.concat([header, Buffer.from('rubbish')]), '{}')).toMatchObject({
        reason: 'engine_error',
      });
    });
  });
}
