import { reasonOf, SkillError } from '../../kernel/errors.ts';
import { createLines } from './lines.ts';
import { answerIn, type Message, messageIn, messageLimit } from './message.ts';
import type { Channel, Params, Target } from './types.ts';

/** What an answer's status means to a person. Anything else is told as it is. */
const refusals: Readonly<Record<number, readonly [string, string]>> = {
  401: ['the server requires a different token', 'Set REPERTOIRE_TOKEN to the token that the server was started with.'],
  403: ['the server refuses this host name', 'Start the server with --allowed-host and the name in the address.'],
  404: ['there is no MCP server at this address', 'Check the address: it ends in /mcp.'],
};

/** How long a server may take to hear that its client leaves. */
const leaveMs = 1000;

/** Speaks to a server that runs already. Nothing is followed elsewhere, so that a token goes nowhere else. */
export function openAddress(
  { url, headers }: Extract<Target, { kind: 'address' }>,
  { protocol, signal }: { readonly protocol: string; readonly signal: AbortSignal },
): Channel {
  let nextId = 1;
  let session: string | null = null;
  const closing = new AbortController();
  const stop = AbortSignal.any([signal, closing.signal]);

  return {
    async request(method, params) {
      const id = nextId++;
      const response = await post({ id, method, params }, method, params);
      session = response.headers.get('mcp-session-id') ?? session;
      const message = await messageFor(id, response).catch(() => null);
      if (message !== null) return answerIn(message);
      throw refused(response.status);
    },
    async notify(method) {
      await post({ method }, method, {}).then((response) => response.body?.cancel());
    },
    async close() {
      closing.abort();
      if (session === null) return;
      const soon = AbortSignal.timeout(leaveMs);
      await fetch(url, { method: 'DELETE', headers: headersFor(null, {}), redirect: 'manual', signal: soon }).catch(
        () => null,
      );
    },
  };

  async function post(message: object, method: string, params: Params): Promise<Response> {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    try {
      return await fetch(url, {
        method: 'POST',
        headers: headersFor(method, params),
        body,
        redirect: 'manual',
        signal: stop,
      });
    } catch (error) {
      const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
      const hint = `Start the server: repertoire serve --http --port ${new URL(url).port || 80}`;
      throw new SkillError('unavailable', `nothing answers at ${shown(url)} (${reasonOf(cause)})`, { hint });
    }
  }

  function headersFor(method: string | null, params: Params): Record<string, string> {
    return {
      ...headers,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': protocol,
      ...(method === null ? {} : { 'Mcp-Method': method }),
      ...(method === 'tools/call' ? { 'Mcp-Name': String(params['name']) } : {}),
      ...(session === null ? {} : { 'Mcp-Session-Id': session }),
    };
  }
}

/** Some addresses have a key behind the question mark. */
function shown(url: string): string {
  if (!URL.canParse(url)) return 'its address';
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}

/** The answer to a request, alone or in a stream of events; null where there is none. What comes after is not waited for. */
async function messageFor(id: number, response: Response): Promise<Message | null> {
  for await (const text of textsIn(response)) {
    const message = messageIn(text);
    if (message?.id === id && (message.result !== undefined || message.error !== undefined)) return message;
  }
  return null;
}

/** What could be a message: all of an answer, or the data of each event. Who sends without end is not heard to the end. */
async function* textsIn({ body, headers }: Response): AsyncGenerator<string> {
  const isStream = /^text\/event-stream/.test(headers.get('content-type') ?? '');
  const decoder = new TextDecoder();
  const lines = createLines();
  const whole: string[] = [];
  let length = 0;
  for await (const bytes of body ?? []) {
    length += bytes.length;
    if (length > messageLimit) return;
    const text = decoder.decode(bytes, { stream: true });
    if (!isStream) whole.push(text);
    else for (const line of lines.add(text)) yield line.replace(/^data: ?/, '');
  }
  yield isStream ? lines.rest().replace(/^data: ?/, '') : whole.join('');
}

function refused(status: number): SkillError {
  const other = status < 300 ? 'the server does not speak the protocol' : `the server answers with status ${status}`;
  const [message, hint] = refusals[status] ?? [other, 'Is it an MCP server?'];
  return new SkillError('unavailable', message, { hint });
}
