import type { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { createAttempts } from './attempts.ts';

const from = (address: string): Socket => ({ remoteAddress: address }) as Socket;
const [right, wrong] = [(): boolean => true, (): boolean => false];

it('after twenty different wrong tokens from one address, no other is looked at for the rest of a minute', () => {
  let now = 0;
  const attempts = createAttempts(() => now);
  const [guesser, other] = [from('192.0.2.1'), from('192.0.2.2')];
  for (let at = 0; at < 20; at++) expect(attempts.attempt(guesser, `guess ${at}`, wrong)).toBe('wrong');
  now = 10_000;
  expect(attempts.attempt(guesser, 'another guess', right)).toBe(50);
  expect(attempts.attempt(from('192.0.2.1'), 'another guess', right)).toBe(50);
  expect(attempts.attempt(other, 'another guess', right)).toBe('right');
  now = 60_000;
  expect(attempts.attempt(guesser, 'another guess', right)).toBe('right');
});

it('one wrong token, however often it comes, keeps nobody out', () => {
  const attempts = createAttempts();
  for (let at = 0; at < 1000; at++) expect(attempts.attempt(from('192.0.2.1'), 'an old one', wrong)).toBe('wrong');
  expect(attempts.attempt(from('192.0.2.1'), 'the new one', right)).toBe('right');
});

it('a connection that has shown the right token goes on', () => {
  const attempts = createAttempts();
  const honest = from('192.0.2.1');
  expect(attempts.attempt(honest, 'mine', right)).toBe('right');
  for (let at = 0; at < 30; at++) attempts.attempt(from('192.0.2.1'), `guess ${at}`, wrong);
  expect(attempts.attempt(from('192.0.2.1'), 'mine', right)).toBeGreaterThan(0);
  expect(attempts.attempt(honest, 'mine', right)).toBe('right');
});

it('a right token that is too long to be guessed is let in, whoever else guesses from its address', () => {
  const attempts = createAttempts();
  for (let at = 0; at < 30; at++) attempts.attempt(from('192.0.2.1'), `guess ${at}`, wrong);
  expect(attempts.attempt(from('192.0.2.1'), 'a-token-of-a-fair-length', right)).toBe('right');
  expect(attempts.attempt(from('192.0.2.1'), 'a-guess-of-a-fair-length', wrong)).toBeGreaterThan(0);
});
