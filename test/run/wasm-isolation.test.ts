import { execFileSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SandboxReport } from '../../src/engine/operations/machine/doctor.ts';
import { program } from '../sandbox/guests/programs.ts';
import { users, Workshop } from './workshop.ts';

const bubblewrap = execFileSync('sh', ['-c', 'command -v bwrap'], { encoding: 'utf8' }).trim();
const memory = /--wasm-isolation memory/;
const everything = ['bwrap', '--dev-bind', '/', '/'];

/** Machines whose sandbox cannot be used: how a program is started there, the reason that must be given, and the remedy. */
const machines = {
  'without bubblewrap': () => ({
    through: [...everything, '--ro-bind', '/dev/null', bubblewrap],
    reason: /the sandbox needs bwrap, which is not installed/,
    remedy: /apt-get install bubblewrap/,
  }),
  'where AppArmor refuses bubblewrap its user namespace': (shop: Workshop) => {
    const standIn = join(shop.place(), 'bwrap');
    writeFileSync(standIn, '#!/bin/sh\necho "bwrap: setting up uid map: Permission denied" >&2\nexit 1\n');
    chmodSync(standIn, 0o755);
    return {
      through: [...everything, '--ro-bind', standIn, bubblewrap],
      reason: /setting up uid map: Permission denied/,
      remedy: /kernel\.apparmor_restrict_unprivileged_userns/,
    };
  },
  'that allows no further user namespaces': () => ({
    through: [...everything, '--unshare-user', '--disable-userns'],
    reason: /the sandbox (cannot|could not) be set up/,
    remedy: /Run "bwrap|User namespaces are disabled/,
  }),
} as const;

const manifest = '[skill]\nruntime = "wasm"\nmodule = "echo.wasm"\n[tools.echo]\nargs = []\n';

async function withModule(user: (typeof users)[number] = 'yourself', more = ''): Promise<Workshop> {
  const shop = new Workshop(user);
  shop.skill(`${manifest}${more}`);
  shop.world.write('project/skills/demo/echo.wasm', await program('echo'));
  return shop;
}

interface Result {
  readonly reason: string;
  readonly exitCode: number | null;
  readonly message: string | null;
  readonly enforcement: readonly { readonly what: string; readonly by: string }[];
}

const held = ({ enforcement }: Pick<Result, 'enforcement'>) =>
  Object.fromEntries(enforcement.map(({ what, by }) => [what, by]));

describe.each(users)('a module, as %s', (user) => {
  it('runs in the sandbox of the system, and the result and the log say so', async () => {
    const shop = await withModule(user);
    const result = await shop.result(['demo']);
    expect([result.reason, held(result)['files']]).toEqual(['exited', 'bubblewrap (mount namespace)']);
    expect(shop.records().at(-1)).toMatchObject({ event: 'end', enforcement: held(result) });
  });

  it('runs in memory where that is chosen, and no wall is claimed that is not there', async () => {
    const shop = await withModule(user);
    const result = await shop.result(['demo', '--wasm-isolation', 'memory']);
    expect([result.reason, result.exitCode]).toEqual(['exited', 7]);
    expect(held(result)).toMatchObject({
      files: 'WASI, folders in memory only; Node permission model',
      user: 'your user, no sandbox around the engine (memory mode)',
    });
    expect(JSON.stringify(result.enforcement)).not.toMatch(/bubblewrap|namespace|cgroup|rlimit/);
    expect(shop.records().at(-1)).toMatchObject({ event: 'end', enforcement: held(result) });
  });
});

describe.each(Object.entries(machines))('on a machine %s', (_, make) => {
  it('a module is refused with the reason and the remedy, and not run otherwise [C4-RUNTIME-08]', async () => {
    const shop = await withModule();
    const { through, reason, remedy } = make(shop);
    const { code, stdout, stderr } = await shop.start(['run', 'demo'], { through }).ended;
    expect([code, stdout]).toEqual([1, '']);
    for (const words of [/^engine_error: /, reason, remedy, memory]) expect(stderr).toMatch(words);
    expect(shop.records().at(-1)).toMatchObject({ event: 'end', result: 'engine_error', enforcement: {} });
    const dry = await shop.start(['run', 'demo', '--dry-run'], { through }).ended;
    expect([dry.code, dry.stdout]).toEqual([1, '']);
  });

  it('a module runs in memory where that is chosen', async () => {
    const shop = await withModule();
    const { through } = make(shop);
    const args = ['run', 'demo', '--json', '--wasm-isolation', 'memory'];
    const result = (await shop.start(args, { through }).ended).json<Result>();
    expect([result.reason, result.exitCode]).toEqual(['exited', 7]);
    expect(held(result)['files']).toContain('in memory only');
  });

  it('doctor --sandbox says that WebAssembly cannot be run, and not what would hold it', async () => {
    const shop = await withModule();
    const { through, reason, remedy } = make(shop);
    const text = await shop.start(['doctor', '--sandbox'], { through }).ended;
    const part = text.stdout.slice(text.stdout.indexOf('\nwasm '), text.stdout.indexOf('\ndocker '));
    expect(part).toMatch(/^\nwasm not available\n/);
    for (const words of [reason, remedy, memory]) expect(part).toMatch(words);
    expect(part).not.toMatch(/^ {2}files|blocked/m);
    const json = await shop.start(['doctor', '--sandbox', '--json'], { through }).ended;
    const { sandboxes } = json.json<{ sandboxes: SandboxReport[] }>();
    const report = sandboxes.find(({ runtime }) => runtime === 'wasm');
    expect(report).toMatchObject({ ready: false, enforcement: [], probes: [] });
    expect(report?.problem).toMatch(reason);
    expect([text.code, json.code]).toEqual([1, 1]);
  });
});

describe('doctor --sandbox', () => {
  it.each(['sandbox', 'memory'])('tries WebAssembly, with isolation %s', async (isolation) => {
    const shop = await withModule();
    const env = { REPERTOIRE_WASM_ISOLATION: isolation };
    const { sandboxes } = (await shop.run(['doctor', '--sandbox', '--json'], env)).json<{
      sandboxes: SandboxReport[];
    }>();
    const report = sandboxes.find(({ runtime }) => runtime === 'wasm');
    expect(report?.ready).toBe(true);
    expect(report?.probes.filter(({ held }) => !held)).toEqual([]);
    expect(report?.probes.length).toBeGreaterThan(5);
    expect(report?.enforcement.some(({ by }) => by.includes('bubblewrap'))).toBe(isolation === 'sandbox');
  });
});

describe('memory mode', () => {
  it('is chosen by the user’s configuration or environment, and never by a project', async () => {
    const shop = await withModule();
    const files = async (env = {}) => held(await shop.result(['demo'], env))['files'];
    expect(await files({ REPERTOIRE_WASM_ISOLATION: 'memory' })).toContain('in memory');
    const file = shop.world.write('project/repertoire.toml', 'wasm_isolation = "memory"\n');
    const refused = await shop.run(['run', 'demo']);
    expect(refused.stdout).toBe('');
    expect(refused.stderr).toContain('wasm_isolation');
    writeFileSync(file, '');
    expect(await files()).toContain('bubblewrap');
    shop.config('config.toml', 'wasm_isolation = "memory"\n', 0o600);
    expect(await files()).toContain('in memory');
  });

  it('refuses a module that was granted a folder, and says what to do', async () => {
    const shop = await withModule();
    const place = shop.place('given.txt');
    shop.skill(`${manifest}[capabilities]\nfilesystem = ["read:${place}"]\n`);
    await shop.grant();
    const { code, stdout, stderr } = await shop.run(['run', 'demo', '--wasm-isolation', 'memory']);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('denied: it is granted folders of this machine, which memory mode cannot hold it to');
    expect(stderr).toContain('--wasm-isolation sandbox');
  });

  it('is a word that is checked', async () => {
    const shop = await withModule();
    const { code, stderr } = await shop.run(['run', 'demo', '--wasm-isolation', 'none']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('sandbox')]);
  });
});
