import { codePointOf } from '../core/text/hidden.ts';

/**
 * Characters that readers take for another one, by the character they are taken for: Cyrillic, Greek, Armenian, small
 * capitals, digits and signs. Fullwidth and mathematical letters are not here, for NFKC makes plain letters of them.
 */
const takenFor: Readonly<Record<string, string>> = {
  a: '\u0430\u0410\u0251\u03b1\u0391\u237a\u1d00',
  b: '\u044c\u042c\u0432\u0412\u0184\u03b2\u0392\u0299',
  c: '\u0441\u0421\u03f2\u03f9\u1d04',
  d: '\u0501\u0500\u0434\u0414\u0257\u1d05',
  e: '\u0435\u0415\u04bd\u212e\u03b5\u0395\u1d07',
  f: '\u0192\uab35\u03dd\u03dc',
  g: '\u0261\u0581\u1d83\u0262',
  h: '\u04bb\u0570\u041d\u043d\u0397\u029c',
  i: '\u0456\u0406\u03b9\u0131\u026a\u0269',
  j: '\u0458\u0408\u03f3\u037f\u1d0a',
  k: '\u043a\u041a\u03ba\u039a\u0138\u1d0b',
  l: '1|\u04cf\u04c0\u01c0\u2223\u0399\u05c0\u0661\u06f1\u029f',
  m: '\u043c\u041c\u039c\u1d0d',
  n: '\u0578\u03b7\u039d\u0274',
  o: '0\u043e\u041e\u03bf\u039f\u03c3\u0585\u0555\u1d0f\u0966\u0665\u06f5',
  p: '\u0440\u0420\u03c1\u03a1\u03f1\u2374\u1d18',
  q: '\u051b\u051a\u0563',
  r: '\u0433\u1d26\u0280',
  s: '\u0455\u0405\ua731\u01bd',
  t: '\u0442\u0422\u03c4\u03a4\u1d1b',
  u: '\u03c5\u057d\u1d1c',
  v: '\u03bd\u0475\u0474\u1d20',
  w: '\u0461\u051d\u051c\u0561\u026f\u1d21',
  x: '\u0445\u0425\u03c7\u03a7\u00d7\u166e',
  y: '\u0443\u0423\u03b3\u03a5\u028f',
  z: '\u0396\u1d22',
  '3': '\u0437\u0417\u04e1\u04e0',
  '6': '\u0431',
  '-': '\u2010\u2012\u2013\u2014\u2212\u2043\u02d7',
  ':': '\u02d0\u02f8\u2236\u0589\u05c3\ua789',
};

const readings: ReadonlyMap<string, string> = new Map(
  Object.entries(takenFor).flatMap(([letter, others]) => Array.from(others, (other) => [other, letter])),
);

/** Characters that show nothing, the sign that stands for one, and the form in which names show them. */
const unseen = /\p{Default_Ignorable_Code_Point}|\ufffd|\[U\+[0-9A-F]{4,6}\]/gu;

/** The skeleton of a name: two names that a reader cannot tell apart have the same one. */
export function looksOf(name: string): string {
  const seen = name.normalize('NFKC').replace(unseen, '');
  const read = readAs(readAs(seen).toLowerCase());
  return read.replaceAll('rn', 'm').replaceAll('vv', 'w');
}

function readAs(text: string): string {
  return Array.from(text, (character) => readings.get(character) ?? character).join('');
}

/** A name with each character by its number that looks like another one, or like nothing: `pdf[U+0430]`. */
export function spelledOut(name: string): string {
  return Array.from(name, (character) => (isMisleading(character) ? `[${codePointOf(character)}]` : character)).join(
    '',
  );
}

function isMisleading(character: string): boolean {
  if (character < '\u0080') return false;
  return readings.has(character) || character.normalize('NFKC') !== character || character.replace(unseen, '') === '';
}
