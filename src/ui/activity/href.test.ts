import { describe, expect, it, vi } from 'vitest';
import { filtersOf } from './filters.ts';

// The address of a page, which does not exist in a test.
vi.stubGlobal('location', { hash: '' });
vi.stubGlobal('addEventListener', () => {});
const { hrefWith, hrefWithout } = await import('./href.ts');

const filters = filtersOf(new URLSearchParams('view=all&span=24h&skill=a%26b'));

describe('filters', () => {
  it('go back into an address', () => {
    expect(hrefWith(filters, { tool: 'x' })).toBe('#/activity?view=all&span=24h&skill=a%26b&tool=x');
  });

  it('can be taken away, but for the view and the span', () => {
    expect(hrefWithout(filters)).toBe('#/activity?view=all&span=24h');
    expect(hrefWithout(filters, { view: 'runs', result: 'denied' })).toBe(
      '#/activity?view=runs&span=24h&result=denied',
    );
  });
});
