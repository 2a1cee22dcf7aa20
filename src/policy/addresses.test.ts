import { isIP, isIPv4 } from 'node:net';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { addressText, isPrivateAddress, readAddress } from './addresses.ts';

const near = fc.string({ unit: fc.constantFrom('0', '1', '2', '9', 'a', 'f', '.', ':', 'x', '%'), maxLength: 24 });
const addresses = fc.oneof(fc.ipV4(), fc.ipV6(), near);

it('reads what is an address, and nothing else', () => {
  fc.assert(
    fc.property(addresses, (text) => {
      expect(readAddress(text) !== null).toBe(isIP(text) !== 0 && !text.includes('%'));
    }),
    { numRuns: 3000 },
  );
});

it('has one spelling for each address', () => {
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
])('%j is', (ip) => {
  expect(isPrivateAddress(ip)).toBe(false);
});
