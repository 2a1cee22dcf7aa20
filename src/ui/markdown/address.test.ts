import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { targetOf } from './parse.ts';

// These modules read it when they are loaded; in a browser it exists.
vi.stubGlobal('location', { hash: '#/skill/pdf' });
vi.stubGlobal('addEventListener', () => {});
const { fileHref, hrefTo } = await import('./address.ts');
const { parseRoute } = await import('../route.ts');

const place = { skill: 'tools:pdf', of: '', path: 'SKILL.md' };

test('files of a skill have pages of their own, and the main one is the page of the skill', () => {
  expect(fileHref(place, 'docs/a b.md', 'part')).toBe('#/skill/tools%3Apdf/file/docs/a%20b.md?at=part');
  expect(fileHref({ skill: 'pdf', of: '' }, 'SKILL.md')).toBe('#/skill/pdf');
  expect(fileHref({ skill: 'pdf', of: '/x/SKILL.md' }, 'a.md')).toBe('#/skill/pdf/file/a.md?of=%2Fx%2FSKILL.md');
});

test('a place in a text is on the page that shows it', () => {
  expect(hrefTo({ kind: 'anchor', anchor: 'the table' }, place)).toBe('#/skill/pdf?at=the+table');
});

test('every link leads to a page of the console, to the web, or nowhere', () => {
  const piece = fc.constantFrom(
    'https://',
    'mailto:',
    'javascript:',
    '//',
    '/',
    '../',
    '%2f',
    '#',
    '?',
    '%',
    'a',
    'é',
    '😀',
  );
  const address = fc.oneof(
    fc.array(piece, { maxLength: 8 }).map((parts) => parts.join('')),
    fc.string(),
  );
  fc.assert(
    fc.property(address, (written) => {
      const to = targetOf(written, 'docs/x.md');
      const href = hrefTo(to, place);
      if (href === null) return;
      expect(href).toMatch(/^(?:#\/skill\/|https?:\/\/|mailto:)/);
      if (to.kind === 'file' && to.path !== 'SKILL.md') {
        expect(parseRoute(href).rest).toEqual(['tools:pdf', 'file', ...to.path.split('/')]);
      }
    }),
    { numRuns: 100 },
  );
});

test('a link finds its file whatever the letter case, and keeps to the skill that is shown', () => {
  const other = { ...place, of: '/y/SKILL.md', files: ['Reference.md'] };
  expect(hrefTo(targetOf('REFERENCE.md#a', 'SKILL.md'), other)).toBe(
    '#/skill/tools%3Apdf/file/Reference.md?of=%2Fy%2FSKILL.md&at=a',
  );
  expect(hrefTo({ kind: 'anchor', anchor: 'b' }, other)).toBe('#/skill/pdf?of=%2Fy%2FSKILL.md&at=b');
});
