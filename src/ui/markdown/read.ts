import type { MarkdownAnswer, MarkdownRequest, WorkerMessage } from './tree.ts';

/** A text that is longer, or takes longer, is shown as it is written. */
const most = { characters: 512 * 1024, startMs: 15_000, textMs: 2000 } as const;

// The page allows scripts from one address only, and only by this name.
const address = document.querySelector<HTMLMetaElement>('meta[name="markdown-worker"]')?.content ?? '';
interface Policies {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string };
}
const policy = (globalThis as { trustedTypes?: Policies }).trustedTypes?.createPolicy('repertoire', {
  createScriptURL(url) {
    if (url === address) return url;
    throw new TypeError('no script may come from there');
  },
});

/** Reads a text in a worker of its own, which ends with it. Null where it is better shown as it is written. */
export function readMarkdown(request: MarkdownRequest, signal: AbortSignal): Promise<MarkdownAnswer> {
  if (request.text.length > most.characters || address === '') return Promise.resolve(null);
  return new Promise((resolve) => {
    const worker = new Worker(policy?.createScriptURL(address) ?? address, { type: 'module' });
    const end = (answer: MarkdownAnswer): void => {
      clearTimeout(timer);
      worker.terminate();
      resolve(answer);
    };
    let timer = setTimeout(() => end(null), most.startMs);
    signal.addEventListener('abort', () => end(null), { once: true });
    worker.onmessage = ({ data }: MessageEvent<WorkerMessage>) => {
      if (data !== 'ready') {
        end(data);
        return;
      }
      clearTimeout(timer);
      timer = setTimeout(() => end(null), most.textMs);
      worker.postMessage(request);
    };
    worker.onerror = () => end(null);
  });
}
