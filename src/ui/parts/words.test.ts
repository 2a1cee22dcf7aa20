import { afterEach, describe, expect, it } from 'vitest';
import { fromHome, message, setHome } from './words.ts';

afterEach(() => setHome(null));

describe('the home folder', () => {
  it('is written as people write it, in paths and in sentences', () => {
    setHome('/home/ann+1');
    expect(fromHome('/home/ann+1/.claude/skills')).toBe('~/.claude/skills');
    expect(fromHome('read files below /home/ann+1/work; and /home/ann+1')).toBe('read files below ~/work; and ~');
    expect(fromHome('/home/ann+1/a and /home/ann+1/b')).toBe('~/a and ~/b');
  });

  it('is written out where it is part of another path, or not known', () => {
    expect(fromHome('/home/ann/x')).toBe('/home/ann/x');
    setHome('/home/ann');
    for (const path of ['/home/anna/x', '/home/ann-old/x', '/srv/home/ann/x', '/home/ann.bak']) {
      expect(fromHome(path)).toBe(path);
    }
    setHome('/');
    expect(fromHome('/etc')).toBe('/etc');
  });

  it('may be one of Windows', () => {
    setHome('C:\\Users\\Ann');
    expect(fromHome('C:\\Users\\Ann\\.claude')).toBe('~\\.claude');
  });
});

describe('a message of the server', () => {
  it('begins like a sentence, unless it begins with a name', () => {
    expect(message('front matter is never closed')).toBe('Front matter is never closed');
    expect(message('Run repertoire validate --fix on it: agents skip it.')).toBe(
      'Apply the fix that its page offers: agents skip it.',
    );
    expect(message('Review it: repertoire scan x. To let this version out: repertoire allow x --digest y')).toBe(
      'Read what was found on its page, and decide about it under Get.',
    );
    expect(message('skill.toml cannot be read')).toBe('skill.toml cannot be read');
    expect(message('"log-triage" is also the name of another')).toBe('"log-triage" is also the name of another');
  });
});
