import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Machine, refused } from '../../../test/support/machine.ts';
import { readPolicy } from './operator.ts';
import { checkRuntime } from './request.ts';

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
