import type { InputOf, OperationName, OutputOf } from '../faces/web/operations.ts';
import type { ErrorBody, RunEvent, SessionState } from '../faces/web/shapes.ts';

/** An answer that is an error, in the server's own words. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: ErrorBody['error']['code'];
  readonly hint: string | null;
  readonly suggestions: readonly string[];
  readonly candidates: readonly string[];

  constructor(status: number, { code, message, hint, suggestions, candidates }: ErrorBody['error']) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.hint = hint;
    this.suggestions = suggestions;
    this.candidates = candidates;
  }
}

let shutOut = (_error: ApiError): void => {};

/** Registers a callback for when the server no longer knows this client, as after a restart. */
export function onShutOut(listener: (error: ApiError) => void): void {
  shutOut = listener;
}

/** Calls an operation that only reads. */
export async function ask<N extends OperationName>(
  name: N,
  input: InputOf<N>,
  signal?: AbortSignal,
): Promise<OutputOf<N>> {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(input)) {
    for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) query.append(key, String(one));
  }
  const response = await reach(`api/${name}?${query}`, signal === undefined ? {} : { signal });
  return (await bodyOf(response)) as OutputOf<N>;
}

/** Calls an operation that acts. */
export async function act<N extends OperationName>(
  name: N,
  input: InputOf<N>,
  signal?: AbortSignal,
): Promise<OutputOf<N>> {
  return (await bodyOf(await post(`api/${name}`, input, signal))) as OutputOf<N>;
}

/** Runs a tool, and yields events as they happen. */
export async function* runTool(input: InputOf<'run'>, signal: AbortSignal): AsyncGenerator<RunEvent> {
  const response = await post('api/run', input, signal, 'application/x-ndjson');
  if (!response.ok || response.body === null) {
    await bodyOf(response);
    return;
  }
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const lines = (rest + part.value).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield JSON.parse(line) as RunEvent;
  }
}

/** Cancels a run by the key it began with. */
export async function cancelRun(key: string): Promise<void> {
  await bodyOf(await post('api/cancel', { key }));
}

export async function sessionState(): Promise<SessionState> {
  return (await bodyOf(await reach('api/session'))) as SessionState;
}

/** Signs in with the token of the link, or of the server; from then on a cookie does. */
export async function signIn(token: string): Promise<SessionState> {
  return (await bodyOf(await post('api/session', { token }))) as SessionState;
}

export async function signOut(): Promise<void> {
  await bodyOf(await post('api/sign-out', {}));
}

/** The address of a skill's file as it is, for pictures. */
export function fileAddress({ skill, of }: { readonly skill: string; readonly of: string }, path: string): string {
  return `api/file?${new URLSearchParams({ name: skill, path, ...(of !== '' && { file: of }) })}`;
}

/** The address of the output that is kept of an execution: to be saved, or as the picture that it is. */
export function downloadAddress(id: string, more: Readonly<Record<string, string>> = {}): string {
  return `api/download?${new URLSearchParams({ id, ...more })}`;
}

function post(path: string, body: unknown, signal?: AbortSignal, accept = 'application/json'): Promise<Response> {
  const headers = { 'Content-Type': 'application/json', Accept: accept };
  return reach(path, { method: 'POST', headers, body: JSON.stringify(body), signal: signal ?? null });
}

/** Fetches; a server that is gone becomes an error in words that help. */
async function reach(path: string, init: RequestInit = {}): Promise<Response> {
  try {
    return await fetch(path, init);
  } catch (error) {
    throw init.signal?.aborted ? error : unreachable();
  }
}

export function unreachable(): ApiError {
  const hint = 'It may have ended: start it again, as with `repertoire web`, and open the new link.';
  const message = 'the server does not answer';
  return new ApiError(0, { code: 'unavailable', message, hint, suggestions: [], candidates: [] });
}

async function bodyOf(response: Response): Promise<unknown> {
  if (response.ok) return wholeBodyOf(response);
  const body = (await response.json().catch(() => null)) as unknown;
  const reported = (body as Partial<ErrorBody> | null)?.error;
  const error = new ApiError(response.status, {
    code: reported?.code ?? 'internal',
    message: reported?.message ?? `the server answered with ${response.status}`,
    hint: reported?.hint ?? null,
    suggestions: reported?.suggestions ?? [],
    candidates: reported?.candidates ?? [],
  });
  if (error.code === 'unauthorized') shutOut(error);
  throw error;
}

/** The body of an answer; one that breaks off, as when the server dies, is no answer. */
async function wholeBodyOf(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch (error) {
    throw error instanceof DOMException && error.name === 'AbortError' ? error : unreachable();
  }
}
