import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { safeTree } from './safe.ts';
import type { MarkdownAnswer, MarkdownRequest, SafeNodes } from './tree.ts';

const frontMatter = /^\ufeff?---[ \t]*\r?\n(.*?)\r?\n---[ \t]*(?:\r?\n|$)/s;

export function parseMarkdown({ text, path }: MarkdownRequest): MarkdownAnswer {
  try {
    const [head = '', settings = ''] = frontMatter.exec(text) ?? [];
    const body = text.slice(head.length);
    const tree = fromMarkdown(body, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
    const { nodes, rest } = safeTree(tree, body, path);
    const before: SafeNodes = head === '' ? [] : [{ kind: 'code', text: settings, language: 'yaml' }];
    return { nodes: [...before, ...nodes], rest };
  } catch {
    // Nested so deeply that the stack does not hold it. As plain text it can still be read.
    return null;
  }
}
