import { expect, it } from 'vitest';
import { kindOfWasm } from './header.ts';

const bytes = (text: string) => Buffer.from(text, 'latin1');

it.each([
  ['a module', '\0asm\x01\0\0\0rest', 'module'],
  ['a component', '\0asm\x0d\0\x01\0rest', 'component'],
  ['a module of no known version', '\0asm\x02\0\0\0', null],
  ['something of another layer', '\0asm\x01\0\x02\0', null],
  ['a script', '#!/bin/sh', null],
  ['half a header', '\0asm\x01\0', null],
  ['nothing', '', null],
])('%s is told by its first bytes', (_, text, kind) => {
  expect(kindOfWasm(bytes(text))).toBe(kind);
});
