import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/**
 * @typedef {'legacy' | 'modern'} Era
 *
 * @typedef {object} Call
 * @property {'load' | 'search' | 'execute' | 'connect'} kind
 * @property {string} [value] that an execution was given, and must give back
 * @property {string} [tool]
 * @property {number} at when it was answered, on the clock of `performance.now()`
 * @property {number} ms
 * @property {string} outcome `answer`, or the code of an error
 * @property {string} [detail] of an error
 *
 * @typedef {{ kind: Call['kind'], tool?: string, value?: string, name: string, arguments: object, expected: string }} Question
 */

const negotiation = { legacy: 'legacy', modern: { pin: '2026-07-28' } };

/** Longer than any answer may take; a client that waits so long was told nothing. */
const timeoutMs = 60_000;

/** A client of the protocol's own library, which opens a new session only where the old one is refused. */
export class Caller {
  /** @type {Client | null} */
  #client = null;
  /** @type {Call[]} */
  calls = [];

  /** @param {string} url @param {Era} era */
  constructor(url, era) {
    this.url = url;
    this.era = era;
  }

  /** Asks, and notes what came of it. @param {Question} question @param {AbortSignal} [signal] */
  async ask({ kind, tool, value, expected, ...call }, signal) {
    const began = performance.now();
    const end = await this.#outcomeOf(call, expected, signal);
    const at = performance.now();
    this.calls.push({ kind, at, ms: at - began, ...(value !== undefined && { tool, value }), ...end });
  }

  /** @param {Pick<Question, 'name' | 'arguments'>} call @param {string} expected @param {AbortSignal} [signal] @returns {Promise<Pick<Call, 'outcome' | 'detail'>>} */
  async #outcomeOf(call, expected, signal) {
    try {
      this.#client ??= await this.#connected();
      const result = await this.#client.callTool(call, { timeout: timeoutMs, ...(signal && { signal }) });
      const text = JSON.stringify(result);
      const { exit_reason: reason = 'exited' } = /** @type {Record<string, any>} */ (result.structuredContent ?? {});
      if (result.isError || reason !== 'exited')
        return { outcome: reason === 'exited' ? 'error' : reason, detail: text };
      return text.includes(expected) ? { outcome: 'answer' } : { outcome: 'wrong', detail: text };
    } catch (error) {
      const outcome = codeOf(error);
      if (outcome === 'HTTP 404' || outcome === 'NOT_CONNECTED') await this.close();
      return { outcome, detail: String(error) };
    }
  }

  async #connected() {
    const client = new Client(
      { name: `chaos-${this.era}`, version: '1.0.0' },
      { versionNegotiation: { mode: negotiation[this.era] }, capabilities: {} },
    );
    await client.connect(new StreamableHTTPClientTransport(new URL(this.url)), { timeout: timeoutMs });
    return client;
  }

  async close() {
    await this.#client?.close().catch(() => undefined);
    this.#client = null;
  }
}

/** The ways in which it is said that a connection has ended before the answer came. */
const closed = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'CONNECTION_CLOSED']);

/** The shortest name for an error that says what to do about it. @param {any} error @returns {string} */
function codeOf(error) {
  const { status, code, cause, data } = error ?? {};
  const http = status ?? data?.status;
  if (http !== undefined) return `HTTP ${http}`;
  const name = cause?.code ?? code ?? error?.name ?? 'unknown';
  return closed.has(name) ? 'connection closed' : String(name);
}
