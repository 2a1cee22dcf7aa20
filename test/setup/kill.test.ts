import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createWorld, program } from '../support/world.ts';

const size = 300_000;
const [one, other] = ['a', 'b'].map((letter) => `{ "text": "${letter.repeat(size)}" }\n`);

/** Puts one text in the place of the other, for as long as it lives, and says when it has done so for the first time. */
const writer = `
  const { readSettings, writeWithBackup } = require('./write.cjs');
  const make = (letter) => '{ "text": "' + letter.repeat(${size}) + '" }\\n';
  for (let turn = 0; ; turn++) {
    const { text } = readSettings(process.argv[2]);
    const written = writeWithBackup(process.argv[2], text, text === make('a') ? make('b') : make('a'));
    if (!written.ok) throw new Error(written.reason);
    if (turn === 0) process.stdout.write('.');
  }
`;

/** The writing alone, as a program: the time of a kill then falls into it, and not into a start. */
async function writerIn(folder: string): Promise<string> {
  const source = fileURLToPath(new URL('../../src/agents/setup/edit/write.ts', import.meta.url));
  const bundle = await rolldown({ input: source, platform: 'node' });
  await bundle.write({ file: join(folder, 'write.cjs'), format: 'cjs' });
  await bundle.close();
  writeFileSync(join(folder, 'writer.cjs'), writer);
  return join(folder, 'writer.cjs');
}

async function killAfter(child: ChildProcess, milliseconds: number): Promise<void> {
  const ended = once(child, 'exit');
  await sleep(milliseconds);
  child.kill('SIGKILL');
  await ended;
}

/** Nothing that an agent could take for its settings; drafts are hidden, and end in no format. */
const allowed = /^settings\.json(?:\.backup-[\d-]+)?$|^\.settings\.json(?:\.backup-[\d-]+)?\.\d+\.[0-9a-z]+$/;

/** What the settings say, and what is kept of them, after a look at all that is in their folder. */
function wholeTextsIn(home: string): string[] {
  const names = existsSync(home) ? readdirSync(home) : [];
  for (const name of names) expect(name).toMatch(allowed);
  const whole = names.filter((name) => !name.startsWith('.'));
  expect(whole.length).toBeLessThanOrEqual(6);
  return whole.map((name) => readFileSync(join(home, name), 'utf8'));
}

describe('a file of settings', () => {
  const kills = 40;

  it(`is the old one or the new one, whole, after each of ${kills} kills of who writes it`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'repertoire-kill-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const script = await writerIn(folder);
    const home = join(folder, 'home');
    const seen = new Set<string>();
    for (let kill = 0; kill < kills; kill++) {
      const child = spawn(process.execPath, [script, join(home, 'settings.json')], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await once(child.stdout, 'data');
      await killAfter(child, Math.random() * 25);
      expect(child.signalCode).toBe('SIGKILL');
      for (const text of wholeTextsIn(home)) seen.add(text);
    }
    expect([...seen].sort((a, b) => (a < b ? -1 : 1))).toEqual([one, other]);
  });
});

describe('setup', () => {
  const files = {
    'home/.cursor/mcp.json': '{\n  // mine\n  "mcpServers": { "x": { "command": "y" }, },\n}\n',
    'home/.codex/config.toml': 'model = "o" # good\n\n[mcp_servers.x]\ncommand = "y"\n',
    'home/.config/goose/config.yaml': 'extensions:\n  x: # mine\n    enabled: true\nGOOSE_MODEL: o\n',
  };
  const args = ['setup', 'cursor', 'codex', 'goose'];

  it('leaves each file as it was or as it should be, whenever it is killed, and can be run again', async () => {
    const world = createWorld();
    const paths = Object.keys(files).map((file) => world.path(file));
    const texts = () => paths.map((path) => readFileSync(path, 'utf8'));
    for (const [file, text] of Object.entries(files)) world.write(file, text);
    const before = texts();
    const start = performance.now();
    expect((await world.run(args)).code).toBe(0);
    const duration = performance.now() - start;
    const after = texts();
    expect(after.every((text, index) => text !== before[index])).toBe(true);
    for (let kill = 0; kill < 15; kill++) {
      for (const [file, text] of Object.entries(files)) world.write(file, text);
      const child = spawn(process.execPath, [program, ...args], {
        cwd: world.project,
        env: world.environment(),
        stdio: 'ignore',
      });
      // Late rather than early: a program that has not begun has nothing to break.
      await killAfter(child, duration * (0.4 + Math.random() * 0.6));
      texts().forEach((text, index) => {
        expect([before[index], after[index]]).toContain(text);
      });
    }
    expect((await world.run(args)).code).toBe(0);
    expect(texts()).toEqual(after);
    expect((await world.run([...args, '--remove'])).code).toBe(0);
    expect(texts()).toEqual(before);
  });
});
