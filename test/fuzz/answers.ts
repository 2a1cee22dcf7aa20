import assert from 'node:assert/strict';
import { createHmac, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { NatsConnection } from '@nats-io/transport-node';
import { keyOf as catalogueKey, toldBy } from '../../src/cluster/catalogue.ts';
import type { Cluster } from '../../src/cluster/connection.ts';
import { namesOf } from '../../src/cluster/names.ts';
import {
  controlSchema,
  keyOf,
  messageIn,
  offerSchema,
  subjectsIn,
  workerSchema,
} from '../../src/cluster/workers/messages.ts';
import { openSession } from '../../src/cluster/workers/session.ts';
import type { Environment } from '../../src/core/environment.ts';
import { SkillError } from '../../src/core/errors.ts';
import { fold } from '../../src/core/text/text.ts';
import { createOAuth } from '../../src/faces/http/oauth.ts';
import type { Connected } from '../../src/get/connect/client.ts';
import { changeLock, readLock, sourceOf } from '../../src/get/install/lock-file.ts';
import { folderNameOf, type Scope } from '../../src/get/install/places.ts';
import { fetchLimits } from '../../src/get/remote/entries.ts';
import { type FetchProblem, offersOf } from '../../src/get/remote/fetch.ts';
import { json } from './shapes/json.ts';
import { inFolder, type Target } from './target.ts';

const subjects =
  /\b(?:JSON|version|source|digest|front matter|address|name|entry|files|folder|larger|place|pages?|list|missing|must be)\b/g;

/** What is wrong, without what differs from input to input. */
function shapesOf(messages: readonly string[]): string {
  const shapes = messages.map((message) => [...new Set(message.slice(0, 200).match(subjects))].sort().join(' '));
  return [...new Set(shapes)].sort().slice(0, 2).join('|');
}

/** A lock file of a checkout, which others have written. */
export const lock: Target = {
  inputs: 15_000,
  isSteady: true,
  shape: json,
  words: [
    ...['"skills"', '"version":1', '"__proto__"', '"constructor"', '"../../x"', '"/etc"', '""', '"."', '"repertoire"'],
    ...[
      '"sourceType":"local"',
      '"source":"--upload-pack=x"',
      '"skillPath":"../SKILL.md"',
      '"kind":"folder"',
      '\\u0000',
    ],
  ],
  open: inFolder(async (input, environment) => readLocked(input, environment)),
};

function readLocked(input: Buffer, { cwd }: Environment): string {
  const lockFile = join(cwd, 'skills-lock.json');
  const scope: Scope = { kind: 'project', base: cwd, skills: join(cwd, '.agents/skills'), lockFile };
  writeFileSync(lockFile, input);
  try {
    const { entries, problems } = readLock(scope);
    for (const [name, entry] of entries) {
      assert.match(folderNameOf(name), /^[a-z0-9_][a-z0-9._-]*$/, 'a name leads out of the folder of skills');
      assert.equal(typeof sourceOf(scope, entry).text, 'string');
    }
    // What others keep in the file survives what we add and take away.
    changeLock(scope, { 'of-ours': { source: 'x' } });
    changeLock(scope, { 'of-ours': null });
    const again = readLock(scope);
    const names = (all: ReadonlyMap<string, unknown>): string[] => [...all.keys()].filter((name) => name !== 'of-ours');
    assert.deepEqual(names(again.entries).sort(), names(entries).sort());
    assert.deepEqual(names(again.problems).sort(), names(problems).sort());
    return `${Math.min(entries.size, 3)} ${shapesOf([...problems.values()])}`;
  } catch (error) {
    if (!(error instanceof SkillError)) throw error;
    assert.equal(readFileSync(lockFile).equals(input), true, 'a file that cannot be read was changed');
    return shapesOf([error.message.replace(/^.*?skills-lock/, '')]);
  } finally {
    rmSync(lockFile);
  }
}

const names = namesOf('repertoire');

/** Messages and values of a cluster, in which anybody may have written anything. */
export const cluster: Target = {
  inputs: 1_000_000,
  isSteady: true,
  shape: json,
  words: [
    ...[
      '"id":"a.b"',
      '"inbox":"_INBOX.>"',
      '"inbox":"repertoire.run"',
      '"attempt":-1',
      '"digest":"sha256:x"',
      '"key":"stable.a"',
    ],
    ...[
      '"__proto__"',
      '"constructor"',
      '"taken"',
      '"stdout"',
      '"end"',
      '"declined"',
      '"nobody"',
      '"usage"',
      '"kept"',
      '"beat"',
    ],
    ...['"frames":[["stdout",0,"x"]]', '9007199254740993', '1e400', '"control":"*"', '"versions":[]', '"format":1'],
  ],
  open: async () => ({ check: async (input) => readMessages(input), close: () => {} }),
};

function readMessages(input: Buffer): string {
  const offer = messageIn(offerSchema, input);
  if (offer !== null) {
    assert.match(keyOf(offer), /^[\w-]+_\d+$/, 'an offer has a key that is no part of a subject');
    assert.match(subjectsIn(names).control(keyOf(offer), offer.id), /^repertoire\.control\.[\w-]+\.[\w-]+$/);
    assert.match(offer.inbox, /^_INBOX\.[^*>\s]+$/, 'an offer is answered anywhere');
  }
  const others = [controlSchema, workerSchema].map((schema) => messageIn<unknown>(schema, input) !== null);
  const { key, frames } = described(input);
  const told = toldBy({ key, operation: 'PUT', value: input });
  if (told.kind === 'skill') assert.equal(catalogueKey(key.split('.')[0] ?? '', told.entry.name), key);
  return [offer !== null, ...others, told.kind, outcomeOfFrames(frames)].join(' ');
}

function described(input: Buffer): { readonly key: string; readonly frames: readonly unknown[] } {
  try {
    const { key, frames } = JSON.parse(input.toString('utf8')) as { readonly key?: unknown; readonly frames?: unknown };
    return {
      key: typeof key === 'string' ? key : 'stable.a',
      frames: Array.isArray(frames) ? frames.slice(0, 50) : [],
    };
  } catch {
    return { key: 'stable.a', frames: [] };
  }
}

const outputBytes = 64;

/** What a server makes of the frames of a worker that does not keep to the rules: no more output than it has allowed. */
function outcomeOfFrames(frames: readonly unknown[]): string {
  const said: string[] = [];
  const passed = { stdout: 0, stderr: 0 };
  const connection = {
    isClosed: () => false,
    publish: (subject: string) => said.push(subject),
  } as unknown as NatsConnection;
  const fake = { names, status: { state: 'connected' } } as unknown as Cluster;
  const offer = { id: 'one', attempt: 0, limits: { outputBytes } } as unknown as Parameters<typeof openSession>[2];
  const session = openSession(fake, connection, offer, {
    signal: new AbortController().signal,
    onOutput: (stream, bytes) => {
      passed[stream] += bytes.length;
    },
  });
  let outcome = '';
  void session.answer.then(({ kind }) => {
    outcome = kind;
  });
  for (const frame of frames) {
    const [kind, number, data] = Array.isArray(frame) ? (frame as unknown[]) : [];
    const bytes = Buffer.from(typeof data === 'string' ? data : JSON.stringify(data ?? null));
    if (typeof kind === 'string' && typeof number === 'number') session.onFrame(kind, number, bytes);
  }
  session.onFrame('nobody', 0, Buffer.alloc(0));
  assert.ok(passed.stdout <= outputBytes && passed.stderr <= outputBytes, 'a worker sent more than it may');
  for (const subject of said) assert.match(subject, /^repertoire\.control\.[\w-]+\.one_0$/, 'a worker chose a subject');
  return `${outcome} ${Math.min(said.length, 5)} ${Math.sign(passed.stdout)}${Math.sign(passed.stderr)}`;
}

const extension = 'io.modelcontextprotocol/skills';

/** The list of a server whose skills are taken, page by page. */
export const remote: Target = {
  inputs: 400_000,
  isSteady: true,
  shape: json,
  words: [
    ...[
      '"uri":"skill://a/SKILL.md"',
      '"skill://a/../b"',
      '"skill://a/%2e%2e/x"',
      '"skill://a/%2Fetc"',
      '"skill://a/.git/config"',
    ],
    ...[
      '"nextCursor":"1"',
      '"resources":"dynamic"',
      '"size":-1',
      '"size":1e300',
      '"digest":"sha256:"',
      '"skill://a/CON"',
      '"__proto__"',
    ],
    ...[
      '"name":"a"',
      '"frontmatter"',
      '"repertoire/via"',
      '"skill://a/skill.md"',
      '"skill://a/x\\u0000"',
      '"plain":true',
    ],
  ],
  open: async () => ({ check: readListing, close: () => {} }),
};

async function readListing(input: Buffer): Promise<string> {
  let given: { readonly pages?: unknown; readonly plain?: unknown };
  try {
    given = Object(JSON.parse(input.toString('utf8'))) as typeof given;
  } catch {
    return 'not JSON';
  }
  const pages = Array.isArray(given.pages) ? (given.pages as unknown[]) : [given];
  let asked = 0;
  const capabilities = given.plain === true ? { resources: {} } : { extensions: { [extension]: {} } };
  const connected = {
    client: { getServerCapabilities: () => capabilities },
    request: async () => pages[Math.min(asked++, pages.length - 1)],
  } as unknown as Connected;
  const limits = { ...fetchLimits, pages: 20, skills: 50, files: 20 };
  const problems: FetchProblem[] = [];
  try {
    const { offers } = await offersOf({ connected, limits, signal: new AbortController().signal, problems });
    for (const { name, files, parts } of offers) {
      assert.match(name, /^[a-z0-9]+(?:-[a-z0-9]+)*$/);
      assert.ok(parts.every((part) => part !== '' && part !== '..' && !/[/\\\0]/.test(part)));
      const folded = (files ?? []).map(({ path }) => fold(path));
      assert.equal(new Set(folded).size, folded.length, 'two files would be one');
      assert.ok(folded.length <= limits.files);
      for (const { path, size } of files ?? []) {
        assert.equal(join('/skill', path), `/skill/${path}`, `${path} leads elsewhere`);
        assert.doesNotMatch(path, /[\\\0]|(?:^|\/)\.git(?:\/|$)/i);
        assert.ok(Number.isSafeInteger(size) && size >= 0 && size <= limits.skillBytes);
      }
    }
    assert.ok(offers.length <= limits.skills && asked <= limits.pages);
    return `${Math.min(offers.length, 3)} ${shapesOf(problems.map(({ message }) => message))}`;
  } catch (error) {
    if (!(error instanceof SkillError)) throw error;
    return error.message.slice(0, 40);
  }
}

const resource = 'https://skills.example/mcp';

/** Access tokens: made as an input describes one, or given as they are. Nothing is accepted that the issuer has not signed. */
export const token: Target = {
  inputs: 500_000,
  isSteady: true,
  shape: json,
  words: [
    ...[
      '"alg":"none"',
      '"alg":"HS256"',
      '"alg":"EdDSA"',
      '"alg":"RS256"',
      '"kid":"../../etc/passwd"',
      '"kid":null',
      '"crit":["b64"]',
      '"b64":false',
    ],
    ...[
      '"jku":"http://127.0.0.1/"',
      '"jwk":{}',
      '"x5u":"x"',
      '"typ":"at+jwt"',
      '"signed":"right"',
      '"signed":"other"',
      '"signed":"hmac"',
      '"signed":"no"',
    ],
    ...[
      '"exp":1',
      '"exp":"4102444800"',
      '"nbf":4102444800',
      '"aud":["https://skills.example/mcp"]',
      '"aud":"x"',
      '"iss":"x"',
      '"sub":1',
      '"sub":""',
    ],
    ...['"scope":"admin"', '"scope":["admin"]', '"groups":"a b"', '"__proto__"', '"token":"a.b.c"', '"token":".."'],
  ],
  open: async () => {
    const [own, other] = [generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')];
    const jwk = { ...own.publicKey.export({ format: 'jwk' }), kid: 'one', use: 'sig' };
    let issuer = '';
    const server = createServer((request, response) => {
      const isKeys = request.url === '/keys';
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(isKeys ? { keys: [jwk] } : { issuer, jwks_uri: `${issuer}/keys` }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const oauth = createOAuth({ issuer, audiences: [], groupsClaim: 'groups' });
    return {
      async check(input) {
        const { text, payload, isRight } = tokenFrom(input, issuer, { right: own.privateKey, other: other.privateKey });
        const identity = await oauth.verify(text, resource);
        if ('refused' in identity) {
          assert.equal(identity.refused, 'wrong', identity.message);
          return identity.message;
        }
        assert.ok(isRight, 'a token was accepted that its issuer has not signed');
        const { iss, aud, exp, sub } = payload;
        assert.equal(iss, issuer);
        assert.ok([aud].flat().includes(resource), 'a token for somebody else was accepted');
        assert.ok(typeof exp === 'number' && exp * 1000 > Date.now() - 60_000, 'an expired token was accepted');
        assert.equal(identity.subject, sub);
        assert.equal(typeof sub, 'string');
        return `accepted ${identity.scopes.size > 0} ${identity.groups.length > 0}`;
      },
      close: () => void server.close(),
    };
  },
};

interface MadeToken {
  readonly text: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly isRight: boolean;
}

function tokenFrom(
  input: Buffer,
  issuer: string,
  keys: { readonly right: KeyObject; readonly other: KeyObject },
): MadeToken {
  const raw = { text: input.toString('utf8'), payload: {}, isRight: false };
  let given: Record<string, unknown>;
  try {
    given = Object(JSON.parse(raw.text)) as Record<string, unknown>;
  } catch {
    return raw;
  }
  if (typeof given['token'] === 'string') return { ...raw, text: given['token'] };
  const header = Object(given['header']) as Record<string, unknown>;
  const claims = Object(given['claims']) as Record<string, unknown>;
  const payload = { ...claims, iss: claims['iss'] === 'ours' ? issuer : claims['iss'] };
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const head = `${part(header)}.${part(payload)}`;
  const { signed } = given;
  const signature =
    signed === 'right' || signed === 'other'
      ? sign(null, Buffer.from(head), keys[signed])
      : signed === 'hmac'
        ? createHmac('sha256', createPublicKey(keys.right).export({ type: 'spki', format: 'pem' }))
            .update(head)
            .digest()
        : Buffer.alloc(0);
  return { text: `${head}.${signature.toString('base64url')}`, payload, isRight: signed === 'right' };
}
