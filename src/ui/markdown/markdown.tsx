import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { LongText } from '../parts/elements.tsx';
import { useLoaded } from '../parts/hooks.ts';
import { route } from '../route.ts';
import { anchorKey, goToAnchor, type Place } from './address.ts';
import { Nodes } from './nodes.tsx';
import type { MarkdownAnswer, MarkdownRequest, SafeNodes, WorkerMessage } from './tree.ts';

/** Limits beyond which a text is shown as it is written: its length, and the times to start the worker and to parse. */
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
function readMarkdown(request: MarkdownRequest, signal: AbortSignal): Promise<MarkdownAnswer> {
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

/** A text in Markdown, drawn; shown as it is written where that fails or takes too long. */
export function Markdown({ text, place }: { readonly text: string; readonly place: Place }) {
  const { value } = useLoaded(
    async (signal) => ({ answer: await readMarkdown({ text, path: place.path }, signal) }),
    [text, place.path],
  );
  useAnchor(value !== null);
  useOutline(value?.answer?.nodes);
  if (value === null) return <p class="quiet">Loading …</p>;
  if (value.answer === null) {
    return (
      <>
        <p class="notice">This text is too long or too complex to be rendered. Here is its source.</p>
        <LongText text={text} label="The text as it is written" />
      </>
    );
  }
  const { nodes, rest } = value.answer;
  return (
    <>
      <div class="markdown">
        <Nodes nodes={nodes} place={place} />
      </div>
      {rest !== '' && (
        <>
          <p class="notice">The rest is too much to be rendered. Here is its source.</p>
          <LongText text={rest} label="The rest of the text as it is written" />
        </>
      )}
    </>
  );
}

/** Goes to the place in the text that the address names: once, and not again on a redraw. */
function useAnchor(isDrawn: boolean): void {
  const anchor = route.value.query.get(anchorKey) ?? '';
  const last = useRef('');
  useEffect(() => {
    if (!isDrawn || anchor === last.current) return;
    last.current = anchor;
    if (anchor !== '') goToAnchor(anchor);
  }, [isDrawn, anchor]);
}

/** A heading of the text that is shown. */
export interface Heading {
  readonly id: string;
  readonly level: number;
  readonly title: string;
}

/** The headings of the text that is shown, for a list of contents beside it. */
export const outline = signal<readonly Heading[]>([]);

function useOutline(nodes: SafeNodes | undefined): void {
  useEffect(() => {
    outline.value = (nodes ?? []).flatMap((node) =>
      typeof node !== 'string' && node.kind === 'heading'
        ? [{ id: node.id, level: node.level, title: wordsIn(node.children) }]
        : [],
    );
    return () => {
      outline.value = [];
    };
  }, [nodes]);
}

/** The words of some nodes, without their form. */
function wordsIn(nodes: SafeNodes): string {
  return nodes
    .map((node) => {
      if (typeof node === 'string') return node;
      if ('text' in node) return node.text;
      return 'children' in node ? wordsIn(node.children) : '';
    })
    .join('');
}
