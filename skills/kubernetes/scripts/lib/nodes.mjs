import { conditionOf, keyFor, nameOf, spaceOf, specOf, statusOf } from './snapshot.mjs';
import { line, plural, span, table, tables, text } from './values.mjs';

const pressures = {
  MemoryPressure: 'runs out of memory: pods are evicted, those above their requests first',
  DiskPressure: 'runs out of disk: images and pods are removed',
  PIDPressure: 'runs out of process ids',
  NetworkUnavailable: 'has no working network',
};

function finding(object, rest) {
  return { group: `${rest.rule}|${keyFor(object)}`, object, pods: [], covers: [keyFor(object)], needs: [], ...rest };
}

export function nodeFindings(cluster) {
  return cluster.kind('Node').flatMap((node) => [...notReady(node, cluster), ...pressure(node, cluster), ...cordoned(node)]);
}

function notReady(node, cluster) {
  const ready = conditionOf(node, 'Ready');
  if (ready?.status === 'True') return [];
  const since = cluster.since(ready?.lastTransitionTime);
  const pods = cluster.kind('Pod').filter((pod) => specOf(pod).nodeName === nameOf(node));
  return [
    finding(node, {
      rule: 'node-not-ready',
      severity: 'critical',
      what: `is not ready${since === null ? '' : ` for ${span(since)}`}`,
      evidence: [ready === undefined ? 'it reports no state at all' : line(`${text(ready.reason)}: ${text(ready.message)}`), `${plural(pods.length, 'pod')} on it`],
      next: [`kubectl describe node ${nameOf(node)}`, 'on the node: is the kubelet running, is there room on the disk, does it reach the API server?'],
    }),
  ];
}

function pressure(node, cluster) {
  return Object.entries(pressures).flatMap(([type, words]) => {
    const condition = conditionOf(node, type);
    if (condition?.status !== 'True') return [];
    const since = cluster.since(condition.lastTransitionTime);
    return [
      finding(node, {
        rule: 'node-pressure',
        group: `${type}|${keyFor(node)}`,
        severity: 'warning',
        what: `${type}${since === null ? '' : ` for ${span(since)}`}: ${words}`,
        evidence: [line(condition.message), ...cluster.warningsOf(node).slice(0, 2).map(({ reason, message, count }) => `${reason}: ${message} (${count}x)`)].filter((one) => one !== ''),
        next: [type === 'DiskPressure' ? `on ${nameOf(node)}: which of logs, images and emptyDir volumes fill the disk?` : `kubectl describe node ${nameOf(node)} (Allocated resources), kubectl top node ${nameOf(node)}`],
      }),
    ];
  });
}

function cordoned(node) {
  if (specOf(node).unschedulable !== true) return [];
  return [
    finding(node, {
      rule: 'node-cordoned',
      severity: 'info',
      what: 'is cordoned: it takes no new pods',
      evidence: ['somebody, or an upgrade, did this on purpose'],
      next: [`kubectl uncordon ${nameOf(node)}, once its maintenance is over`],
    }),
  ];
}

export function claimFindings(cluster) {
  return cluster.kind('PersistentVolumeClaim').flatMap((claim) => {
    const { phase } = statusOf(claim);
    if (phase !== 'Pending' && phase !== 'Lost') return [];
    const [event] = cluster.eventsOf(claim);
    const waits = event?.reason === 'WaitForFirstConsumer';
    const users = cluster.podsBySpace.get(spaceOf(claim)) ?? [];
    const isUsed = users.some((pod) => tables(specOf(pod).volumes).some(({ persistentVolumeClaim }) => table(persistentVolumeClaim).claimName === nameOf(claim)));
    return [
      finding(claim, {
        rule: 'claim-unbound',
        severity: phase === 'Lost' || (isUsed && !waits) ? 'critical' : 'info',
        what: phase === 'Lost' ? 'has lost its volume' : waits && !isUsed ? 'is not bound: it waits for a first pod, which is normal' : 'is not bound to a volume',
        evidence: [`storage class: ${line(specOf(claim).storageClassName ?? '(the default)', 80)}`, ...(event === undefined ? [] : [`${event.reason}: ${event.message}`])],
        next: [waits ? 'look at the pod that uses it' : 'kubectl get storageclass: does it exist, and is its provisioner running?'],
      }),
    ];
  });
}

const worthless = /^(BackOff|FailedToUpdateEndpoint\w*|DNSConfigForming)$/;
const hour = 3_600_000;

/** Warnings that nothing else explains, the most frequent first. */
export function warningFindings(cluster, covered) {
  const groups = new Map();
  for (const event of cluster.events) {
    const since = cluster.since(event.last);
    if (event.type !== 'Warning' || covered(event.about) || worthless.test(event.reason) || (since !== null && since > hour)) continue;
    const key = `${event.reason}|${event.about}`;
    const before = groups.get(key);
    if (before === undefined) groups.set(key, { ...event });
    else before.count += event.count;
  }
  return [...groups.values()]
    .sort((one, other) => other.count - one.count)
    .map(({ kind, namespace, name, reason, message, count, last }) => {
      const object = cluster.get(kind, namespace, name) ?? { kind, metadata: { name, namespace } };
      const since = cluster.since(last);
      return finding(object, {
        rule: 'warning-event',
        group: `event|${reason}|${keyFor(object)}`,
        severity: 'info',
        what: `${line(reason, 60)} (${count}x${since === null ? '' : `, last ${span(since)} before the snapshot`})`,
        evidence: [message],
        next: [],
      });
    });
}
