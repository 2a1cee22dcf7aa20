import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { users, Workshop } from './workshop.ts';

const value = 'pa55-"w0rd"/+&ä<value>';

/** Tells a secret in every way a program may: at once, in pieces, encoded, on both streams, and to its death. */
const telling = `const secret = process.env.API_TOKEN;
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
for (const part of secret ?? 'none') { process.stdout.write(part); await pause(3); }
process.stdout.write('\\n' + JSON.stringify({ secret }) + '\\n');
process.stdout.write(Buffer.from(secret ?? '').toString('base64') + '\\n');
process.stderr.write('failed with ' + secret + '\\n' + encodeURIComponent(secret) + '\\n');
process.stdout.write('other: ' + process.env.OTHER_TOKEN + ', region: ' + process.env.REGION + '\\n');
process.exitCode = 3;
`;

const manifest = `[capabilities]
secrets = ["API_TOKEN"]
env = ["REGION"]
[tools.tell]
command = ["node", "scripts/tell.mjs", "{text}", "--password={password}", "--level={level}"]
[tools.tell.parameters]
text = { type = "string" }
password = { type = "string" }
level = { type = "string", enum = ["low", "high"] }
`;

/** All ways in which the value must not be seen. */
const forms = [
  value,
  JSON.stringify(value).slice(1, -1),
  Buffer.from(value).toString('base64'),
  encodeURIComponent(value),
];

function expectHidden(...texts: readonly string[]): void {
  for (const text of texts) for (const form of forms) expect(text).not.toContain(form);
}

describe.each(users)('secrets and variables, as %s', (user) => {
  it('reach only the run that names them, and leave it neither by output nor by errors nor by the audit log [C4-CAP-03 C4-CAP-04 S4-AUDIT-04]', async () => {
    const shop = new Workshop(user);
    shop.skill(manifest, { 'scripts/tell.mjs': telling });
    shop.skill('', { 'scripts/tell.mjs': telling }, 'other');
    const env = { API_TOKEN: value, OTHER_TOKEN: 'other-secret-value', REGION: 'north' };
    await shop.grant('demo', env);
    const text = `--params=${JSON.stringify({ text: `my ${value}`, password: 'hunter2hunter2' })}`;
    const [plain, json, other] = await Promise.all([
      shop.run(['run', 'demo', text], env),
      shop.run(['run', 'demo', text, '--json'], env),
      shop.run(['run', 'other', '--json'], env),
    ]);
    // Attack 28: also where the value came in single bytes.
    expect(plain).toMatchObject({ code: 3, stderr: 'failed with [redacted]\n[redacted]\n' });
    expect(plain.stdout).toBe('[redacted]\n{"secret":"[redacted]"}\n[redacted]=\nother: undefined, region: north\n');
    expect(json.json<{ stdout: string }>().stdout).toBe(plain.stdout);
    // What others see: nothing of it.
    expect(other.json<{ stdout: string }>().stdout).toContain('none\n');
    expect(other.stdout).toContain('other: undefined, region: undefined');
    // What was refused quotes it as little.
    const wrong = JSON.stringify({ text: value, level: value, password: value });
    const refused = await shop.run(['run', 'demo', '--json', '--params', wrong], env);
    expect(refused.json()).toMatchObject({ reason: 'invalid_parameters' });
    const log = readFileSync(shop.state('audit/audit.jsonl'), 'utf8');
    const shown = await shop.run(['audit', '--json', '--limit', '10']);
    expectHidden(
      plain.stdout,
      plain.stderr,
      json.stdout,
      other.stdout,
      refused.stdout,
      refused.stderr,
      log,
      shown.stdout,
    );
    expect(log).not.toContain('hunter2');
    const given = shop.records().flatMap((record) => (record.event === 'end' ? [record.parameters] : []));
    expect(given).toContainEqual({ text: 'my [redacted]', password: '[redacted]' });
  });
});

describe('secrets', () => {
  it('come from a file that is the user’s alone, a section of the skill before all others', async () => {
    const shop = new Workshop();
    shop.skill(manifest, { 'scripts/tell.mjs': 'console.log(process.env.API_TOKEN.length);\n' });
    await shop.grant();
    const file = shop.config('secrets.toml', `API_TOKEN = "${'x'.repeat(20)}"\n[other]\nAPI_TOKEN = "wrong"\n`, 0o600);
    const run = (env: Record<string, string> = {}) => shop.run(['run', 'demo'], env);
    expect((await run({ API_TOKEN: 'from the environment' })).stdout).toBe('20\n');
    shop.config('secrets.toml', `API_TOKEN = "general"\n[demo]\nAPI_TOKEN = "${'y'.repeat(30)}"\n`, 0o600);
    expect((await run()).stdout).toBe('30\n');
    for (const mode of [0o640, 0o604, 0o666]) {
      chmodSync(file, mode);
      const open = await run();
      expect([open.code, open.stdout]).toEqual([1, '']);
      expect(open.stderr).toBe(`denied: ${file} can be read by others\nMake it private: chmod 600 ${file}\n`);
    }
    shop.config('secrets.toml', 'API_TOKEN = "unfinished\n', 0o600);
    expect((await run({ API_TOKEN: 'from the environment' })).stderr).toContain('secrets.toml');
    shop.config('secrets.toml', 'ANOTHER = "value"\n', 0o600);
    const missing = await run();
    expect([missing.code, missing.stdout]).toEqual([1, '']);
    expect(missing.stderr).toContain("the secret API_TOKEN of skill 'demo' is not set");
    expect(missing.stderr).toContain('mode 600');
    expect((await run({ API_TOKEN: 'abc' })).stderr).toContain('shorter than 4 characters');
    expect(shop.records().filter(({ event }) => event === 'start')).toHaveLength(2);
  });

  it('cannot go by a name that steers programs, and neither can variables', async () => {
    const shop = new Workshop();
    for (const [index, line] of ['secrets = ["LD_PRELOAD"]', 'env = ["NODE_OPTIONS"]', 'env = ["PATH"]'].entries()) {
      shop.skill(`[capabilities]\n${line}\n[tools.t]\ncommand = ["true"]\n`, {}, `bad-${index}`);
    }
    const { stdout, code } = await shop.run(['tools']);
    expect(code).toBe(1);
    for (const name of ['LD_PRELOAD', 'NODE_OPTIONS', 'PATH']) {
      expect(stdout).toContain(`${name} is never passed to a run`);
    }
    expect((await shop.run(['grant', 'bad-0', '--yes'])).code).toBe(1);
  });
});

describe('secrets that a program wraps', () => {
  it('are redacted in what the usual programs make of them', async () => {
    const shop = new Workshop();
    const long = 'sk-a-rather-long-secret-of-more-than-fifty-seven-bytes-0123456789-abcdefghijklmnop';
    const script = `printf %s "$API_TOKEN" | base64
printf 'key: %s' "$API_TOKEN" | base64 -w 20
printf %s "$API_TOKEN" | od -An -v -tx1
printf %s "$API_TOKEN" | fold -w 30
`;
    shop.skill('[capabilities]\nsecrets = ["API_TOKEN"]\n[tools.tell]\ncommand = ["sh", "scripts/tell.sh"]\n', {
      'scripts/tell.sh': script,
    });
    const env = { API_TOKEN: long };
    await shop.grant('demo', env);
    const { stdout } = await shop.run(['run', 'demo'], env);
    expect(stdout.match(/\[redacted\]/g)).toHaveLength(4);
    expect(stdout.replaceAll('[redacted]', '').replace(/\s/g, '').length).toBeLessThan(20);
  });

  it('are asked for as secrets by their names alone, and no plan shows them', async () => {
    const shop = new Workshop();
    const key = 'sk-planted-0123456789';
    shop.skill(
      '[capabilities]\nenv = ["ANTHROPIC_API_KEY", "REGION"]\n[env]\nDB_PASSWORD = "in-the-manifest"\n' +
        '[tools.tell]\ncommand = ["sh", "scripts/tell.sh"]\n',
      { 'scripts/tell.sh': 'echo "$REGION $ANTHROPIC_API_KEY"\n' },
    );
    const env = { ANTHROPIC_API_KEY: key, REGION: 'north' };
    expect((await shop.grant('demo', env)).stdout).toContain('be given the secret ANTHROPIC_API_KEY');
    expect((await shop.run(['run', 'demo'], env)).stdout).toBe('north [redacted]\n');
    for (const more of [[], ['--json']]) {
      const { stdout } = await shop.run(['run', 'demo', '--dry-run', ...more], env);
      expect(stdout).toContain('north');
      expect(stdout).toContain('(secret)');
      expect(stdout).not.toContain(key);
      expect(stdout).not.toContain('in-the-manifest');
    }
  });

  it('are asked of no keyring that a checkout has brought along', async () => {
    const shop = new Workshop();
    shop.skill('[capabilities]\nsecrets = ["API_TOKEN"]\n[tools.tell]\ncommand = ["sh", "-c", "echo told"]\n');
    shop.world.write('project/node_modules/@napi-rs/keyring/package.json', '{"main":"index.js"}');
    const ran = shop.world.path('ran');
    const planted = `require('node:fs').writeFileSync(${JSON.stringify(ran)}, '')`;
    shop.world.write('project/node_modules/@napi-rs/keyring/index.js', planted);
    const env = { API_TOKEN: value };
    await shop.grant('demo', env);
    const library = new URL('../../dist/lib/index.js', import.meta.url).href;
    const script = `import { createRepertoire } from '${library}';
      const { reason } = await (await createRepertoire()).execute('demo', 'tell');
      process.stdout.write(reason);`;
    const stdout = execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
      cwd: shop.world.project,
      env: shop.world.environment({ REPERTOIRE_TRUSTED_PROJECTS: shop.world.root, ...env }),
      encoding: 'utf8',
    });
    expect({ stdout, hasRun: existsSync(ran) }).toEqual({ stdout: 'exited', hasRun: false });
  });
});
