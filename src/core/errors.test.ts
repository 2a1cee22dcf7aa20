import { describe, expect, it } from 'vitest';
import { reasonOf, SkillError } from './errors.ts';

describe('the reason of a failure', () => {
  it.each([
    ['the code of a system call', Object.assign(new Error('open /x'), { code: 'ENOENT' }), 'ENOENT'],
    [
      'the message, where a library numbers its errors',
      Object.assign(new Error('no room'), { code: 10023 }),
      'no room',
    ],
    ['the message of an error of ours', new SkillError('usage', 'wrong'), 'wrong'],
    ['the text of anything else', 7, '7'],
  ])('is %s', (_, error, reason) => {
    expect(reasonOf(error)).toBe(reason);
  });
});
