import { expect, it } from 'vitest';
import { askInWords, asksInWords } from './asks.ts';

it('tells a capability in words, whatever it is', () => {
  expect(askInWords('images:docker.io/library/busybox:1.36')).toBe(
    'use the container image docker.io/library/busybox:1.36',
  );
  expect(askInWords('network:*.example.org')).toBe('talk to every host below example.org');
  expect(askInWords('network:api.example.org')).toBe('talk to api.example.org');
  expect(askInWords('filesystem:write:~/reports')).toBe('read and change files below ~/reports');
  expect(askInWords('teleport:mars')).toBe('teleport:mars');
});

it('tells several in one line', () => {
  expect(asksInWords('network:example.org, env:REGION')).toBe(
    'talk to example.org; see the environment variable REGION',
  );
});
