import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import { Kvm } from '@nats-io/kv';
import { Objm } from '@nats-io/obj';
import { nkeys } from '@nats-io/transport-node';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openKeys, openObjects } from '../../src/cluster/buckets.ts';
import { type ClusterSettings, type ClusterStatus, openCluster } from '../../src/cluster/connection.ts';
import { namesOf } from '../../src/cluster/names.ts';
import { patiently } from '../../src/cluster/patience.ts';
import { openRecords } from '../../src/cluster/records/stream.ts';
import { startNats } from '../support/nats.ts';
import { environmentIn, temporaryPlace } from '../support/place.ts';

const plain = { clusterName: 'team', clusterCredentials: undefined, clusterCa: undefined, offline: false } as const;

function opened(settings: Partial<ClusterSettings>, place = temporaryPlace()) {
  const cluster = openCluster({ ...plain, cluster: undefined, ...settings }, environmentIn(place));
  onTestFinished(() => cluster.close());
  return cluster;
}

/** Waits for a state, by being told of it. */
function become(cluster: ReturnType<typeof opened>, state: ClusterStatus['state']): Promise<void> {
  return new Promise((resolve) => {
    cluster.onStatus((status) => {
      if (status.state === state) resolve();
    });
    if (cluster.status.state === state) resolve();
  });
}

describe('the connection to a cluster', () => {
  test('is made again by itself, and says since when it is there or lost', async () => {
    const nats = await startNats();
    const cluster = opened({ cluster: nats.url });
    await cluster.reached();
    expect(cluster.status).toMatchObject({ state: 'connected', failure: null });
    await nats.nodes[0]?.kill();
    await become(cluster, 'lost');
    expect(cluster.status.failure).not.toBeNull();
    await nats.nodes[0]?.start();
    await become(cluster, 'connected');
    expect(cluster.status.failure).toBeNull();
  });

  test('is closed for good, also where its node dies meanwhile', async () => {
    const nats = await startNats();
    const cluster = opened({ cluster: nats.url });
    const connection = await cluster.reached();
    const dying = nats.nodes[0]?.kill();
    await cluster.close();
    await dying;
    expect(connection.isClosed()).toBe(true);
  });

  test('is closed for good where its node hangs', async () => {
    const nats = await startNats();
    const cluster = opened({ cluster: nats.url });
    const connection = await cluster.reached();
    nats.nodes[0]?.hang();
    await cluster.close();
    expect(connection.isClosed()).toBe(true);
  });

  test('comes about when a cluster that was away at the start appears', async () => {
    const nats = await startNats();
    await nats.nodes[0]?.kill();
    const cluster = opened({ cluster: nats.url });
    await expect(cluster.reached()).rejects.toThrow(/cannot be reached \(connection refused\)/);
    await nats.nodes[0]?.start();
    await cluster.connected();
    expect(cluster.status.state).toBe('connected');
  });

  test.each([
    ['user:password', 'reader:hunter2', ['--user', 'reader', '--pass', 'hunter2']],
    ['a token', 'hunter2', ['--auth', 'hunter2']],
  ])('signs in with a file that holds %s, and without it is refused', async (_, text, more) => {
    const place = temporaryPlace();
    writeFileSync(join(place, 'right'), `${text}\n`);
    writeFileSync(join(place, 'wrong'), `${text}x\n`);
    const { url } = await startNats(1, more);
    await opened({ cluster: url, clusterCredentials: join(place, 'right') }, place).reached();
    const refused = opened({ cluster: url, clusterCredentials: join(place, 'wrong') }, place).reached();
    await expect(refused).rejects.toThrow(/cannot be reached \(.*authorization/i);
    await expect(refused).rejects.not.toThrow(/hunter2/);
  });

  test('signs in with a file that is a link to a link, as mounted secrets are', async () => {
    const place = temporaryPlace();
    mkdirSync(join(place, '..now'));
    writeFileSync(join(place, '..now/credentials'), 'reader:hunter2\n');
    symlinkSync('..now', join(place, '..data'));
    symlinkSync('..data/credentials', join(place, 'credentials'));
    const { url } = await startNats(1, ['--user', 'reader', '--pass', 'hunter2']);
    const cluster = opened({ cluster: url, clusterCredentials: join(place, 'credentials') });
    await cluster.reached();
    expect(cluster.status.state).toBe('connected');
  });

  test('signs in with the seed of an nkey, and trusts the authority that it is given', async () => {
    const place = temporaryPlace();
    const user = nkeys.createUser();
    writeFileSync(join(place, 'seed'), user.getSeed());
    const name = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
    const made = [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-days',
      '1',
      '-keyout',
      'key.pem',
      '-out',
      'cert.pem',
    ];
    execFileSync('openssl', [...made, ...name], { cwd: place, stdio: 'ignore' });
    const [cert, key] = ['cert.pem', 'key.pem'].map((file) => JSON.stringify(join(place, file)));
    const access = `authorization { users: [ { nkey: ${user.getPublicKey()} } ] }`;
    writeFileSync(join(place, 'nats.conf'), `tls { cert_file: ${cert}, key_file: ${key} }\n${access}\n`);
    const url = (await startNats(1, ['-c', join(place, 'nats.conf')])).url.replace('127.0.0.1', 'localhost');
    const clusterCredentials = join(place, 'seed');
    await opened({ cluster: url, clusterCredentials, clusterCa: join(place, 'cert.pem') }, place).reached();
    const stranger = opened({ cluster: url.replace('nats:', 'tls:'), clusterCredentials }, place).reached();
    await expect(stranger).rejects.toThrow(/cannot be reached \(.*SELF_SIGNED/);
  });

  test('is not opened to an address that holds a secret, or is none', () => {
    expect(() => opened({ cluster: 'nats://me:hunter2@127.0.0.1' })).toThrow(/must not hold a name or a password/);
    expect(() => opened({ cluster: 'hunter2' })).toThrow(/by the addresses of its nodes/);
    expect(() => opened({ cluster: 'hunter2' })).not.toThrow(/hunter2/);
    expect(() => opened({ cluster: 'nats://127.0.0.1', clusterName: 'A team' })).toThrow(/cannot name a cluster/);
  });

  test('asks nothing of other machines while the network is not to be used', async () => {
    const cluster = opened({ cluster: 'nats://192.0.2.1:4222', offline: true });
    await expect(cluster.reached()).rejects.toThrow(/the network is not to be used/);
  });
});

describe('what a cluster keeps', () => {
  test.each([
    [1, 1],
    [3, 3],
  ] as const)('has, with nodes: %i, so many copies: %i', async (size, copies) => {
    const nats = await startNats(size);
    const connection = await opened({ cluster: nats.url }).reached();
    const keys = await openKeys(connection, 'keys', 1);
    const objects = await openObjects(connection, 'objects');
    expect((await keys.status()).replicas).toBe(copies);
    expect((await objects.status()).replicas).toBe(copies);
  });

  test('gets the copies that it lacks where it was made while nodes were missing', async () => {
    const nats = await startNats(3);
    const connection = await opened({ cluster: nats.url }).reached();
    const one = { replicas: 1 };
    await new Kvm(connection).create('keys', one);
    await new Objm(connection).create('objects', one);
    const { streams } = await jetstreamManager(connection);
    await streams.add({ name: 'team-records', subjects: ['team.records.*'], num_replicas: 1 });
    const copies = async (): Promise<readonly number[]> => [
      (await (await openKeys(connection, 'keys', 1)).status()).replicas,
      (await (await openObjects(connection, 'objects')).status()).replicas,
      (await openRecords(connection, namesOf('team'))).copies,
    ];
    await expect.poll(() => patiently(copies)).toEqual([3, 3, 3]);
  });

  test('has one copy on a node that is alone, whatever that says of itself', async () => {
    const nats = await startNats();
    const connection = await opened({ cluster: nats.url }).reached();
    for (const _ of [1, 2]) expect((await openRecords(connection, namesOf('team'))).copies).toBe(1);
    const manager = await jetstreamManager(connection);
    expect((await manager.streams.info('team-records')).config.num_replicas).toBe(1);
  });

  test('lasts for as long as the last server says', async () => {
    const nats = await startNats();
    const connection = await opened({ cluster: nats.url }).reached();
    for (const ttl of [60_000, 3_600_000, 500]) {
      expect((await (await openKeys(connection, 'keys', 1, ttl)).status()).ttl).toBe(ttl);
    }
  });

  test('is not waited for where a node has no JetStream', async () => {
    const place = temporaryPlace();
    writeFileSync(join(place, 'ann'), 'ann:word\n');
    const nats = await startNats(1, ['-js=false', '--user', 'ann', '--pass', 'word']);
    const cluster = opened({ cluster: nats.url, clusterCredentials: join(place, 'ann') }, place);
    const connection = await cluster.reached();
    let attempts = 0;
    const opening = patiently(() => {
      attempts++;
      return openKeys(connection, 'keys', 1);
    });
    await expect(opening).rejects.toThrow(/the cluster cannot keep anything/);
    expect(attempts).toBe(1);
  });
});
