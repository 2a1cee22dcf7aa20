import { connect } from 'node:net';
import { handshake } from '../clients/stdio.mjs';

/** A hostile client: does one thing very often, from an address of its own, for as long as it is told. */
const { url, flood, count, from, lastsMs } = JSON.parse(process.argv[2] ?? '');
const { hostname, port } = new URL(url);
const head = [
  'POST /mcp HTTP/1.1',
  `Host: ${hostname}`,
  'Content-Type: application/json',
  'Accept: application/json, text/event-stream',
].join('\r\n');
const counts = { opened: 0, answered: 0, closed: 0 };

/** @param {string} body @param {string} [more] */
const posted = (body, more = '') => `${head}\r\n${more}Content-Length: ${body.length}\r\n\r\n${body}`;
const initialize = posted(
  JSON.stringify({
    jsonrpc: '2.0',
    id: 0,
    method: 'initialize',
    params: { ...handshake, protocolVersion: '2025-03-26' },
  }),
);
const batch = JSON.stringify(
  Array.from({ length: 100 }, (_, id) => ({ jsonrpc: '2.0', id: id + 1, method: 'tools/list' })),
);

/** @returns {Promise<import('node:net').Socket>} */
function dial() {
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port), localAddress: from }, () => {
      counts.opened++;
      resolve(socket);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      counts.closed++;
      resolve(socket);
    });
  });
}

/** A session of its own for each connection, and after it four batches in one go, of which nothing is ever read. */
async function unread() {
  const socket = await dial();
  socket.write(initialize);
  /** @type {string} */
  const text = await new Promise((resolve) => {
    let got = '';
    socket.on('data', (part) => {
      got += part;
      if (got.includes('\r\n0\r\n\r\n')) resolve(got);
    });
    socket.on('close', () => resolve(''));
  });
  const id = /mcp-session-id: (\S+)/i.exec(text)?.[1];
  if (id === undefined) return;
  counts.answered++;
  socket.pause();
  socket.write(posted(batch, `Mcp-Session-Id: ${id}\r\n`).repeat(4));
}

/** A session, on a connection that is given up at once. */
async function session() {
  const socket = await dial();
  socket.once('data', (part) => {
    if (String(part).startsWith('HTTP/1.1 200')) counts.answered++;
    socket.destroy();
  });
  socket.write(initialize);
  if (!socket.destroyed) await new Promise((resolve) => socket.once('close', resolve));
}

const floods = {
  unread: { act: unread, atOnce: 50 },
  sessions: { act: session, atOnce: 50 },
  idle: { act: dial, atOnce: 100 },
};
const { act, atOnce } = floods[/** @type {keyof typeof floods} */ (flood)];
const started = performance.now();
let left = count;
await Promise.all(
  Array.from({ length: atOnce }, async () => {
    while (left-- > 0) await act();
  }),
);
const tookMs = performance.now() - started;
await new Promise((resolve) => setTimeout(resolve, Math.max(0, lastsMs - tookMs)));
process.stdout.write(JSON.stringify({ ...counts, tookMs }));
process.exit();
