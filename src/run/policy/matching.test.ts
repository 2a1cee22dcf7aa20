import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { coversHost, meetHosts, permitsAddress, permitsHost } from './capabilities.ts';
import { hostText, parseHost } from './hosts.ts';
import type { HostRule } from './types.ts';

function rules(...texts: readonly string[]): HostRule[] {
  return texts.map((text) => {
    const rule = parseHost(text);
    if (!rule.ok) throw new Error(rule.message);
    return rule.value;
  });
}

describe('a host is permitted', () => {
  it.each([
    ['api.example.com', 'api.example.com'],
    ['api.example.com', 'API.Example.Com'],
    ['*.example.com', 'a.example.com'],
    ['*.example.com', 'a.b.example.com'],
    ['10.0.0.7', '10.0.0.7'],
    ['[::1]', '[::1]'],
    ['[::1]', '::1'],
    ['[::1]', '0:0:0:0:0:0:0:1'],
  ])('by %s: %s', (rule, host) => {
    expect(permitsHost(rules(rule), host, 443)).toBe(true);
  });

  it('on its port alone', () => {
    expect(permitsHost(rules('api.example.com:443'), 'api.example.com', 443)).toBe(true);
    expect(permitsHost(rules('api.example.com:443'), 'api.example.com', 80)).toBe(false);
    for (const port of [0, -1, 65_536, 1.5, Number.NaN]) {
      expect(permitsHost(rules('api.example.com'), 'api.example.com', port)).toBe(false);
    }
  });
});

describe('a host is refused', () => {
  it.each([
    ['*.example.com', 'example.com'],
    ['*.example.com', 'evilexample.com'],
    ['*.example.com', 'example.com.evil.net'],
    ['*.example.com', 'a.example.com.'],
    ['*.example.com', '.example.com'],
    ['*.example.com', 'a..example.com'],
    ['*.example.com', 'a.example.com\u0000.evil.net'],
    ['*.example.com', 'evil.net#.example.com'],
    ['*.example.com', 'evil.net/.example.com'],
    ['*.example.com', 'evil.net\\.example.com'],
    ['*.example.com', 'user@a.example.com'],
    ['*.example.com', 'a.ｅxample.com'],
    ['*.example.com', 'a.example。com'],
    ['*.example.com', 'a.exаmple.com'],
    ['example.com', 'a.example.com'],
    ['example.com', 'example.com.'],
    ['example.com', 'example.co'],
    ['example.com', ''],
    ['127.0.0.1', '0x7f.1'],
    ['127.0.0.1', '2130706433'],
    ['127.0.0.1', '127.1'],
    ['127.0.0.1', '0177.0.0.1'],
    ['127.0.0.1', '127.0.0.1.'],
    ['127.0.0.1', '[::ffff:127.0.0.1]'],
    ['localhost', '127.0.0.1'],
    ['[::1]', '[::1%lo]'],
  ])('by %s: %j', (rule, host) => {
    expect(permitsHost(rules(rule), host, 443)).toBe(false);
  });

  it('because an address lies below nothing', () => {
    expect(permitsHost([{ host: '0.0.7', below: true, port: null }], '10.0.0.7', 443)).toBe(false);
  });

  it('without rules', () => {
    expect(permitsHost([], 'example.com', 443)).toBe(false);
  });
});

describe('an address', () => {
  it('on the internet is for any host', () => {
    expect(permitsAddress(rules('api.example.com'), 'api.example.com', '93.184.216.34')).toBe(true);
    expect(permitsAddress(rules('api.example.com'), 'api.example.com', '::ffff:93.184.216.34')).toBe(true);
  });

  it.each(['127.0.0.1', '10.0.0.7', '169.254.169.254', '::1', '::ffff:10.0.0.7', 'fd00::1', 'nonsense', ''])(
    '%j is not reached through a name that leads to it',
    (ip) => {
      const all = rules('api.example.com', '*.example.com', '10.0.0.7', 'localhost', '[::1]', '127.0.0.1');
      expect(permitsAddress(all, 'api.example.com', ip)).toBe(false);
    },
  );

  it('that is private is reached by itself where it is named', () => {
    expect(permitsAddress(rules('10.0.0.7:8080'), '10.0.0.7', '10.0.0.7')).toBe(true);
    expect(permitsAddress(rules('[fd00::1]'), '[fd00:0::1]', 'fd00::1')).toBe(true);
    expect(permitsAddress(rules('10.0.0.7'), '10.0.0.8', '10.0.0.8')).toBe(false);
    expect(permitsAddress(rules('8.8.8.8'), '8.8.8.8', '8.8.4.4')).toBe(false);
    expect(permitsAddress(rules('10.0.0.7'), '10.0.0.7', '::ffff:10.0.0.7')).toBe(false);
  });

  it('of this machine is reached by localhost where that is named', () => {
    for (const ip of ['127.0.0.1', '::1']) expect(permitsAddress(rules('localhost'), 'LOCALHOST', ip)).toBe(true);
    expect(permitsAddress(rules('localhost'), 'localhost', '10.0.0.1')).toBe(false);
    expect(permitsAddress(rules('127.0.0.1'), 'localhost', '127.0.0.1')).toBe(false);
  });
});

const host = fc.constantFrom(
  'example.com',
  'a.example.com',
  'b.a.example.com',
  'evilexample.com',
  'b.example',
  '10.0.0.7',
);
const rule = fc
  .record({ host, below: fc.boolean(), port: fc.constantFrom(null, 80, 443) })
  .filter((one) => !(one.below && one.host === '10.0.0.7'));
const target = fc.tuple(
  fc.constantFrom('example.com', 'a.example.com', 'x.a.example.com', 'xevilexample.com', 'x.b.example', '10.0.0.7'),
  fc.constantFrom(80, 443, 8080),
);

it('covering and intersecting of host rules agree with what is permitted', () => {
  fc.assert(
    fc.property(rule, rule, fc.array(target, { maxLength: 12 }), (one, other, targets) => {
      const both = meetHosts(one, other);
      for (const [name, port] of targets) {
        const [byOne, byOther] = [permitsHost([one], name, port), permitsHost([other], name, port)];
        if (coversHost(one, other) && byOther) expect(byOne).toBe(true);
        expect(both !== null && permitsHost([both], name, port)).toBe(byOne && byOther);
      }
      if (both !== null) expect(parseHost(hostText(both))).toEqual({ ok: true, value: both });
    }),
    { numRuns: 3000 },
  );
});

it('only a host that ends with a dot and the suffix is a subdomain', () => {
  const label = fc.stringMatching(/^[a-z0-9]{1,8}$/);
  fc.assert(
    fc.property(fc.array(label, { minLength: 1, maxLength: 3 }), label, (labels, glued) => {
      const all = rules('*.example.com');
      const name = labels.join('.');
      expect(permitsHost(all, `${name}.example.com`, 443)).toBe(true);
      expect(permitsHost(all, `${name}.${glued}example.com`, 443)).toBe(false);
      expect(permitsHost(all, `${name}.example.com.${glued}`, 443)).toBe(false);
      expect(permitsHost(all, `${name}.example.com${glued}`, 443)).toBe(false);
    }),
  );
});
