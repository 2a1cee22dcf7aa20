/** What an agent's file says of how to connect. */
export type Target =
  | {
      readonly kind: 'process';
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
      readonly cwd: string | null;
    }
  | { readonly kind: 'address'; readonly url: string; readonly headers: Readonly<Record<string, string>> };

export type Params = Readonly<Record<string, unknown>>;

/** What a server answers: a result, or the message of its error. */
export type Answer = { readonly ok: true; readonly result: Params } | { readonly ok: false; readonly message: string };

/** A way to a server, whichever it is. It rejects when the server can no longer be reached. */
export interface Channel {
  request(method: string, params: Params): Promise<Answer>;
  notify(method: string): Promise<void>;
  /** Ends what was begun, and whatever that has begun. */
  close(): Promise<void>;
}
