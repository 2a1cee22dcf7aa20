import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { processorSeconds } from '../../../test/support/processor-time.ts';
import { plainAround, proseIn, type Range } from './plain.ts';

const plain = (text: string): string => plainAround(text, { from: 0, to: 0 }, []).text.replace(/\s+/g, ' ').trim();

/** The range of a word in a text. */
function rangeOf(text: string, word: string): Range {
  const from = text.indexOf(word);
  return { from, to: from + word.length };
}

/** The plain text around a word; checks that marks which are part of the word stay. */
function around(text: string, word: string): string {
  const range = rangeOf(text, word);
  const read = plainAround(text, range, [range]);
  expect(read.text.slice(read.from, read.to)).toBe(word);
  return read.text.replace(/\s+/g, ' ').trim();
}

describe('Markdown as text', () => {
  it('is the same with the line ends of Windows', () => {
    for (const text of [
      'a **b\n\nc** d',
      'a\n\n---\n\nb\n===\nc',
      '# a\n\n```js\nf(*x*)\n```\n\n| b |\n|---|\n| c |',
    ]) {
      expect(plain(text.replaceAll('\n', '\r\n'))).toBe(plain(text));
    }
  });

  it.each([
    [
      '**Bold**, *slanted*, ***both***, __bold__, _slanted_ and ~~gone~~',
      'Bold, slanted, both, bold, slanted and gone',
    ],
    ['**合并**文件，*拆分*页面。', '合并文件，拆分页面。'],
    ['snake_case_name, 2*3*4, a * b * c, *.ts and *.js', 'snake_case_name, 2*3*4, a * b * c, *.ts and *.js'],
    ['`npm ci`, ``a ` b`` and one ` alone', 'npm ci, a ` b and one ` alone'],
    ['`**not bold** <b> [x](y)`', '**not bold** <b> [x](y)'],
    ['[docs](https://a.example/x_(y) "Title"), [text][ref], ![logo](a.png)', 'docs, text, logo'],
    ['[![badge](https://a.example/b.svg)](https://a.example) and a[0][1], [WIP]', 'badge and a[0][1], [WIP]'],
    ['See <https://a.example> and <me@a.example>.[^1]', 'See https://a.example and me@a.example.'],
    ['# One\nText\n## Two ##\nMore', 'One · Text · Two ## · More'],
    ['Steps:\n1. First\n2) Second.\n   - [x] Third\n* Fourth', 'Steps: First · Second. Third · Fourth'],
    ['> quoted\n> more\n>> twice', 'quoted more twice'],
    ['a\n\n---\n\n* * *\nb\n===\nc', 'a · b · c'],
    ['| a | b |\n|---|:-:|\n| `c` | **d** \\| e |\n\nf | g', 'a · b · c · d | e · f | g'],
    ['a <!-- hidden\nlines --> b<br/>c <b>d</b> <div class="x">e</div>', 'a b c d e'],
    ['<example>Context</example> show <name> or List<String>', 'Context show <name> or List<String>'],
    ['\\*stars\\* \\# and C:\\temp\\\nR&amp;D &lt;x&gt; &#8364; &nope;', '*stars* # and C:\\temp R&D <x> € &nope;'],
    ['[ref]: https://a.example "Title"\ntext', 'text'],
    [
      'Run:\n```bash\n# a comment\necho "**x**" | grep `y`\n```\nThen',
      'Run: # a comment echo "**x**" | grep `y` · Then',
    ],
    ['- do:\n  ~~~js\n  a_b_ * c\n  ~~~\n- next', 'do: a_b_ * c · next'],
    ['```markdown\n## **Title**\n- item\n```\nend', 'Title · item · end'],
    ['```js\nf()\n```\n```\n\n**Bold**\n\n```js\n**kwargs\n```', 'f() · Bold · **kwargs'],
    ['一行\n\n二行。\n三行', '一行 二行。 三行'],
    ['## Windows\r\n\r\n- **a**\r\n- b\r\n', 'Windows · a · b'],
    ['', ''],
  ])('reads %j', (written, read) => {
    expect(plain(written)).toBe(read);
  });

  it('contains the words of the query, and keeps marks that are part of them', () => {
    expect(around('see **csv** and [docs](https://a.example/csv-encoding)', 'csv')).toBe('see csv and docs');
    expect(around('see [docs](https://a.example/encoding), `x`', 'encoding')).toBe(
      'see docs(https://a.example/encoding), x',
    );
    expect(around('call **init** or `f`', '**init**')).toBe('call **init** or f');
    expect(around('a <!-- secret word --> b **c**', 'secret')).toBe('a <!-- secret word --> b c');
    expect(around('text\n```python\nx\n```', 'python')).toBe('text · python x');
    expect(around(`${'**filler** text\n'.repeat(2000)}- the **needle** here`, 'needle')).toMatch(
      /text the needle here$|· the needle here$/,
    );
  });

  it('knows a code fence or comment that was opened far above', () => {
    const code = `${'text\n'.repeat(50)}\`\`\`python\n${'a = **b\n'.repeat(1500)}needle = f(**kwargs, *args)\n\`\`\`\n**after**`;
    expect(around(code, 'needle')).toContain('needle = f(**kwargs, *args) · after');
    const hidden = `a <!--\n${'hidden **text**\n'.repeat(1500)}needle`;
    expect(around(`${hidden} --> seen`, 'needle')).toContain('hidden **text** needle --> seen');
    expect(around(`${hidden.replace('needle', '-->')} **the** needle`, 'needle')).toMatch(/^the needle$/);
  });

  it('leaves out code where only prose is asked for', () => {
    expect(proseIn('First.\n```sh\nrm -rf\n```\n**Second**.').replace(/\s+/g, ' ')).toBe('First. Second.');
  });

  it('keeps every letter outside of marks, whatever it is given', () => {
    const piece = fc.constantFrom(
      ...[
        '*',
        '**',
        '_',
        '`',
        '```',
        '~~~',
        '[',
        ']',
        '(',
        ')',
        '](',
        '<',
        '>',
        '<!--',
        '-->',
        '|',
        '\n',
        '\n\n',
        '# ',
        '- ',
        '\\',
        '&',
        '!',
        ' ',
        '> ',
        '---',
      ],
      ...['word', 'name', '字', '😀', 'é', '1. '],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), fc.nat(), (pieces, at) => {
        const text = pieces.join('');
        const from = text.length === 0 ? 0 : at % text.length;
        const range = { from, to: Math.min(text.length, from + 3) };
        const read = plainAround(text, range, [range]);
        expect(read.text.slice(read.from, read.to)).toBe(text.slice(range.from, range.to));
        expect(read.text.replaceAll('·', '').replace(/\s+/g, '').length).toBeLessThanOrEqual(text.length);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is made in linear time, even of text written to take long', async () => {
    const units = [
      '[',
      '](',
      '<a ',
      '<!--',
      '`',
      '``',
      '*a ',
      '_a',
      '**a',
      '&#',
      '[a](',
      '> ',
      '- ',
      '|',
      '```\n',
      '~~~',
      '\\',
      '<a>',
      '[^',
      '![',
      '# ',
      '1. ',
      '[a]:',
    ];
    for (const unit of units) {
      const text = unit.repeat(2_000_000 / unit.length);
      const read = () => {
        plainAround(text, { from: 1_000_000, to: 1_000_010 }, []);
        plainAround(`${text.slice(0, 1000)}\n${text}`, { from: 0, to: 1 }, []);
      };
      expect(await processorSeconds(read), unit).toBeLessThan(2);
    }
  });
});
