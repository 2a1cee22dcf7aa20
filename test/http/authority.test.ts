import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createGuards, isLoopback, parseAuthority, parseHost, parseOrigin } from '../../src/faces/http/guards.ts';

const local = ['localhost', '127.0.0.1', '::1'];
const guards = createGuards({ host: '127.0.0.1', address: '127.0.0.1', allowedHosts: [], allowedOrigins: [] });
const asked = (host: string) => guards.host(host);
const here = { name: 'localhost', port: 3000 };

/** Text that comes close: pieces of good hosts and of tricks, in any order. */
const nearly = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        'localhost',
        '127.0.0.1',
        '[::1]',
        ':3000',
        '.',
        '@',
        '/',
        '\\',
        '#',
        '?',
        '%',
        ':',
        ' ',
        '[',
        ']',
      ),
      fc.constantFrom('evil.example', '2130706433', '0x7f', '\t', '\u0000', 'http://', 'LOCALHOST', '::1', ','),
      fc.string({ maxLength: 4 }),
    ),
    { maxLength: 5 },
  )
  .map((parts) => parts.join(''));

describe('reading a host', () => {
  it('lets through only what a browser, too, takes for this machine', () => {
    fc.assert(
      fc.property(nearly, (text) => {
        const authority = asked(text);
        if (authority === null) return;
        expect(local).toContain(authority.name);
        const { hostname, username, pathname, search, hash } = new URL(`http://${text}`);
        expect(local).toContain(hostname.replace(/^\[|\]$|\.$/g, ''));
        expect([username, pathname, search, hash]).toEqual(['', '/', '', '']);
      }),
      { numRuns: 20_000 },
    );
  });

  it('lets through only pages of this machine', () => {
    fc.assert(
      fc.property(fc.constantFrom('', 'http://', 'https://', 'HTTP://', 'file://', 'null'), nearly, (scheme, rest) => {
        const origin = scheme + rest;
        if (!guards.origin(origin, here)) return;
        const url = new URL(origin);
        expect(['http:', 'https:']).toContain(url.protocol);
        expect(isLoopback(url.hostname.replace(/^\[|\]$|\.$/g, ''))).toBe(true);
        expect([url.username, url.pathname, url.search, url.hash]).toEqual(['', '/', '', '']);
        expect(guards.reads(origin)).toBe(false);
      }),
      { numRuns: 20_000 },
    );
  });

  it('agrees with the URL standard on every good name, address and port', () => {
    const name = fc.oneof(
      fc.domain(),
      fc.ipV4(),
      fc.ipV6().map((address) => `[${address}]`),
    );
    fc.assert(
      fc.property(name, fc.option(fc.integer({ min: 1, max: 65_535 })), (host, port) => {
        const text = port === null ? host : `${host}:${port}`;
        const url = new URL(`foo://${text}`); // a scheme that leaves names and ports as they are
        const authority = parseAuthority(text);
        expect(authority?.name).toBe(new URL(`http://${host}`).hostname.replace(/^\[|\]$/g, ''));
        expect(authority?.port).toBe(url.port === '' ? undefined : Number(url.port));
        expect(parseOrigin(`https://${text}`)).toEqual(authority);
      }),
    );
  });

  it('gives one name to all spellings of it', () => {
    fc.assert(
      fc.property(fc.domain(), fc.ipV6(), (domain, address) => {
        expect(parseAuthority(`${domain.toUpperCase()}.`)).toEqual(parseAuthority(domain));
        expect(parseAuthority(`[${address.toUpperCase()}]`)?.name).toBe(parseHost(address));
        expect(parseHost(`[${address}]`)).toBe(parseHost(address));
      }),
    );
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        parseAuthority(text);
        parseHost(text);
        parseOrigin(text);
        guards.origin(text, here);
        asked(text);
      }),
    );
  });

  it('knows loopback by its plain spellings alone', () => {
    expect(['localhost', '127.0.0.1', '127.255.255.254', '::1'].every(isLoopback)).toBe(true);
    const others = [
      '127.1',
      '127.0.0.1.example',
      '128.0.0.1',
      '::',
      '0.0.0.0',
      '10.0.0.1',
      'localhost.example',
      '127.',
      '',
    ];
    expect(others.some(isLoopback)).toBe(false);
  });
});
