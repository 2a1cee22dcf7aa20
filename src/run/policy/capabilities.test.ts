import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostEnvironment } from '../../core/environment.ts';
import {
  type CapabilityTexts,
  canonical,
  capabilitiesFrom,
  differenceBetween,
  isEmpty,
  narrow,
  noCapabilities,
  textsOf,
  union,
} from './capabilities.ts';
import { inWords } from './request.ts';
import type { Capabilities } from './types.ts';

const environment = hostEnvironment({ home: '/home/ann', cwd: '/' });

function of(texts: Partial<CapabilityTexts>): Capabilities {
  const capabilities = capabilitiesFrom(texts, environment);
  if (!capabilities.ok) throw new Error(capabilities.message);
  return capabilities.value;
}

describe('capabilities', () => {
  it('are read from the texts of a manifest and written back', () => {
    const asked = of({ network: ['*.example.com', '*.EXAMPLE.com'], filesystem: ['read:/data', 'write:/tmp'] });
    expect(asked.network).toEqual([{ host: 'example.com', below: true, port: null }]);
    expect(asked.filesystem).toEqual([
      { access: 'read', path: '/data' },
      { access: 'write', path: '/tmp' },
    ]);
    expect(textsOf(asked)).toMatchObject({ network: ['*.example.com'], filesystem: ['read:/data', 'write:/tmp'] });
  });

  it('are refused with the first text that means nothing', () => {
    expect(capabilitiesFrom({ network: ['a.example', '*'] }, environment)).toMatchObject({
      ok: false,
      message: '"*" means every host',
    });
  });

  it('of a tool can only narrow those of its skill', () => {
    const skill = of({ network: ['*.example.com:443'], filesystem: ['write:/data', 'read:/etc/x'], env: ['A'] });
    const tool = of({
      network: ['api.example.com:443', '*.example.com', 'example.com:443'],
      filesystem: ['read:/data/x', 'write:/etc/x', 'read:/database'],
      env: ['A', 'B'],
    });
    const { allowed, exceeding } = narrow(skill, tool);
    expect(textsOf(allowed)).toMatchObject({
      network: ['api.example.com:443'],
      filesystem: ['read:/data/x'],
      env: ['A'],
    });
    expect(textsOf(exceeding)).toMatchObject({
      network: ['*.example.com', 'example.com:443'],
      filesystem: ['read:/database', 'write:/etc/x'],
      env: ['B'],
    });
  });

  it('are described in words', () => {
    const all = of({
      network: ['api.example.com:443', '*.example.com'],
      filesystem: ['read:/data', 'write:/data', 'read:/srv', 'write:/tmp'],
      env: ['HOME_REGION'],
      secrets: ['API_TOKEN'],
      commands: ['kubectl'],
      images: ['alpine:3.20'],
    });
    expect(inWords(all)).toEqual([
      'talk to every host below example.com on any port',
      'read files below /srv',
      'read and change files below /data',
      'use its own /tmp, which nobody else sees and which is deleted after the run',
      'see the environment variable HOME_REGION',
      'be given the secret API_TOKEN',
      'run the program kubectl',
      'use the container image alpine:3.20',
    ]);
    expect(inWords(of({ network: ['api.example.com:443'] }))).toEqual(['talk to api.example.com on port 443']);
    expect(inWords(noCapabilities)).toEqual([]);
  });
});

const some = (...texts: string[]) =>
  fc.subarray(texts).chain((list) => fc.shuffledSubarray(list, { minLength: list.length }));
const capabilities = fc
  .record({
    network: some('a.example.com', '*.example.com', '*.example.com:443', 'localhost:80', '10.0.0.7'),
    filesystem: some('read:/data', 'write:/data', 'read:/data/x', 'write:/database'),
    env: some('A', 'B'),
    secrets: some('A', 'C'),
    commands: some('kubectl', 'git'),
    images: some('alpine', 'alpine:3'),
  })
  .map(of);

describe('the algebra of capabilities', () => {
  it('keeps its laws', () => {
    fc.assert(
      fc.property(capabilities, capabilities, (one, other) => {
        expect(of(textsOf(one))).toEqual(canonical(one));
        expect(textsOf(union(one, other))).toEqual(textsOf(union(other, one)));
        expect(isEmpty(differenceBetween(one, union(one, other)))).toBe(true);
        expect(textsOf(differenceBetween(one, noCapabilities))).toEqual(textsOf(one));
        expect(isEmpty(one)).toBe(Object.values(textsOf(one)).every((texts) => texts.length === 0));
      }),
      { numRuns: 500 },
    );
  });

  it('narrowing parts what is asked for, and allows nothing that the skill may not', () => {
    fc.assert(
      fc.property(capabilities, capabilities, (skill, tool) => {
        const { allowed, exceeding } = narrow(skill, tool);
        expect(textsOf(union(allowed, exceeding))).toEqual(textsOf(tool));
        expect(isEmpty(differenceBetween(allowed, skill))).toBe(true);
        expect(textsOf(differenceBetween(exceeding, skill))).toEqual(textsOf(exceeding));
      }),
      { numRuns: 500 },
    );
  });
});
