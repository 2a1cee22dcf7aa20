import { describe, expect, it } from 'vitest';
import { processorSeconds } from '../../../../test/support/processor-time.ts';
import { alternativesIn } from './prompts.ts';
import { givenText, givenValues, substitute } from './substitute.ts';

describe('what a user gives a skill', () => {
  it.each([
    ['Fix $ARGUMENTS now', '12 "a b"', 'Fix 12 "a b" now'],
    ['$0, $1 and $ARGUMENTS[1]', 'one "two words"', 'one, two words and two words'],
    ['$0|$1|$2', `a\\ b 'c "d"' "e \\" f"`, 'a b|c "d"|e " f'],
    ['$2 costs $100 or $1.50', 'a', '$2 costs $100 or $1.50\n\nARGUMENTS: a'],
    ['Nothing here.\n\n', 'this', 'Nothing here.\n\nARGUMENTS: this'],
    ['Nothing here.\n', '', 'Nothing here.\n'],
    ['All of $ARGUMENTS.', '', 'All of .'],
    ['$ARGUMENTSX $0x $HOME', 'v', '$ARGUMENTSX $0x $HOME\n\nARGUMENTS: v'],
    ['\\$ARGUMENTS \\$0 \\$HOME, \\\\$0', 'v', '$ARGUMENTS $0 \\$HOME, \\\\v'],
    ['$0', '$ARGUMENTS $&', '$ARGUMENTS'],
    ['!`rm -rf $0`', 'x', '!`rm -rf x`'],
  ])('%j with %j is %j', (text, given, filled) => {
    expect(substitute(text, givenText(given))).toBe(filled);
  });

  it('is put where the skill names it', () => {
    const names = ['file', 'file-type', 'mode'];
    const given = givenValues(names, { file: 'a b.txt', 'file-type': 'csv' });
    expect(substitute('$file as $file-type, $file-x; $mode; $files', given)).toBe(
      'a b.txt as csv, a b.txt-x; ; $files',
    );
    expect(substitute('$0 $1 $2 / $ARGUMENTS', given)).toBe('a b.txt csv $2 / a b.txt csv');
    expect(substitute('no place', given)).toBe('no place\n\nARGUMENTS: a b.txt csv');
    expect(substitute('no place', givenValues(names, {}))).toBe('no place');
    expect(substitute('$constructor $0', givenValues(['constructor'], {}))).toBe(' $0');
    expect(substitute('$0,$1,$2', givenValues(names, { mode: 'm' }))).toBe(',,m');
  });

  it('is read in time that grows with its length', async () => {
    const long = 200_000;
    const read = () => {
      substitute('\\'.repeat(long), givenText('x'));
      substitute('$'.repeat(long) + '\n'.repeat(long), givenText('"'.repeat(long + 1)));
      substitute('x', givenText(`"${'\\"'.repeat(long)}`));
    };
    expect(await processorSeconds(read)).toBeLessThan(10);
  });
});

describe('a hint', () => {
  it.each([
    ['[add|remove|list] <file>', [['add', 'remove', 'list'], []]],
    ['<a|b>... (x | "y") plain', [['a', 'b'], ['x', 'y'], []]],
    ['on|off', [['on', 'off']]],
    ['', []],
    ['[message with spaces|other]', [['other']]],
  ])('%j offers %j', (hint, offered) => {
    expect(alternativesIn(hint)).toEqual(offered);
  });
});
