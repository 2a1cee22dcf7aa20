import { describe, expect, it } from 'vitest';
import { endpointOf } from './endpoint.ts';

const at = (url: string, key?: string) => endpointOf({ kind: 'http', url, model: 'tiny', key });

describe('the address of an embeddings service', () => {
  it.each([
    ['http://localhost:11434', 'http://localhost:11434/v1/embeddings'],
    ['http://localhost:11434/', 'http://localhost:11434/v1/embeddings'],
    ['http://localhost:11434/v1', 'http://localhost:11434/v1/embeddings'],
    ['https://example.org/api/v3//', 'https://example.org/api/v3/embeddings'],
    ['https://example.org/v1/embeddings', 'https://example.org/v1/embeddings'],
    ['https://example.org/embeddings/', 'https://example.org/embeddings/'],
    ['https://example.org/v1#top', 'https://example.org/v1/embeddings'],
    ['https://example.org/d/x/embeddings?version=2', 'https://example.org/d/x/embeddings?version=2'],
  ])('%s means %s', (given, url) => {
    expect(at(given).url).toBe(url);
    expect(at(url).url).toBe(url);
  });

  it('is shown without what may be a secret', () => {
    expect(at('https://example.org/v1?token=hush').shown).toBe('https://example.org/v1/embeddings');
  });

  it.each(['', 'localhost:11434', '/v1', 'file:///etc/passwd', 'ftp://example.org', 'javascript:alert(1)'])(
    'cannot be %j',
    (url) => {
      expect(() => at(url)).toThrow(expect.objectContaining({ code: 'usage', hint: expect.stringMatching(/http:/) }));
    },
  );

  it.each(['https://me:hush@example.org/v1', 'https://hush@example.org/v1', 'http://:hush@localhost/v1'])(
    'holds no password: %s',
    (url) => {
      const expected = {
        code: 'usage',
        message: expect.not.stringContaining('hush'),
        hint: expect.stringContaining('KEY'),
      };
      expect(() => at(url)).toThrow(expect.objectContaining(expected));
    },
  );
});

describe('a key', () => {
  it.each([
    'https://example.org/v1',
    'http://localhost:1/v1',
    'http://127.0.0.1/v1',
    'http://127.1/v1',
    'http://127.8.9.10/v1',
    'http://[::1]:8080/v1',
    'http://[0:0:0:0:0:0:0:1]/v1',
  ])('may go to %s', (url) => {
    expect(at(url, 'hush').key).toBe('hush');
  });

  it.each([
    'http://example.org/v1',
    'http://10.0.0.2/v1',
    'http://localhost.example.org/v1',
    'http://127.example.org/v1',
    'http://[::2]/v1',
    'http://0.0.0.0/v1',
  ])('may not go to %s, where texts alone may', (url) => {
    expect(() => at(url, 'hush')).toThrow(
      expect.objectContaining({ code: 'usage', hint: expect.stringMatching(/https/) }),
    );
    expect(at(url).key).toBeUndefined();
  });

  it.each(['', 'hush\n', 'hu sh', 'hüsh', 'hush\r\nx: y'])('cannot be %j', (key) => {
    const expected = {
      code: 'usage',
      message: expect.not.stringContaining('sh\n'),
      hint: expect.stringContaining('KEY'),
    };
    expect(() => at('https://example.org/v1', key)).toThrow(expect.objectContaining(expected));
  });
});
