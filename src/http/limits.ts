/** What one client may cost. Every limit answers in clear words, or closes the connection when there is nobody to answer. */
export interface HttpLimits {
  /** All header lines together, the request line included. */
  readonly headerBytes: number;
  /** Node would drop the rest unread, and with it what the guards look for. */
  readonly headers: number;
  readonly urlLength: number;
  /** Open connections, of which a peer has a share. A client holds one for its stream and one or two for its calls. */
  readonly connections: number;
  /** Exchanges under way at once, streams included, of which a peer has a share: one more is refused. */
  readonly exchanges: number;
  /** Requests that wait on their connection behind another one: so many on one connection, and so many in all. */
  readonly pipelined: number;
  readonly waiting: number;
  /** What all clients together have sent of requests under way, and not read of their answers. */
  readonly bufferBytes: number;
  /** How long an answer may go unread, without a byte of it being taken. Shorter than the pauses between signs of life on streams. */
  readonly stalledMs: number;
  /** From the first byte to the last header. */
  readonly headersMs: number;
  /** From the first byte of a request to its last. The answer may take, and stream, as long as it likes. */
  readonly requestMs: number;
  /** How long an unused connection stays open. Longer than the pools of common clients, so that they close first. */
  readonly idleMs: number;
  /** How often the two times above are looked at. */
  readonly checkMs: number;
}

export const defaultLimits: HttpLimits = {
  headerBytes: 16 * 1024,
  headers: 200,
  urlLength: 8 * 1024,
  connections: 2500,
  exchanges: 2000,
  pipelined: 100,
  waiting: 4000,
  bufferBytes: 32 * 1024 * 1024,
  stalledMs: 10_000,
  headersMs: 15_000,
  requestMs: 60_000,
  idleMs: 30_000,
  checkMs: 5000,
};
