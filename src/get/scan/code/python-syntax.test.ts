import type { SyntaxNode } from '@lezer/common';
import { parser } from '@lezer/python';
import { array, assert, constantFrom, nat, property, tuple } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type PythonNode, quickPython } from './python-syntax.ts';

/** Every construction that is read quickly. */
const program = `#!/usr/bin/env python3
"""Weighs parcels."""
from __future__ import annotations
import os, sys as system
import urllib.request
from .scales import (Scale, Weight as W,)
from ..post import *

LIMIT: int = 0x1F + 1_000
first, *others = (1, 2.5e-3, .5j)
a = b = lambda x, *rest, y=2, **more: x ** -y ** 2
names = ['one' "two" f'{a!r:>10} and {b + 1}', b"\\x00", rb'\\d', '''long
text''']

@app.route("/parcel/<id>", methods=["GET"])
@staticmethod
def weigh(parcel, /, scale: Scale = None, *, unit="kg", **rest) -> dict[str, float]:
    global LIMIT; LIMIT += 1
    if not parcel or parcel.weight is not None and unit not in ("kg", 'g'): return {}
    elif (n := len(parcel)) > 3 <= LIMIT:
        raise ValueError("too many: %d" % n) from None
    else:
        pass
    for at, (key, value) in enumerate(parcel.items()):
        if at % 2 == 0: continue
        parcel[key][1:n, ::2] = value if value else [x for row in value for x in row if x if x > 1]
    else:
        del parcel[-1], scale
    while True:
        try:
            with open(os.path.join("a", 'b')) as file, lock:
                yield file.read()
        except (OSError, KeyError) as error:
            assert not error, 'no'
        except* ValueError:
            break
        else:
            x = yield from other()
        finally:
            print(~x | 1 ^ 2 & 3 << 4, sep='', *others, **rest)
    return {**rest, "a": 1}, {1, 2}, {k: v for k, v in rest}, {x for x in y}, (x for x in y), sum(x for x in y)

class Box(Parcel, metaclass=Meta):
\tasync def open(self):
\t\tasync with self.lock: await self.turn(-1)
\t\tasync for x in self: self.x, self.y = x # done

\t\tresult = a \\
\t\t\t+ b
`;

const kindsWithoutPlaces = new Set([
  ...['Script', 'Body', 'StatementGroup', 'IfStatement', 'WhileStatement', 'ForStatement', 'TryStatement'],
  ...['WithStatement', 'FunctionDefinition', 'ClassDefinition', 'DecoratedStatement', 'Decorator', 'ParamList'],
]);

function shown(name: string, from: number, to: number, depth: number): string {
  return ' '.repeat(depth) + (kindsWithoutPlaces.has(name) ? name : `${name} ${from} ${to}`);
}

function quickly({ name, from, to, children }: PythonNode, depth = 0): string[] {
  return [shown(name, from, to, depth), ...children.flatMap((child) => quickly(child, depth + 1))];
}

function thoroughly({ name, from, to, firstChild }: SyntaxNode, depth = 0): string[] {
  if (name === 'Comment' || name === 'Escape') return [];
  const lines = [shown(name, from, to, depth)];
  if (name === 'String' || name === 'ArithOp') return lines;
  for (let child = firstChild; child !== null; child = child.nextSibling) lines.push(...thoroughly(child, depth + 1));
  return lines;
}

const words =
  `( ) [ ] { } : , = " ' \\ * ** - + ~ . ... ; @ # """ ''' -> := ! != <> 1 0x é x not in is if else and or lambda
  await async yield for print match type None import from as except del with return f"{x}" f'{a!s:3}' rf"`
    .split(/\s+/)
    .concat('\n', '\t', ' ', '\\\n', '    ');

describe('Python that is read quickly', () => {
  it('has the tree that the large parser makes of it', () => {
    const script = quickPython(program);
    expect(script === null ? null : quickly(script)).toEqual(thoroughly(parser.parse(program).topNode));
  });

  it('has no other tree whatever is put into it, or is left to that parser', () => {
    const change = tuple(nat(program.length), nat(4), constantFrom(...words));
    assert(
      property(array(change, { minLength: 1, maxLength: 3 }), (changes) => {
        const text = changes.reduce((now, [at, cut, word]) => now.slice(0, at) + word + now.slice(at + cut), program);
        const script = quickPython(text);
        if (script !== null) expect(quickly(script)).toEqual(thoroughly(parser.parse(text).topNode));
      }),
      { numRuns: 400 },
    );
  });

  it('is left to that parser where it nests without end, is of an older Python, or has a mistake', () => {
    for (const text of [`x = ${'('.repeat(5000)}1${')'.repeat(5000)}`, 'print "x"\n', 'if x:\npass\n', 'x = (1\n'])
      expect(quickPython(text)).toBeNull();
  });
});
