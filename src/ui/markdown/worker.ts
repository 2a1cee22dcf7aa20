import { parseMarkdown } from './parse.ts';
import type { MarkdownRequest } from './tree.ts';

/** Reads Markdown away from the page: a text that takes for ever holds up nobody, and can be given up. */
addEventListener('message', ({ data }: MessageEvent<MarkdownRequest>) => {
  postMessage(parseMarkdown(data));
});
// Whoever waits counts the time of the text alone, and not that of this script.
postMessage('ready');
