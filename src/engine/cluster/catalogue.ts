import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Cluster } from '../../cluster/connection.ts';
import { type Following, followChannel, syncChannel } from '../../cluster/follow.ts';
import { announce } from '../../cluster/members.ts';
import { checkName } from '../../cluster/names.ts';
import { pathIn, readState, type View } from '../../cluster/view.ts';
import { type Diagnostic, diagnostic } from '../../core/diagnostics.ts';
import { oneLine } from '../../core/text/text.ts';
import { version } from '../../core/version.ts';
import type { Engine } from '../engine.ts';
import { clusterOf } from './membership.ts';

/** The channel that an engine follows. */
export function viewOf({ environment, configuration: { values } }: Engine): View {
  const { clusterName: cluster, clusterChannel: channel } = values;
  checkName(channel, 'channel');
  return { environment, cluster, channel };
}

/** Diagnostics about the catalogue: whether its cluster is out of reach, and which skills of it are not used. */
export function catalogueNotes(engine: Engine): readonly Diagnostic[] {
  const view = viewOf(engine);
  const state = readState(view);
  if (state === null) return [];
  const { lostSince, failure, followedAt, problems } = state;
  const kept =
    followedAt === null ? 'there is nothing here of its catalogue yet' : `its skills are those of ${followedAt}`;
  const lost = `the cluster '${view.cluster}' has been out of reach since ${lostSince}, and ${kept} (${failure})`;
  const remedy =
    'Is it running, and are --cluster and --cluster-credentials right? The server keeps trying to connect.';
  return [
    ...(lostSince === null ? [] : [diagnostic('cluster-lost', pathIn(view, ''), lost, remedy)]),
    ...problems.map(({ key, message }) => {
      const text = `a skill of the catalogue is not used, and what was here before stays: ${oneLine(message)}`;
      return diagnostic(
        'catalogue-refused',
        pathIn(view, key),
        text,
        'Publish it again, or remove it from the catalogue.',
      );
    }),
  ];
}

/**
 * Keeps the skills of the cluster's catalogue here up to date for as long as the engine lives. Resolves when all of them
 * have been compared for the first time; they may be those of last time for as long as the cluster is away.
 */
export function followCatalogue(engine: Engine): Promise<void> {
  const { log, disposers } = engine;
  const cluster = clusterOf(engine);
  const ending = new AbortController();
  disposers.add(() => ending.abort());
  disposers.add(
    cluster.onStatus(({ state, node, failure }) => {
      if (state === 'connected') log?.info('connected to the cluster', { node });
      else
        log?.warn(`the cluster cannot be reached, what is here stays in use: ${failure}`, { cluster: cluster.address });
    }),
  );
  let revision = 0;
  const onRevision = (seen: number): void => {
    revision = Math.max(revision, seen);
  };
  const id = randomUUID();
  const known = { id, host: hostname(), pid: process.pid, version: version(), startedAt: new Date().toISOString() };
  const facts = () => ({
    server: { ...known, channel: viewOf(engine).channel, revision, queues: queuesOf(cluster) },
  });
  void announce(cluster, id, facts).catch(() => {}); // it was closed before it was connected
  return followChannel(cluster, { ...following(engine, ending.signal), onRevision });
}

/** The lines of executions that wait here. */
function queuesOf({ lines }: Cluster) {
  return [...lines].map(([wants, { waiting, users }]) => ({ wants, waiting, users }));
}

/** Brings the catalogue up to date once. Where the cluster is away, what is here stays, which is noted. */
export async function compareCatalogue(engine: Engine): Promise<void> {
  const cluster = clusterOf(engine);
  const ending = new AbortController();
  engine.disposers.add(() => ending.abort());
  await syncChannel(cluster, following(engine, ending.signal));
}

function following(engine: Engine, signal: AbortSignal): Following {
  const { registry, log } = engine;
  let told = '';
  return {
    view: viewOf(engine),
    signal,
    async onChange() {
      // It is tried again by the next call.
      if (registry.current !== undefined) await registry.refresh().catch(() => {});
    },
    onFailure(reason) {
      if (reason !== told) log?.warn(`the catalogue of the cluster cannot be read: ${reason}`);
      told = reason;
    },
    onProblem(skill, problem) {
      log?.warn(`a skill of the catalogue is not used: ${oneLine(problem)}`, { skill });
    },
  };
}
