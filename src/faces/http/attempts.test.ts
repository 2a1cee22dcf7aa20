import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { createAttempts, isOfAnotherUser, userIn } from './attempts.ts';

const from = (address: string) => ({ socket: {} as Socket, peer: address, isProxied: false });
const [right, wrong] = [(): boolean => true, (): boolean => false];

it('after twenty different wrong tokens from one address, no other is looked at for the rest of a minute', () => {
  let now = 0;
  const attempts = createAttempts(() => now);
  const [guesser, other] = [from('192.0.2.1'), from('192.0.2.2')];
  for (let at = 0; at < 20; at++) expect(attempts.attempt(guesser, `guess ${at}`, wrong)).toBe('wrong');
  now = 10_000;
  expect(attempts.attempt(guesser, 'another guess', right)).toBe(50);
  expect(attempts.attempt(from('192.0.2.1'), 'another guess', right)).toBe(50);
  expect(attempts.attempt(other, 'another guess', right)).toBe('right');
  now = 60_000;
  expect(attempts.attempt(guesser, 'another guess', right)).toBe('right');
});

it('one wrong token, however often it comes, keeps nobody out', () => {
  const attempts = createAttempts();
  for (let at = 0; at < 1000; at++) expect(attempts.attempt(from('192.0.2.1'), 'an old one', wrong)).toBe('wrong');
  expect(attempts.attempt(from('192.0.2.1'), 'the new one', right)).toBe('right');
});

it('a connection that has shown the right token goes on', () => {
  const attempts = createAttempts();
  const honest = from('192.0.2.1');
  expect(attempts.attempt(honest, 'mine', right)).toBe('right');
  for (let at = 0; at < 30; at++) attempts.attempt(from('192.0.2.1'), `guess ${at}`, wrong);
  expect(attempts.attempt(from('192.0.2.1'), 'mine', right)).toBeGreaterThan(0);
  expect(attempts.attempt(honest, 'mine', right)).toBe('right');
});

it('a right token that is too long to be guessed is let in, though others guess from its address', () => {
  const attempts = createAttempts();
  for (let at = 0; at < 30; at++) attempts.attempt(from('192.0.2.1'), `guess ${at}`, wrong);
  expect(attempts.attempt(from('192.0.2.1'), 'a-token-of-a-fair-length', right)).toBe('right');
  expect(attempts.attempt(from('192.0.2.1'), 'a-guess-of-a-fair-length', wrong)).toBeGreaterThan(0);
});

const ends = { remoteAddress: '127.0.0.1', remotePort: 0xb0c2, localAddress: '127.0.0.1', localPort: 0x1e79 };

function lineOf(near: string, far: string, state = '01'): string {
  return `  12: ${near} ${far} ${state} 00000000:00000000 00:00000000 00000000  1001        0 10940306 1 00000000f318a652`;
}

// The byte order within a word is the machine's; these lines were recorded on a little-endian one.
const isUsual = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

it.runIf(isUsual)('the user at the other end of a connection is found', () => {
  expect(userIn(lineOf('0100007F:B0C2', '0100007F:1E79'), ends)).toBe(1001);
  const mapped = '0000000000000000FFFF00000100007F';
  expect(userIn(lineOf(`${mapped}:B0C2`, `${mapped}:1E79`), ends)).toBe(1001);
  const v6 = { ...ends, remoteAddress: '::1', localAddress: '::1' };
  const loopback = '00000000000000000000000001000000';
  expect(userIn(lineOf(`${loopback}:B0C2`, `${loopback}:1E79`), v6)).toBe(1001);
});

it.runIf(isUsual)('the user of another connection is not taken for it', () => {
  expect(userIn(lineOf('0200007F:B0C2', '0100007F:1E79'), ends)).toBeUndefined();
  expect(userIn(lineOf('0100007F:B0C3', '0100007F:1E79'), ends)).toBeUndefined();
  expect(userIn(lineOf('0100007F:1E79', '0100007F:B0C2'), ends)).toBeUndefined();
  expect(userIn('', ends)).toBeUndefined();
});

it.runIf(isUsual)('the user of a connection that was closed is not believed', () => {
  expect(userIn(lineOf('0100007F:B0C2', '0100007F:1E79', '05'), ends)).toBe(-1);
});

it('a connection from this user is not of another user', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const address = server.address();
  const client = connect(typeof address === 'object' && address !== null ? address.port : 0, '127.0.0.1');
  onTestFinished(() => void client.destroy());
  const [socket] = (await once(server, 'connection')) as [Socket];
  onTestFinished(() => void socket.destroy());
  expect(isOfAnotherUser(socket)).toBe(false);
});
