import { type Implementation, ProtocolError, Server, type ServerOptions } from '@modelcontextprotocol/server';
import { codes } from './protocol/messages.ts';

type Wrap = Server['_wrapHandler'];

/** Writes the instructions for the caller of a request. */
type Instructions = (context: Parameters<ReturnType<Wrap>>[1]) => Promise<string>;

/** Requests whose answers carry the instructions. */
const greetings = ['initialize', 'server/discover'];

/**
 * A server that corrects the library in two places. The library reports parameters that do not fit a method as a
 * failure of the server; they are a mistake of the client. And it wants the instructions when a server is made; ours
 * may not be known yet when a client asks for them.
 */
export class CheckedServer extends Server {
  readonly #instructions: Instructions;

  constructor(info: Implementation, options: ServerOptions, instructions: Instructions) {
    super(info, options);
    this.#instructions = instructions;
  }

  protected override _wrapHandler(...[method, handler]: Parameters<Wrap>): ReturnType<Wrap> {
    const wrapped = super._wrapHandler(method, handler);
    return async (request, context) => {
      try {
        const result = await wrapped(request, context);
        return greetings.includes(method) ? { ...result, instructions: await this.#instructions(context) } : result;
      } catch (error) {
        const issue = firstIssue(error);
        // Our own handlers throw protocol errors only, so that all others come from the check before them.
        if (error instanceof ProtocolError && issue === null) throw error;
        throw new ProtocolError(codes.invalidParams, `Invalid params for ${method}: ${issue ?? String(error)}`);
      }
    };
  }
}

interface Issue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** The first of the issues that the check lists as JSON, in words; null where there is no such list. */
function firstIssue(error: unknown): string | null {
  const [, list] = /^(?:Invalid \S+ request: )?(\[.*\])$/s.exec(error instanceof Error ? error.message : '') ?? [];
  if (list === undefined) return null;
  try {
    const [{ path, message }] = JSON.parse(list) as [Issue];
    return `${path.slice(1).join('.') || 'params'}: ${message}`;
  } catch {
    return null;
  }
}
