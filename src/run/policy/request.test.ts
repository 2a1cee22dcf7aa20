import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Machine, refused } from '../../../test/support/machine.ts';
import { hostEnvironment } from '../../core/environment.ts';
import { type CapabilityTexts, capabilitiesFrom, noCapabilities, textsOf, union } from './capabilities.ts';
import { readPolicy } from './operator.ts';
import { checkRuntime, itemsOf, markedItems, onlyOptions, withOnly } from './request.ts';
import type { Capabilities } from './types.ts';

describe('the operator’s policy', () => {
  it('forbids what it does not list, and is named', async () => {
    const machine = new Machine();
    machine.setPolicy(
      '[allow]\nnetwork = ["*.example.com"]\nenv = []\ncommands = ["kubectl"]\nimages = ["ghcr.io/acme/*"]\nruntimes = ["wasm"]',
    );
    const fine = machine.asking({
      network: ['a.example.com:443'],
      commands: ['kubectl'],
      images: ['ghcr.io/acme/x:1'],
    });
    await machine.grant(fine);
    expect(await machine.permissions(fine)).toMatchObject({ network: fine.network });
    const asked = machine.asking({
      network: ['example.com'],
      env: ['A'],
      commands: ['git', 'cat'],
      images: ['alpine'],
    });
    const error = await machine.refusal(asked);
    for (const words of [
      'talk to example.com on any port',
      'see the environment variable A',
      'run the program git',
      'use the container image alpine',
    ]) {
      expect(error.message).toContain(`policy.toml does not let any skill ${words}`);
    }
    expect(error.message).not.toContain('cat');
    expect(error.hint).toContain('policy.toml');
    const policy = await readPolicy(machine.environment);
    expect(checkRuntime(policy, 'wasm')).toBeNull();
    expect(checkRuntime(policy, 'native')?.message).toContain('does not let any skill use the runtime native');
  });

  it('holds for grants that were given before', async () => {
    const machine = new Machine();
    const asked = machine.asking({ secrets: ['TOKEN'] });
    await machine.grant(asked);
    machine.setPolicy('[allow]\nsecrets = ["OTHER"]');
    expect((await machine.refusal(asked)).message).toContain('does not let any skill be given the secret TOKEN');
  });

  it('counts paths by where they lead', async () => {
    const machine = new Machine();
    const other = join(machine.place, 'other');
    mkdirSync(other);
    mkdirSync(join(machine.data, 'sub'));
    symlinkSync(other, join(machine.data, 'out'));
    symlinkSync(machine.data, join(machine.place, 'alias'));
    machine.setPolicy(`[allow]\nfilesystem = ["read:${machine.place}/alias"]`);
    const fine = machine.asking({ filesystem: [`read:${machine.data}/sub`] });
    await machine.grant(fine);
    expect((await machine.permissions(fine)).mounts).toHaveLength(1);
    for (const text of [`read:${machine.data}/out`, `write:${machine.data}/sub`, `read:${other}`]) {
      const error = await refused(machine.grant(machine.asking({ filesystem: [text] })));
      expect(error.message, text).toContain('does not let any skill');
    }
  });
});

const environment = hostEnvironment({ home: '/home/me' });

function capabilities(texts: Partial<CapabilityTexts>): Capabilities {
  const read = capabilitiesFrom(texts, environment);
  if (!read.ok) throw new Error(read.message);
  return read.value;
}

const asked = capabilities({
  network: ['*.example.com', 'api.example.com:443'],
  filesystem: ['write:~/notes', 'read:/data'],
  env: ['TIMEZONE'],
  secrets: ['TOKEN'],
  commands: ['git'],
  images: ['alpine:3.20'],
  limits: ['memory=8GB', 'processes=100'],
});

const keys = [
  'network:*.example.com',
  'network:api.example.com:443',
  'filesystem:read:/data',
  'filesystem:write:/home/me/notes',
  'env:TIMEZONE',
  'secrets:TOKEN',
  'commands:git',
  'images:alpine:3.20',
  'limits:memory=8GB',
  'limits:processes=100',
];

describe('the items of capabilities', () => {
  it('are each thing by itself, those too that another one includes', () => {
    expect(itemsOf(asked).map(({ key }) => key)).toEqual(keys);
    expect(itemsOf(asked).map(({ words }) => words)).toContain('read and change files below /home/me/notes');
    expect(itemsOf(noCapabilities)).toEqual([]);
  });

  it('are marked where something granted includes them', () => {
    const marked = markedItems(asked, capabilities({ network: ['*.example.com'], env: ['TIMEZONE'] }));
    expect(marked.filter(({ granted }) => granted).map(({ key }) => key)).toEqual([keys[0], keys[1], keys[4]]);
  });
});

describe('a part of the items', () => {
  it('are named by their keys, as people write them', () => {
    const only = withOnly(asked, ['filesystem:write:~/notes/', 'network:API.example.com:443'], environment);
    expect(itemsOf(only).map(({ key }) => key)).toEqual([keys[1], keys[3]]);
  });

  it('are all of a kind, by the name of the kind alone', () => {
    expect(itemsOf(withOnly(asked, ['network', 'env:TIMEZONE'], environment)).map(({ key }) => key)).toEqual([
      keys[0],
      keys[1],
      keys[4],
    ]);
  });

  it.each([
    '',
    'network:',
    'net',
    'filesystem:read:',
    'filesystem:read:/data/x',
    'images:alpine:',
    'env:timezone',
    ':',
  ])('are not named by %j, and the error lists their keys', (key) => {
    expect(() => withOnly(asked, [key], environment)).toThrow(
      expect.objectContaining({ code: 'usage', hint: `It asks for: ${keys.join(', ')}` }),
    );
  });

  it('are typed so that every shell understands them', () => {
    const odd = capabilities({ filesystem: ["read:/data/it's mine"], network: ['*.example.com'], env: ['REGION'] });
    expect(onlyOptions(odd)).toBe(
      "--only 'network:*.example.com' --only 'filesystem:read:/data/it'\\''s mine' --only env:REGION",
    );
  });

  it('never come to more than is asked for, and all of them to just that', () => {
    fc.assert(
      fc.property(fc.subarray(keys, { minLength: 1 }), (some) => {
        const only = withOnly(asked, some, environment);
        expect(itemsOf(only).map(({ key }) => key)).toEqual(keys.filter((key) => some.includes(key)));
        expect(textsOf(union(only, asked))).toEqual(textsOf(asked));
      }),
      { numRuns: 60 },
    );
    expect(textsOf(withOnly(asked, keys, environment))).toEqual(textsOf(asked));
  });
});
