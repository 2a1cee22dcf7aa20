import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { looksSecret } from '../../core/text/secret-names.ts';
import { formsOf } from './redact.ts';
import { sanitise } from './sanitise.ts';

const hidden = 'hunter2-s3cret';

describe('parameters in the audit log', () => {
  it('have no secret in them, whatever they are wrapped in', () => {
    const written = JSON.stringify(
      sanitise(
        {
          plain: hidden,
          within: `curl -H ${hidden}; echo`,
          json: JSON.stringify({ text: hidden }),
          base64: Buffer.from(`user:${hidden}`).toString('base64'),
          address: `https://example.com/?q=${encodeURIComponent('p@ss/word')}`,
          [hidden]: 1,
          list: ['a', [hidden]],
          number: 12345678,
        },
        [hidden, 'p@ss/word', '12345678'],
      ),
    );
    expect(written).not.toContain(hidden);
    expect(written).not.toContain('p%40ss');
    expect(written).not.toContain('12345678');
    for (const form of formsOf(hidden)) expect(written).not.toContain(form);
    expect(written).toContain('curl -H [redacted]; echo');
  });

  it('never hold a secret, wherever it stands', () => {
    fc.assert(
      fc.property(
        fc.anything({ values: [fc.constantFrom(hidden, `x${hidden}y`, 'other', 1, true)], withBigInt: true }),
        (value) => {
          expect(JSON.stringify(sanitise(value, [hidden])) ?? '').not.toContain(hidden);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('have no values whose names look secret', () => {
    expect(
      sanitise(
        {
          password: 'x1',
          apiKey: 'x2',
          'X-Auth-Token': 'x3',
          db_passwd: 4,
          credentials: { user: 'ann', code: 'x5' },
          accesstoken: ['x6'],
          auth: true,
          token: null,
          secret: '',
          author: 'ann',
          keyboard: 'qwerty',
          monkey: 'business',
          path: '/tmp/x',
        },
        [],
      ),
    ).toEqual({
      password: '[redacted]',
      apiKey: '[redacted]',
      'X-Auth-Token': '[redacted]',
      db_passwd: '[redacted]',
      credentials: '[redacted]',
      accesstoken: '[redacted]',
      auth: true,
      token: null,
      secret: '',
      author: 'ann',
      keyboard: 'qwerty',
      monkey: 'business',
      path: '/tmp/x',
    });
    for (const name of ['AWS_SECRET_ACCESS_KEY', 'privateKey', 'SSHKey', 'sessionId', 'refresh-token', 'PGPASSWORD'])
      expect(looksSecret(name), name).toBe(true);
    for (const name of ['passenger', 'tokenizer', 'secretary', 'keynote', 'pinned', 'namespace', 'compass'])
      expect(looksSecret(name), name).toBe(false);
  });

  it('have no secrets in command lines, addresses and headers', () => {
    for (const [given, written] of [
      [
        ['--password', 'x1', 'y'],
        ['--password', '[redacted]', 'y'],
      ],
      [['--token=x1'], ['--token=[redacted]']],
      ['get --verbose --token x1 pods', 'get --verbose --token [redacted] pods'],
      ['API_KEY=x1 run', 'API_KEY=[redacted] run'],
      ['--password="two words" end', '--password=[redacted] end'],
      ['{"password":"x1","user":"ann"}', '{"password":[redacted],"user":"ann"}'],
      ['https://ann:x1@example.com/a', 'https://ann:[redacted]@example.com/a'],
      ['Accept: text/html', 'Accept: text/html'],
      ['bearer abcdef', 'bearer [redacted]'],
      ['the token is here', 'the token is here'],
      ['https://example.com:8080/a@b', 'https://example.com:8080/a@b'],
    ] as const) {
      expect(sanitise(given, []), JSON.stringify(given)).toEqual(written);
    }
  });

  it('are shortened where they are long, with a digest that tells them apart', () => {
    const [a, b] = ['x'.repeat(5000), `${'x'.repeat(4999)}y`].map((text) => sanitise({ text }, []) as { text: string });
    expect(a?.text).toMatch(/^x{500}… \(5000 characters, sha256 [0-9a-f]{64}\)$/);
    expect(a?.text).not.toBe(b?.text);
    const [c, d] = ['one-secret', 'two-secret'].map((one) => sanitise(`${'x'.repeat(900)}${one}`, [one]));
    expect(c, 'a hash tells nothing of a secret').toBe(d);
    const edge = sanitise(`${'x'.repeat(490)}${hidden}${'x'.repeat(900)}`, [hidden]) as string;
    expect(edge).not.toContain('hunter');
  });

  it('are bounded in every direction', () => {
    let deep: unknown = 'end';
    for (let level = 0; level < 10_000; level++) deep = { deep };
    const loop: unknown[] = [];
    loop.push(loop);
    const wide = Array.from({ length: 5000 }, (_, place) => ({ [`n${place}`]: 'x'.repeat(400) }));
    for (const value of [deep, loop, wide, [wide, wide, wide], { a: Buffer.alloc(1e6) }, 10n, undefined, () => 1]) {
      expect((JSON.stringify(sanitise(value, [hidden])) ?? '').length).toBeLessThan(60_000);
    }
    expect(JSON.stringify(sanitise(JSON.parse('{"__proto__":{"a":1}}'), []))).toBe('{"__proto__":{"a":1}}');
  });
});
