import { statusOf, specOf } from './snapshot.mjs';
import { amount, own, quantity, table, tables } from './values.mjs';

/** What is asked of a node for a pod: its containers together, or its largest init container. */
export function requestOf(pod, resource) {
  const spec = specOf(pod);
  const each = (containers) => containers.map((container) => quantity(own(table(container.resources).requests, resource)) ?? 0);
  const init = tables(spec.initContainers);
  const sum = (values) => values.reduce((total, value) => total + value, 0);
  const sidecars = sum(each(init.filter(({ restartPolicy }) => restartPolicy === 'Always')));
  const first = each(init.filter(({ restartPolicy }) => restartPolicy !== 'Always'));
  const overhead = quantity(own(table(spec.overhead), resource)) ?? 0;
  return Math.max(sum(each(tables(spec.containers))) + sidecars, sidecars + Math.max(0, ...first)) + overhead;
}

/** For each node: what it has of a resource, and what the pods of the snapshot have asked for of it. */
export function roomOn(cluster, resource) {
  const known = rooms.get(cluster) ?? new Map();
  rooms.set(cluster, known);
  if (!known.has(resource)) known.set(resource, counted(cluster, resource));
  return known.get(resource);
}

/** Counting takes a look at every pod; once is enough. */
const rooms = new WeakMap();

function counted(cluster, resource) {
  const asked = new Map();
  for (const pod of cluster.kind('Pod')) {
    const { nodeName } = specOf(pod);
    if (typeof nodeName !== 'string' || /^(Succeeded|Failed)$/.test(statusOf(pod).phase)) continue;
    asked.set(nodeName, (asked.get(nodeName) ?? 0) + requestOf(pod, resource));
  }
  return cluster.kind('Node').map((node) => {
    const { name } = node.metadata;
    const has = quantity(own(table(statusOf(node).allocatable), resource)) ?? 0;
    return { node, name, has, asked: asked.get(name) ?? 0, free: has - (asked.get(name) ?? 0) };
  });
}

export function roomInWords({ name, has, free }, resource) {
  return `${name}: ${amount(resource, free)} of ${amount(resource, has)} not yet requested`;
}

export function limitOf(pod, container, resource) {
  const found = tables(specOf(pod).containers).concat(tables(specOf(pod).initContainers)).find(({ name }) => name === container);
  return own(table(table(found?.resources).limits), resource);
}
