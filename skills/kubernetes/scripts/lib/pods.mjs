import { containerStatuses, isDone, isReady, nodeOf, statusWord } from './pod-state.mjs';
import { limitOf, requestOf, roomInWords, roomOn } from './resources.mjs';
import { conditionOf, keyFor, keyOf, nameOf, spaceOf, specOf, statusOf } from './snapshot.mjs';
import { amount, line, list, number, plural, span, table, tables, text, time } from './values.mjs';

const minute = 60_000;

/** What an exit code tells, where it tells anything. */
const exitCodes = {
  0: 'it ended by itself and without an error; a container of this kind must go on running',
  126: 'the command was found and could not be executed',
  127: 'the command was not found in the image',
  137: 'killed from outside (SIGKILL): out of memory, a failed liveness probe, or a stop that took too long',
  139: 'a crash inside the program (segmentation fault)',
  143: 'told to stop (SIGTERM): a failed liveness probe or an eviction is likely',
};

const waitingRules = {
  CrashLoopBackOff: crashes,
  ImagePullBackOff: image,
  ErrImagePull: image,
  ErrImageNeverPull: image,
  InvalidImageName: image,
  CreateContainerConfigError: settings,
  CreateContainerError: settings,
  RunContainerError: settings,
  StartError: settings,
};

/** What is wrong with one pod. One cause is enough: the first that applies. */
export function podFindings(pod, cluster) {
  if (isDone(pod)) return [];
  const found = stuck(pod, cluster) ?? gone(pod, cluster) ?? waits(pod, cluster) ?? notScheduled(pod, cluster) ?? notStarted(pod, cluster) ?? notReady(pod, cluster) ?? restarts(pod, cluster);
  if (found === undefined) return [];
  const workload = cluster.workloadOf(pod);
  const anyReady = cluster.podsOf(workload).some(isReady);
  return [
    {
      severity: anyReady ? 'warning' : 'critical',
      group: `${found.rule}|${keyFor(workload)}|${found.variant ?? ''}`,
      object: workload,
      pods: [nameOf(pod)],
      covers: [keyFor(pod)],
      needs: [],
      ...found,
    },
  ];
}

const at = (pod) => `-n ${spaceOf(pod)} ${nameOf(pod)}`;

function stuck(pod, cluster) {
  const { deletionTimestamp, finalizers } = table(pod.metadata);
  const waited = cluster.since(deletionTimestamp);
  if (waited === null || waited < 2 * minute) return undefined;
  const held = list(finalizers).map((one) => line(one, 80));
  const node = nodeOf(pod);
  return {
    rule: 'stuck-terminating',
    severity: 'warning',
    what: `should have been gone ${span(waited)} ago and is still terminating`,
    evidence: [held.length > 0 ? `finalizers that nobody has removed: ${held.join(', ')}` : `no finalizers: its node ${node || '(none)'} has not confirmed the end`],
    next: [held.length > 0 ? 'find out which controller owns the finalizer, and why it does not run' : `kubectl describe node ${node}`],
    ...dependsOn(node, /^node-not-ready$/),
  };
}

/** What is wrong with its node is a cause only if it is of this kind. */
const dependsOn = (node, blames) => (node === '' ? {} : { needs: [keyOf('Node', '', node)], blames });

function gone(pod) {
  const { phase, reason, message } = statusOf(pod);
  if (phase !== 'Failed' && phase !== 'Unknown') return undefined;
  const node = nodeOf(pod);
  const evicted = reason === 'Evicted';
  const ended = containerStatuses(pod).map(({ name, state }) => ({ name, ...table(table(state).terminated) }));
  return {
    rule: evicted ? 'evicted' : 'failed',
    severity: evicted || phase === 'Unknown' ? 'warning' : 'info',
    what: evicted ? 'evicted from its node' : `${phase === 'Unknown' ? 'in an unknown state' : 'failed'}${text(reason) === '' ? '' : ` (${line(reason, 60)})`}`,
    evidence: [
      ...(text(message) === '' ? [] : [line(message)]),
      ...ended.filter(({ exitCode }) => number(exitCode) !== 0).map((one) => `container ${one.name}: ${exitInWords(one)}`),
    ],
    next: [evicted ? 'set requests near real use, so that others are evicted first; then delete the evicted pods' : `kubectl logs ${at(pod)} --all-containers`],
    ...dependsOn(node, /^node-/),
  };
}

function waits(pod, cluster) {
  for (const status of containerStatuses(pod)) {
    const waiting = table(table(status.state).waiting);
    const rule = Object.hasOwn(waitingRules, text(waiting.reason)) ? waitingRules[waiting.reason] : undefined;
    if (rule !== undefined) return rule(pod, status, waiting, cluster);
  }
  return undefined;
}

function exitInWords({ exitCode, signal, reason }) {
  const code = number(exitCode);
  const known = Object.hasOwn(exitCodes, code) && reason !== 'OOMKilled' ? `: ${exitCodes[code]}` : '';
  const named = /^(Error|Completed|)$/.test(text(reason)) ? '' : ` (${line(reason, 60)})`;
  return `exit code ${code}${signal === undefined ? '' : `, signal ${line(signal, 10)}`}${named}${known}`;
}

function crashes(pod, status, _waiting, cluster) {
  const last = table(table(status.lastState).terminated);
  const name = text(status.name);
  const isMemory = last.reason === 'OOMKilled';
  const limit = limitOf(pod, name, 'memory');
  const [began, ended] = [time(last.startedAt), time(last.finishedAt)];
  const probe = cluster.warningsOf(pod, /^Unhealthy$/).find(({ message }) => /^(Liveness|Startup) probe/.test(message));
  return {
    rule: isMemory ? 'out-of-memory' : 'crash-loop',
    variant: name,
    what: isMemory ? `container ${name} is killed for using too much memory, over and over` : `${status.isInit ? 'init container' : 'container'} ${name} crashes over and over`,
    evidence: [
      `${plural(number(status.restartCount), 'restart')}; last ended with ${exitInWords(last)}`,
      ...(began !== null && ended !== null ? [`ran for ${span(ended - began)} the last time${ended - began < 5000 ? ': it fails while starting' : ''}`] : []),
      ...(text(last.message) === '' ? [] : [`last words: ${line(last.message)}`]),
      ...(probe === undefined || isMemory ? [] : [`${line(probe.message)} (${probe.count}x)`]),
      ...(isMemory ? [`memory limit: ${limit === undefined ? 'none of its own: the node ran out' : line(limit, 20)}`] : []),
    ],
    next: isMemory
      ? [`kubectl top pod ${at(pod)} --containers`, 'raise the limit if the need is real; look for a leak if use only ever grows; tell the runtime its limit (heap size)']
      : [`kubectl logs ${at(pod)} -c ${name} --previous`, ...(probe === undefined ? [] : ['check whether the probe allows for the time that starting takes (startupProbe)'])],
  };
}

function image(pod, status, { message, reason }, cluster) {
  const [event] = cluster.warningsOf(pod, /^Failed$/).filter((one) => /pull|image/i.test(one.message));
  const why = line(event?.message ?? message);
  const isAccess = /unauthori[sz]ed|authentication|forbidden|denied|no basic auth/i.test(why);
  const isMissing = /not found|manifest unknown|does not exist/i.test(why);
  const isNetwork = /timeout|no such host|connection refused|i\/o|TLS|x509/i.test(why);
  const next = isMissing
    ? 'compare name and tag with the registry; was the image pushed, and for this architecture?'
    : isAccess
      ? 'check imagePullSecrets of the pod and its service account, and that the secret is in this namespace'
      : isNetwork
        ? 'try the registry from the node: DNS, proxy, firewall, certificate'
        : `kubectl describe pod ${at(pod)}`;
  return {
    rule: 'image-pull',
    variant: line(status.image, 200),
    what: `the image of container ${text(status.name)} cannot be pulled (${line(reason, 60)})`,
    evidence: [`image: ${line(status.image, 200)}`, ...(why === '' ? [] : [why])],
    next: [next],
  };
}

function settings(pod, status, { message, reason }) {
  return {
    rule: 'container-config',
    variant: text(status.name),
    what: `container ${text(status.name)} cannot be created (${line(reason, 60)})`,
    evidence: text(message) === '' ? [] : [line(message)],
    next: [/configmap|secret/i.test(text(message)) ? `kubectl get configmap,secret -n ${spaceOf(pod)} (names and keys only), and compare with envFrom, valueFrom and volumes` : `kubectl describe pod ${at(pod)}`],
  };
}

/** What the scheduler says, and what to do about it. */
const reasons = [
  [/taint \{(?!node\.kubernetes\.io\/)/, 'add a toleration if the pod belongs there, or take the taint away: kubectl describe node'],
  [/taint \{node\.kubernetes\.io\//, 'put the node right; its taint goes away by itself: kubectl describe node'],
  [/didn't match .*(affinity|selector)/, 'compare nodeSelector and affinity of the pod with the labels of the nodes: kubectl get nodes --show-labels'],
  [/persistentvolumeclaim|PersistentVolumeClaim/, 'look at the claim first: kubectl get pvc'],
  [/volume node affinity conflict/, 'the volume is in another zone than the free nodes: move the pod, or restore the volume there'],
  [/free ports/, 'a hostPort is taken: use a Service instead, or spread the pods'],
  [/Too many pods/, 'the node has as many pods as it may have: add nodes'],
  [/topology spread/, 'relax topologySpreadConstraints, or add nodes in the missing zone'],
  [/unschedulable/, 'uncordon a node if its maintenance is over: kubectl uncordon NODE'],
];

function notScheduled(pod, cluster) {
  const condition = conditionOf(pod, 'PodScheduled');
  if (statusOf(pod).phase !== 'Pending' || condition?.status !== 'False') return undefined;
  const [event] = cluster.warningsOf(pod, /^FailedScheduling$/);
  const message = line(condition.message ?? event?.message, 600);
  const short = [...message.matchAll(/Insufficient ([\w./-]+)/g)].map(([, resource]) => resource.replace(/[.]$/, ''));
  const resources = [...new Set(short)].filter((resource) => requestOf(pod, resource) > 0);
  const claims = tables(specOf(pod).volumes).map(({ persistentVolumeClaim }) => text(table(persistentVolumeClaim).claimName)).filter((name) => name !== '');
  const never = resources.find((resource) => isTooMuch(pod, cluster, resource));
  const isClaim = /ersistent[vV]olume[cC]laim/.test(message);
  return {
    rule: 'unschedulable',
    variant: resources.join(),
    what: short.length > 0 ? `no node has room for it (${[...new Set(short)].join(', ')})` : 'no node takes it',
    evidence: [
      ...(message === '' ? [] : [message]),
      ...resources.flatMap((resource) => [`it asks for ${amount(resource, requestOf(pod, resource))} of ${resource}`, ...rooms(cluster, resource)]),
    ],
    next: [
      ...(never === undefined ? [] : [`it asks for more ${never} than any node has at all: lower the request, or add larger nodes`]),
      ...(never === undefined && resources.length > 0 ? ['lower the request to what the program really uses, make room, or add a node'] : []),
      ...(never === undefined ? reasons.filter(([pattern]) => pattern.test(message)).map(([, next]) => next) : []),
      ...(message === '' ? [`kubectl describe pod ${at(pod)}`] : []),
    ].slice(0, 3),
    // What no node could take, and what waits for a volume, does not wait for a node.
    needs: isClaim ? claims.map((name) => keyOf('PersistentVolumeClaim', spaceOf(pod), name)) : never === undefined ? cluster.kind('Node').map(keyFor) : [],
  };
}

function rooms(cluster, resource) {
  const all = roomOn(cluster, resource).toSorted((one, other) => other.free - one.free);
  return all.length === 0 ? [] : [`most room, as far as this snapshot shows: ${all.slice(0, 3).map((room) => roomInWords(room, resource)).join('; ')}`];
}

/** Whether it would not even fit on an empty node. */
function isTooMuch(pod, cluster, resource) {
  const all = roomOn(cluster, resource);
  return all.length > 0 && all.every(({ has }) => has < requestOf(pod, resource));
}

function notStarted(pod, cluster) {
  const age = cluster.since(statusOf(pod).startTime ?? table(pod.metadata).creationTimestamp);
  if (statusOf(pod).phase !== 'Pending' || (age !== null && age < minute)) return undefined;
  const [event] = cluster.warningsOf(pod, /^(Failed|Network)/);
  const isVolume = /mount|attach|volume/i.test(`${event?.reason} ${event?.message}`);
  return {
    rule: isVolume ? 'volume-mount' : 'not-started',
    variant: event?.reason,
    what: isVolume ? 'waits for a volume that cannot be mounted' : `has not started${age === null ? '' : ` for ${span(age)}`} (${line(statusWord(pod), 60)})`,
    evidence: event === undefined ? ['no event says why'] : [`${event.reason}: ${event.message} (${event.count}x)`],
    next: [isVolume ? `kubectl describe pod ${at(pod)}; then the claim and the volume it names` : `kubectl describe pod ${at(pod)}`],
    ...dependsOn(nodeOf(pod), /^node-not-ready$/),
  };
}

function notReady(pod, cluster) {
  if (isReady(pod) || statusOf(pod).phase !== 'Running' || table(pod.metadata).deletionTimestamp !== undefined) return undefined;
  const condition = conditionOf(pod, 'Ready');
  const waited = cluster.since(condition?.lastTransitionTime ?? statusOf(pod).startTime);
  const waiting = containerStatuses(pod).filter(({ ready, isInit }) => ready !== true && !isInit);
  const [probe] = cluster.warningsOf(pod, /^(Unhealthy|ProbeWarning)$/);
  const isNew = waited !== null && waited < minute;
  const names = waiting.map(({ name }) => text(name)).join(', ');
  return {
    rule: 'not-ready',
    variant: names,
    ...(isNew && { severity: 'info' }),
    what: `runs and is not ready${waited === null ? '' : ` for ${span(waited)}`}`,
    evidence: [
      ...(names === '' ? [] : [`not ready: ${names}`]),
      ...(probe === undefined ? [] : [`${probe.message} (${probe.count}x)`]),
      ...(text(condition?.message) === '' ? [] : [line(condition.message)]),
      ...waiting.filter(({ restartCount }) => number(restartCount) > 0).map(({ name, restartCount, lastState }) => `${name}: ${plural(number(restartCount), 'restart')}, last ended with ${exitInWords(table(table(lastState).terminated))}`),
    ],
    next: isNew ? ['wait, and look again: it has only just started'] : [`kubectl logs ${at(pod)}${waiting.length > 0 ? ` -c ${text(waiting[0].name)}` : ''} --tail=100`, ...(probe === undefined ? [] : ['try what the probe asks, from inside the pod: path, port and what the answer depends on'])],
    ...dependsOn(nodeOf(pod), /^node-not-ready$/),
  };
}

/** Runs now, and often did not. */
function restarts(pod, cluster) {
  const worst = containerStatuses(pod).toSorted((one, other) => number(other.restartCount) - number(one.restartCount))[0];
  const last = table(table(worst?.lastState).terminated);
  const ago = cluster.since(last.finishedAt);
  if (worst === undefined || number(worst.restartCount) < 3 || ago === null || ago > 60 * minute) return undefined;
  const isMemory = last.reason === 'OOMKilled';
  const name = text(worst.name);
  return {
    rule: isMemory ? 'out-of-memory' : 'restarts',
    variant: name,
    severity: 'warning',
    what: isMemory ? `container ${name} was killed for using too much memory` : `container ${name} restarts again and again, and runs in between`,
    evidence: [
      `${plural(number(worst.restartCount), 'restart')}, the last ${span(ago)} before the snapshot; ended with ${exitInWords(last)}`,
      ...(isMemory ? [`memory limit: ${line(limitOf(pod, name, 'memory') ?? 'none', 20)}`] : []),
    ],
    next: [isMemory ? `kubectl top pod ${at(pod)} --containers` : `kubectl logs ${at(pod)} -c ${name} --previous`],
  };
}
