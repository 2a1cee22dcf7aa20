import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { isOfAnotherUser, userIn } from './peer.ts';

const ends = { remoteAddress: '127.0.0.1', remotePort: 0xb0c2, localAddress: '127.0.0.1', localPort: 0x1e79 };

function lineOf(near: string, far: string, state = '01'): string {
  return `  12: ${near} ${far} ${state} 00000000:00000000 00:00000000 00000000  1001        0 10940306 1 00000000f318a652`;
}

// The order of the bytes in a word is that of the machine; these were seen on one that begins with the smallest.
const isUsual = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

it.runIf(isUsual)('finds whose the other end is', () => {
  expect(userIn(lineOf('0100007F:B0C2', '0100007F:1E79'), ends)).toBe(1001);
  const mapped = '0000000000000000FFFF00000100007F';
  expect(userIn(lineOf(`${mapped}:B0C2`, `${mapped}:1E79`), ends)).toBe(1001);
  const v6 = { ...ends, remoteAddress: '::1', localAddress: '::1' };
  const loopback = '00000000000000000000000001000000';
  expect(userIn(lineOf(`${loopback}:B0C2`, `${loopback}:1E79`), v6)).toBe(1001);
});

it.runIf(isUsual)('takes no other connection for it', () => {
  expect(userIn(lineOf('0200007F:B0C2', '0100007F:1E79'), ends)).toBeUndefined();
  expect(userIn(lineOf('0100007F:B0C3', '0100007F:1E79'), ends)).toBeUndefined();
  expect(userIn(lineOf('0100007F:1E79', '0100007F:B0C2'), ends)).toBeUndefined();
  expect(userIn('', ends)).toBeUndefined();
});

it.runIf(isUsual)('believes no end that was let go of', () => {
  expect(userIn(lineOf('0100007F:B0C2', '0100007F:1E79', '05'), ends)).toBe(-1);
});

it('knows its own user', async () => {
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
