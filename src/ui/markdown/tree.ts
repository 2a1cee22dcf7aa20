/**
 * A text as it may be shown: plain data, in which every link has been decided on. A renderer makes elements of it, and
 * has nothing left to judge.
 */
export type SafeNode =
  | string
  | { readonly kind: 'paragraph' | 'quote' | 'strong' | 'emphasis' | 'deleted'; readonly children: SafeNodes }
  /** A heading. Levels follow one another without a gap, from 2 on. */
  | { readonly kind: 'heading'; readonly level: number; readonly id: string; readonly children: SafeNodes }
  | { readonly kind: 'code'; readonly text: string; readonly language: string | null }
  | { readonly kind: 'inlineCode'; readonly text: string }
  /** HTML, shown as it is written. */
  | { readonly kind: 'html'; readonly text: string }
  | { readonly kind: 'break' | 'rule' }
  | { readonly kind: 'list'; readonly start: number | null; readonly children: SafeNodes }
  | { readonly kind: 'item'; readonly isDone: boolean | null; readonly children: SafeNodes }
  | { readonly kind: 'table'; readonly rows: readonly (readonly Cell[])[] }
  | { readonly kind: 'link'; readonly to: Target; readonly children: SafeNodes }
  | { readonly kind: 'image'; readonly to: Target; readonly alt: string }
  /** A mark that leads to a footnote, and the footnotes at the end. */
  | { readonly kind: 'noteMark'; readonly number: number }
  | { readonly kind: 'notes'; readonly notes: readonly { readonly number: number; readonly children: SafeNodes }[] };

export type SafeNodes = readonly SafeNode[];

export interface Cell {
  readonly align: 'left' | 'right' | 'center' | null;
  readonly children: SafeNodes;
}

/** The target of a link. */
export type Target =
  /** A file of the skill, by its path from the skill's folder; `anchor` is a place in it. */
  | { readonly kind: 'file'; readonly path: string; readonly anchor: string }
  /** A place in the same text. */
  | { readonly kind: 'anchor'; readonly anchor: string }
  /** A page on the web, or a mail. */
  | { readonly kind: 'outside'; readonly href: string }
  /** No target that one may be led to. */
  | { readonly kind: 'nowhere'; readonly address: string };

export interface SafeText {
  readonly nodes: SafeNodes;
  /** The rest that was too much to be drawn, as it is written; empty for nothing. */
  readonly rest: string;
}

/** A request to the worker. */
export interface MarkdownRequest {
  readonly text: string;
  /** The file of the text, by its path from the skill's folder: relative links start there. */
  readonly path: string;
}
/** A message of the worker: that it is ready, then the text; null where it cannot be read as Markdown. */
export type WorkerMessage = 'ready' | MarkdownAnswer;
export type MarkdownAnswer = SafeText | null;
