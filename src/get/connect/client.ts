import {
  Client,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/client';
import type { SkillError } from '../../core/errors.ts';
import { cut } from '../../core/text/text.ts';
import { type Link, unavailable } from './transport.ts';

/** The first revision without a handshake: each request names its client. */
const firstModern = '2026-07-28';

/** The name that a client gives itself, and the revision of the protocol that it prefers. */
export interface Identity {
  readonly name: string;
  readonly version: string;
  readonly protocol: string;
}

/** A client that is connected to a server. */
export interface Connected {
  readonly client: Client;
  /** Waits for an answer; a failure is told in words, with whatever is known of the server. */
  readonly asked: <T>(what: string, answer: Promise<T>) => Promise<T>;
  /** Sends a request, whatever its method, and returns the answer as it came. */
  readonly request: (method: string, params: Readonly<Record<string, unknown>>) => Promise<unknown>;
  /** Whether an answer has not come in time. */
  readonly isSilent: () => boolean;
}

/** Connects under a name, in a revision of the protocol. */
export async function connectTo(
  link: Link,
  { name, version, protocol }: Identity,
  options: { readonly timeout: number; readonly signal?: AbortSignal | undefined },
): Promise<Connected> {
  const versions = SUPPORTED_PROTOCOL_VERSIONS.filter((one) => one !== protocol);
  const client = new Client(
    { name, version },
    {
      supportedProtocolVersions: [protocol, ...versions],
      versionNegotiation: { mode: protocol >= firstModern ? 'auto' : 'legacy' },
      listMaxPages: 1000,
    },
  );
  let isSilent = false;
  const asked = async <T>(what: string, answer: Promise<T>): Promise<T> => {
    try {
      return await answer;
    } catch (error) {
      isSilent ||= isTimeout(error);
      if (isTimeout(error)) throw unavailable(`the server did not answer ${what} in time`, 'Is it overloaded?');
      throw error instanceof ProtocolError ? failed(what, error) : (link.failure() ?? failed(what, error));
    }
  };
  const { signal, timeout } = options;
  const given = { timeout, ...(signal !== undefined && { signal }) };
  await asked('the handshake', client.connect(link.transport, given));
  return {
    client,
    asked,
    isSilent: () => isSilent,
    request: (method, params) => asked(method, client.request({ method, params: { ...params } }, anything, given)),
  };
}

function isTimeout(error: unknown): boolean {
  return error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout;
}

/** A schema that accepts everything: answers are read where they are used. */
const anything = {
  '~standard': { version: 1, vendor: 'repertoire', validate: (value: unknown) => ({ value }) },
} as const;

function failed(what: string, error: unknown): SkillError {
  // The library appends everything that is wrong with an answer, as JSON.
  const [message = ''] = cut(error instanceof Error ? error.message : String(error), 200).split(': [');
  if (error instanceof ProtocolError)
    return unavailable(
      `${what} was answered with an error: ${message}`,
      'Run repertoire doctor, and check the log of the server.',
    );
  return unavailable(`the server does not speak the protocol (${message})`, 'Is it an MCP server?');
}
