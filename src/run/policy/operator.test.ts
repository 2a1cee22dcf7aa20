import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { environmentIn, temporaryPlace } from '../../../test/support/place.ts';
import type { Environment } from '../../core/environment.ts';
import { SkillError } from '../../core/errors.ts';
import { readPolicy } from './operator.ts';

interface Texts {
  readonly machine?: string;
  readonly user?: string;
}

const machineFile = 'etc/repertoire/policy.toml';
const userFile = 'home/.config/repertoire/policy.toml';

function withFiles({ machine, user }: Texts): Environment {
  const place = temporaryPlace();
  for (const [path, text] of [
    [machineFile, machine],
    [userFile, user],
  ] as const) {
    if (text === undefined) continue;
    mkdirSync(dirname(join(place, path)), { recursive: true });
    writeFileSync(join(place, path), text);
  }
  return environmentIn(place);
}

async function failureOf(environment: Environment): Promise<SkillError> {
  const error: unknown = await readPolicy(environment).then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof SkillError)) throw new Error('it did not fail');
  return error;
}

describe('without a policy file', () => {
  it('the defaults hold', async () => {
    const policy = await readPolicy(withFiles({}));
    expect(policy).toMatchObject({ file: null, network: null, images: null, runtimes: ['native', 'wasm', 'docker'] });
    expect(policy.defaults).toEqual({
      timeoutMs: 30_000,
      memoryBytes: 256 * 1024 ** 2,
      processes: 64,
      outputBytes: 1024 ** 2,
      scratchBytes: 16 * 1024 ** 2,
      fileBytes: 100 * 1024 ** 2,
      cpuSeconds: 60,
    });
    expect(policy.maxConcurrent).toBeGreaterThanOrEqual(4);
    expect(policy.maxConcurrentPerSkill).toBeGreaterThanOrEqual(2);
    expect(policy.maxQueue).toBeGreaterThanOrEqual(1000);
    expect(policy.commands).toEqual(expect.arrayContaining(['sh', 'python3', 'node', 'cat', 'jq']));
    expect(policy.commands).not.toContain('kubectl');
    expect(new Set(policy.commands).size).toBe(policy.commands.length);
  });
});

describe('a policy file', () => {
  it('says what may be granted, and how much may be taken', async () => {
    const policy = await readPolicy(
      withFiles({
        user: `
[allow]
network = ["*.example.com:443"]
filesystem = ["read:~/data"]
env = ["APP_*"]
secrets = []
commands = ["kubectl"]
images = ["ghcr.io/acme/*"]
runtimes = ["native", "wasm"]
[commands]
free = ["sh"]
[limits]
timeout = "5s"
memory = "64MB"
[ceilings]
timeout = "2m"
cpu_time = "90s"
file_size = "1GiB"
[concurrency]
total = 8
queue = 10
`,
      }),
    );
    expect(policy).toMatchObject({
      network: [{ host: 'example.com', below: true, port: 443 }],
      filesystem: [{ access: 'read', path: expect.stringMatching(/home\/data$/) }],
      env: ['APP_*'],
      secrets: [],
      grantableCommands: ['kubectl'],
      images: ['ghcr.io/acme/*'],
      runtimes: ['native', 'wasm'],
      commands: ['sh'],
      defaults: { timeoutMs: 5000, memoryBytes: 64 * 1024 ** 2, processes: 64 },
      ceilings: { timeoutMs: 120_000, cpuSeconds: 90, fileBytes: 1024 ** 3, processes: 1024 },
      maxConcurrent: 8,
      maxConcurrentPerSkill: 4,
      maxQueue: 10,
    });
    expect(policy.file).toMatch(/policy\.toml$/);
  });

  it.each([
    ['[allow]\nnetwork = ["a.example"]\nnetworks = []', 3, 'unknown key "allow.networks"', 'network, filesystem'],
    ['\n[grants]\nx = 1', 2, 'unknown key "grants"', '[allow], [commands]'],
    ['network = []', 1, 'unknown key "network"', '[allow]'],
    ['[allow]\nnetwork = [\n  "a.example",\n  "*",\n]', 4, 'allow.network[1]: "*" means every host', 'Name the hosts'],
    ['[allow]\nnetwork = "a.example"', 2, 'must be a list', '["one", "two"]'],
    ['[allow]\nenv = ["A", 1]', 2, 'allow.env[1]: must be a string, not 1', 'quotes'],
    ['[allow]\nruntimes = ["vm"]', 2, '"vm" is not a runtime', 'native, wasm, docker'],
    ['[allow]\nfilesystem = ["/data"]', 2, 'does not say "read:" or "write:"', 'read:/folder'],
    ['[limits]\ntimeout = "soon"', 2, '"soon" is not a duration', '30s'],
    ['[ceilings]\nprocesses = "64"', 2, 'whole number', '64'],
    ['[ceilings]\nmemory = 0', 2, 'not a size', '256MB'],
    ['[limits]\nconstructor = 1', 2, 'unknown key', 'timeout'],
    ['allow = 3', 1, 'must be a table', '[allow]'],
    ['[allow\n', 1, 'not valid TOML', 'Correct'],
  ])('that is wrong is an error with its line: %j', async (text, line, message, hint) => {
    const error = await failureOf(withFiles({ user: text }));
    expect(error.code).toBe('config');
    expect(error.message).toContain(`policy.toml:${line}`);
    expect(error.message).toContain(message);
    expect(error.hint).toContain(hint);
  });

  it('that cannot be read, or that everybody can write, is an error', async () => {
    const folderInstead = withFiles({});
    mkdirSync(join(folderInstead.home, '.config/repertoire/policy.toml'), { recursive: true });
    expect((await failureOf(folderInstead)).message).toContain('not a regular file');
    const open = withFiles({ user: '' });
    chmodSync(join(open.home, '.config/repertoire/policy.toml'), 0o666);
    expect(await failureOf(open)).toMatchObject({ code: 'config', hint: expect.stringContaining('chmod o-w') });
  });

  it('that REPERTOIRE_POLICY names takes the place of the user’s, and has to be there', async () => {
    const place = temporaryPlace();
    const environment = environmentIn(place, { REPERTOIRE_POLICY: join(place, 'other.toml') });
    expect((await failureOf(environment)).message).toContain('does not exist');
    writeFileSync(join(place, 'other.toml'), '[allow]\nsecrets = ["A"]');
    expect(await readPolicy(environment)).toMatchObject({ secrets: ['A'], file: join(place, 'other.toml') });
  });
});

describe('the user’s policy', () => {
  const machine = `
[allow]
network = ["*.example.com", "b.example:443"]
filesystem = ["write:/data"]
env = ["APP_*"]
runtimes = ["native", "wasm"]
[commands]
free = ["sh", "cat"]
[limits]
timeout = "20s"
[ceilings]
timeout = "60s"
[concurrency]
total = 4
`;

  it('takes away from the machine’s', async () => {
    const user = `
[allow]
network = ["api.example.com:443", "b.example", "c.example"]
filesystem = ["read:/data/x", "write:/srv"]
env = ["APP_A", "OTHER"]
secrets = ["S"]
runtimes = ["wasm", "docker"]
[commands]
free = ["cat", "kubectl"]
[limits]
timeout = "90s"
[ceilings]
timeout = "10s"
memory = "1GB"
[concurrency]
total = 2
`;
    const environment = withFiles({ machine, user });
    expect(await readPolicy(environment)).toMatchObject({
      network: [
        { host: 'api.example.com', below: false, port: 443 },
        { host: 'b.example', below: false, port: 443 },
      ],
      filesystem: [{ access: 'read', path: '/data/x' }],
      env: ['APP_A'],
      secrets: ['S'],
      runtimes: ['wasm'],
      commands: ['cat'],
      defaults: { timeoutMs: 10_000 },
      ceilings: { timeoutMs: 10_000, memoryBytes: 1024 ** 3 },
      maxConcurrent: 2,
      file: `${environment.systemDir}/repertoire/policy.toml and ${environment.home}/.config/repertoire/policy.toml`,
    });
  });

  it('adds nothing to it', async () => {
    const user = `
[allow]
network = ["c.example"]
[commands]
free = ["kubectl"]
[ceilings]
timeout = "2h"
memory = "1000GB"
[concurrency]
total = 4000
queue = 100000
`;
    expect(await readPolicy(withFiles({ machine, user }))).toMatchObject({
      network: [],
      filesystem: [{ access: 'write', path: '/data' }],
      commands: [],
      ceilings: { timeoutMs: 60_000, memoryBytes: 8 * 1024 ** 3 },
      maxConcurrent: 4,
      maxQueue: 4096,
    });
  });

  it('cannot be put aside by naming another file', async () => {
    const environment = withFiles({ machine });
    const other = join(environment.cwd, 'mine.toml');
    writeFileSync(other, '[allow]\nnetwork = ["evil.example"]');
    const policy = await readPolicy({ ...environment, env: { REPERTOIRE_POLICY: other } });
    expect(policy.network).toEqual([]);
  });
});
