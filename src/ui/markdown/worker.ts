import { parseMarkdown } from './parse.ts';
import type { MarkdownRequest } from './tree.ts';

/** Reads Markdown away from the page: a text that takes for ever blocks nothing, and can be given up. */
addEventListener('message', ({ data }: MessageEvent<MarkdownRequest>) => {
  postMessage(parseMarkdown(data));
});
// The page counts the time of the text alone, and not that of loading this script.
postMessage('ready');
