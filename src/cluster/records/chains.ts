import { choice, count, flag, type Infer, list, nullable, object, text } from '../../core/schema/schema.ts';

/** Ways in which the records of a node can be wrong. */
const faults = [
  'gap',
  // Two records that follow the same one.
  'fork',
  // A record that does not follow the one before it.
  'unchained',
  // Text that is not what was hashed, or no record at all.
  'edited',
  // A checkpoint, or a message, that the key of the node did not sign.
  'signature',
  // A record saying that something was wrong when it was written.
  'alarm',
] as const;

const faultSchema = object({ why: choice(faults), seq: nullable(count()), message: text() });
export type Fault = Infer<typeof faultSchema>;

export const nodeChainSchema = object({
  node: text('The fingerprint of its audit key.'),
  host: text('The machine, as it calls itself.'),
  records: count(),
  last: nullable(object({ seq: count(), hash: text() }), 'The last record of its longest chain.'),
  signedTo: nullable(count(), 'The record up to which its key has signed.'),
  faults: list(faultSchema),
  more: count('Faults beyond those that are listed.'),
});
export type NodeChain = Infer<typeof nodeChainSchema>;

export const clusterChainsSchema = object({
  ok: flag(),
  cluster: text(),
  copies: count('Copies that the cluster keeps of all records.'),
  nodes: list(nodeChainSchema),
});
export type ClusterChains = Infer<typeof clusterChainsSchema>;

/** The end of the chain of a node, as the cluster has it. */
export const chainEndSchema = object({
  node: text('The fingerprint of its audit key.'),
  host: text(),
  last: nullable(count(), 'The number of its last record; null where that is none of ours.'),
});
export type ChainEnd = Infer<typeof chainEndSchema>;
