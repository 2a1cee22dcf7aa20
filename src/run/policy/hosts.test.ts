import { isIP, isIPv4 } from 'node:net';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { addressText, hostText, isPrivateAddress, parseHost, readAddress } from './hosts.ts';

it.each([
  ['api.example.com', 'api.example.com'],
  ['API.Example.COM', 'api.example.com'],
  ['api.example.com:443', 'api.example.com:443'],
  ['*.example.com', '*.example.com'],
  ['*.example.com:8443', '*.example.com:8443'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['*.BÜCHER.example', '*.xn--bcher-kva.example'],
  ['localhost', 'localhost'],
  ['localhost:3000', 'localhost:3000'],
  ['10.0.0.7:8080', '10.0.0.7:8080'],
  ['[::1]', '[::1]'],
  ['[2001:DB8:0:0::1]:443', '[2001:db8::1]:443'],
  ['_service.example.com', '_service.example.com'],
])('the host %s is read as %s', (text, written) => {
  const rule = parseHost(text);
  expect(rule.ok && hostText(rule.value)).toBe(written);
});

it.each([
  ['', 'empty'],
  ['*', 'every host'],
  ['*:443', 'every host'],
  ['*.', 'not a valid host'],
  ['*.com', 'nearly every host'],
  ['*.localhost', 'nearly every host'],
  ['*.*.com', 'not at the start'],
  ['api.*.com', 'not at the start'],
  ['*example.com', 'not at the start'],
  ['https://example.com', 'scheme'],
  ['example.com/path', 'path'],
  ['example.com?x', 'path'],
  ['user@example.com', 'user'],
  ['example.com.', 'dot'],
  ['.example.com', 'not a valid host'],
  ['a..b', 'not a valid host'],
  ['-a.example', 'not a valid host'],
  ['a-.example', 'not a valid host'],
  ['exa mple.com', 'character'],
  ['example.com\n', 'character'],
  ['exam\u200bple.com', 'character'],
  ['exam\u00adple.com', 'character'],
  ['%65xample.com', 'character'],
  ['ｅxample.com', 'converted to others'],
  ['example。com', 'converted to others'],
  ['example.com:', 'port'],
  ['example.com:0', 'port'],
  ['example.com:65536', 'port'],
  ['example.com:080', 'port'],
  ['example.com:80:80', 'port'],
  ['example.com:http', 'port'],
  ['0x7f.1', 'odd form'],
  ['127.1', 'odd form'],
  ['017.0.0.1', 'odd form'],
  ['2130706433', 'odd form'],
  ['1.2.3.4.5', 'odd form'],
  ['256.1.1.1', 'odd form'],
  ['１２７.0.0.1', 'odd form'],
  ['*.0.0.1', 'odd form'],
  ['::1', 'wrong form'],
  ['[127.0.0.1]', 'wrong form'],
  ['[::ffff:127.0.0.1]', 'hides'],
  ['[::ffff:7f00:1]:80', 'hides'],
  ['[fe80::1%eth0]', 'character'],
  ['[example.com]', 'not a valid address'],
  ['[::1', 'port'],
  ['a'.repeat(64), 'not a valid host'],
  [`${'a.'.repeat(130)}example`, 'not a valid host'],
])('the host %j is refused: %s', (text, why) => {
  const rule = parseHost(text);
  expect(rule.ok ? hostText(rule.value) : rule.message).toContain(why);
  expect(!rule.ok && rule.remedy).toBeTruthy();
});

const pieces = fc.array(
  fc.constantFrom(
    '*',
    '.',
    ':',
    '[',
    ']',
    '/',
    '@',
    '-',
    '_',
    'a',
    'EX',
    'com',
    '0x7f',
    '127',
    '1',
    '80',
    'ü',
    'ｅ',
    '::',
  ),
  { maxLength: 9 },
);
const texts = fc.oneof(
  pieces.map((parts) => parts.join('')),
  fc.domain().map((domain) => `*.${domain}`),
  fc.webAuthority({ withIPv4: true, withIPv4Extended: true, withIPv6: true, withPort: true, withUserInfo: true }),
  fc.string({ unit: 'binary', maxLength: 20 }),
);

it('an accepted host has one canonical form with the same meaning', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const rule = parseHost(text);
      if (!rule.ok) return;
      const written = hostText(rule.value);
      expect(parseHost(written)).toEqual(rule);
      expect(written).toMatch(/^(?:\*\.)?(?:[a-z0-9_.-]+|\[[0-9a-f:]+\])(?::[1-9][0-9]{0,4})?$/);
    }),
    { numRuns: 5000 },
  );
});

it('no text is read as another host than a browser would go to', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const rule = parseHost(text);
      if (!rule.ok || rule.value.below) return;
      expect(new URL(`x://${rule.value.host}`).hostname).toBe(rule.value.host);
      expect(new URL(`http://${text}`).hostname).toBe(rule.value.host);
    }),
    { numRuns: 5000 },
  );
});

const near = fc.string({ unit: fc.constantFrom('0', '1', '2', '9', 'a', 'f', '.', ':', 'x', '%'), maxLength: 24 });
const addresses = fc.oneof(fc.ipV4(), fc.ipV6(), near);

it('readAddress() reads addresses, and nothing else', () => {
  fc.assert(
    fc.property(addresses, (text) => {
      expect(readAddress(text) !== null).toBe(isIP(text) !== 0 && !text.includes('%'));
    }),
    { numRuns: 3000 },
  );
});

it('each IP address has one spelling', () => {
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (text) => {
      const address = readAddress(text) ?? [];
      const written = addressText(address);
      expect(readAddress(written)).toEqual(address);
      expect(isIPv4(text) ? written : `[${written}]`).toBe(
        new URL(`http://${isIPv4(text) ? text : `[${text}]`}`).hostname,
      );
    }),
    { numRuns: 1000 },
  );
});

it.each([
  '127.0.0.1',
  '127.255.255.254',
  '0.0.0.0',
  '10.1.2.3',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '100.127.255.255',
  '192.0.2.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.255',
  '255.255.255.255',
  '::',
  '::1',
  '0:0:0:0:0:0:0:1',
  'fe80::1',
  'fe80::1%eth0',
  'febf::1',
  'fc00::1',
  'fd12:3456::1',
  'ff02::1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '0:0:0:0:0:ffff:10.0.0.1',
  '0000:0000:0000:0000:0000:FFFF:A9FE:A9FE',
  '::127.0.0.1',
  '64:ff9b::10.0.0.1',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b:1::8.8.8.8',
  '2002:7f00:1::',
  '2002:808:808::',
  '2001:db8::1',
  '2001::1',
  '3fff::1',
  'fec0::1',
  '',
  'localhost',
  '0x7f.1',
  '017.0.0.1',
  '2130706433',
  '1.2.3',
])('%j is not on the internet', (ip) => {
  expect(isPrivateAddress(ip)).toBe(true);
});

it.each([
  '8.8.8.8',
  '1.1.1.1',
  '100.63.255.255',
  '100.128.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '169.253.1.1',
  '192.167.1.1',
  '198.20.0.1',
  '223.255.255.255',
  '2606:4700::1111',
  '2001:4860:4860::8888',
  '::ffff:8.8.8.8',
  '64:ff9b::8.8.8.8',
])('%j is on the internet', (ip) => {
  expect(isPrivateAddress(ip)).toBe(false);
});
