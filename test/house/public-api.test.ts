import { expect, it } from 'vitest';
import * as api from '../../src/index.ts';

it('the library exports what it promises and nothing else', () => {
  expect(Object.keys(api).sort()).toEqual(['SkillError', 'createRepertoire']);
  const repertoire = api.createRepertoire({ autoRefresh: false });
  expect(Object.keys(repertoire).sort()).toEqual([
    'close',
    'execute',
    'list',
    'load',
    'refresh',
    'resolve',
    'search',
    'searchExact',
    'subscribe',
    'tools',
  ]);
});
