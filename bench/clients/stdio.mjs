import { program } from '../measure.mjs';
import { eachLine, startServer } from './server.mjs';

/**
 * @typedef {import('./server.mjs').Server} Server
 * @typedef {{ message: Message, ms: number, at: number, bytes: number }} Answer with the time from request to answer
 * @typedef {{ id?: number, result?: any, error?: { code: number, message: string } }} Message
 *
 * @typedef {object} Options
 * @property {'mcp' | 'serve'} [command]
 * @property {readonly string[]} [argv]
 * @property {readonly string[]} [node] options for Node itself
 * @property {Record<string, string>} [variables]
 *
 * @typedef {object} Talk
 * @property {(method: string, params?: object) => Promise<Answer>} ask
 * @property {(method: string) => void} tell
 * @property {() => Promise<Answer>} open the handshake; resolves with the answer to it
 */

/**
 * The program as a server over stdio, and this process as its client: one line out, one line back, and nothing of a
 * protocol library between that would be measured along.
 *
 * @param {import('./server.mjs').Sandbox} sandbox
 * @param {import('./server.mjs').Catalogue} catalogue
 * @param {Options} [options]
 * @returns {Server & Talk}
 */
export function startStdio(sandbox, catalogue, { command = 'mcp', argv = [], node = [], variables } = {}) {
  const server = startServer(sandbox, catalogue, [...node, program, command, ...argv], variables);
  /** @type {Map<number, { resolve: (answer: Answer) => void, sentAt: number }>} */
  const waiting = new Map();
  let asked = 0;

  eachLine(server.child.stdout, (line, at) => {
    /** @type {Message} */
    const message = JSON.parse(line);
    const one = waiting.get(message.id ?? -1);
    if (one === undefined) return; // a notification
    waiting.delete(message.id ?? -1);
    one.resolve({ message, at, ms: at - one.sentAt, bytes: line.length });
  });

  const send = (/** @type {object} */ message) =>
    server.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

  /** @type {Talk['ask']} */
  function ask(method, params) {
    const id = ++asked;
    /** @type {Promise<Answer>} */
    const answer = new Promise((resolve) => {
      waiting.set(id, { resolve, sentAt: performance.now() });
    });
    send({ id, method, ...(params && { params }) });
    return answer;
  }

  // One watcher for all requests: an answer that never comes must not look like one that is slow.
  const ended = server.ended('waiting for an answer');
  ended.catch(() => undefined);

  return {
    ...server,
    ask: (method, params) => Promise.race([ask(method, params), ended]),
    tell: (method) => void send({ method }),
    async open() {
      const answer = await Promise.race([ask('initialize', handshake), ended]);
      send({ method: 'notifications/initialized' });
      return answer;
    },
  };
}

/** What clients send first, in the revision that most of them speak. */
export const handshake = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'bench', version: '1' },
};
