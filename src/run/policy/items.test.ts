import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostEnvironment } from '../../core/environment.ts';
import { type CapabilityTexts, capabilitiesFrom, noCapabilities, textsOf, union } from './capabilities.ts';
import { itemsOf, markedItems, onlyOptions, withOnly } from './items.ts';
import type { Capabilities } from './types.ts';

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
