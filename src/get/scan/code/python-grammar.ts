import type { SyntaxNode } from '@lezer/common';
import { parser } from '@lezer/python';
import type { PythonNode } from './python-syntax.ts';

/** Reads any program in Python, mistakes and all. */
export function parsePython(text: string): PythonNode {
  return new Parsed(parser.parse(text).topNode);
}

/** A node whose children are looked for when they are asked for: a tree may be deeper than anybody goes. */
class Parsed implements PythonNode {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  private readonly node: SyntaxNode;
  private found: readonly PythonNode[] | undefined;

  constructor(node: SyntaxNode) {
    const { name, from, to } = node;
    this.name = name;
    this.from = from;
    this.to = to;
    this.node = node;
  }

  get children(): readonly PythonNode[] {
    if (this.found !== undefined) return this.found;
    const children: PythonNode[] = [];
    for (let child = this.node.firstChild; child !== null; child = child.nextSibling)
      if (child.name !== 'Comment') children.push(new Parsed(child));
    this.found = children;
    return children;
  }
}
