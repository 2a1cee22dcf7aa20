import { describe, expect, it } from 'vitest';
import { chosen, filtersOf, spanOf } from './filters.ts';

const filters = filtersOf(new URLSearchParams('view=all&span=24h&skill=a%26b&unknown=1'));

describe('filters', () => {
  it('are what the address says, and nothing else', () => {
    expect(filters).toMatchObject({ view: 'all', span: '24h', skill: 'a&b', tool: '' });
    expect(filters).not.toHaveProperty('unknown');
  });

  it('are asked for only where something was chosen', () => {
    expect(chosen(filters, ['skill', 'tool', 'since'])).toEqual({ skill: 'a&b' });
  });

  it('cover a week unless a span is offered', () => {
    expect(spanOf(filters).value).toBe('24h');
    expect(spanOf({ ...filters, span: '99y' }).value).toBe('7d');
    expect(spanOf({ ...filters, span: '' }).value).toBe('7d');
  });
});
