import { Agent, request } from 'node:http';
import { handshake } from './stdio.mjs';

/**
 * @typedef {'modern' | 'legacy'} Era of the protocol: without sessions, or with one
 * @typedef {{ name: string, arguments: object }} Call
 * @typedef {{ status: number, text: string, sessionId: string | undefined }} Reply
 *
 * @typedef {object} Client
 * @property {() => Promise<void>} open the handshake, where there is one
 * @property {(onText?: (text: string) => void) => Promise<void>} listen opens the stream on which a server tells what has changed
 * @property {(call: Call) => Promise<boolean>} call whether it was answered, and not with an error
 * @property {() => void} close
 */

const accept = 'application/json, text/event-stream';
const revision = '2026-07-28';
const prefix = 'io.modelcontextprotocol/';
const meta = {
  [`${prefix}protocolVersion`]: revision,
  [`${prefix}clientCapabilities`]: {},
  [`${prefix}clientInfo`]: handshake.clientInfo,
};

/**
 * A client as plain as can be, so that it is not the client that is measured.
 *
 * @param {string} url
 * @param {Era} era
 * @param {number} connections that it keeps open
 * @returns {Client}
 */
export function createClient(url, era, connections) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  /** @type {() => void} */
  let endStream = () => undefined;
  let asked = 0;
  /** @type {Record<string, string>} */
  let session = {};

  /** @param {object} message @param {Record<string, string>} headers @returns {Promise<Reply>} */
  function post(message, headers) {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    const all = { ...session, ...headers, accept, 'content-type': 'application/json', 'content-length': body.length };
    return new Promise((resolve, reject) => {
      const sent = request(url, { agent, method: 'POST', headers: all }, (response) => {
        const { statusCode: status = 0 } = response;
        const sessionId = /** @type {string | undefined} */ (response.headers['mcp-session-id']);
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (part) => {
          text += part;
        });
        response.on('end', () => resolve({ status, text, sessionId }));
        response.on('error', reject);
      });
      sent.on('error', reject);
      sent.end(body);
    });
  }

  const eras = {
    modern: {
      open: async () => undefined,
      call: (/** @type {Call} */ { name, ...rest }) =>
        post(
          { id: ++asked, method: 'tools/call', params: { name, ...rest, _meta: meta } },
          { 'mcp-protocol-version': revision, 'mcp-method': 'tools/call', 'mcp-name': name },
        ),
    },
    legacy: {
      async open() {
        const { sessionId } = await post({ id: ++asked, method: 'initialize', params: handshake }, {});
        if (sessionId === undefined) throw new Error('there is no session');
        session = { 'mcp-session-id': sessionId, 'mcp-protocol-version': handshake.protocolVersion };
        await post({ method: 'notifications/initialized' }, {});
      },
      call: (/** @type {Call} */ params) => post({ id: ++asked, method: 'tools/call', params }, {}),
    },
  };

  return {
    open: eras[era].open,
    async call(call) {
      const { status, text } = await eras[era].call(call);
      return status === 200 && text.includes('"content":[') && !text.includes('"isError":true');
    },
    listen(onText) {
      return new Promise((resolve, reject) => {
        const sent = request(url, { agent: new Agent(), headers: { ...session, accept: 'text/event-stream' } });
        sent.on('error', reject);
        sent.on('response', (response) => {
          endStream = () => response.destroy();
          response.on('error', () => undefined);
          response.setEncoding('utf8').on('data', (text) => onText?.(text));
          if (response.statusCode === 200) resolve();
          else reject(new Error(`no stream: ${response.statusCode}`));
        });
        sent.end();
      });
    },
    close() {
      endStream();
      agent.destroy();
    },
  };
}
