import { byText, oneLine } from '../../core/text/text.ts';
import { checkLine, isSigned, readPublicKey } from '../../run/audit/record.ts';
import { type AuditRecord, type Link, noLink } from '../../run/audit/types.ts';
import type { ChainEnd, ClusterChains, Fault, NodeChain } from './chains.ts';
import type { RecordStream, Sent } from './stream.ts';

/** Faults that are listed of a node; more of them say no more. */
const mostFaults = 20;

/** Goes through the records of all nodes, and names what is wrong with those of each. */
export async function verifyRecords(stream: RecordStream, cluster: string): Promise<ClusterChains> {
  const chains = new Map<string, Chain>();
  for await (const sent of stream.all()) {
    const chain = chains.get(sent.node) ?? createChain(sent.node);
    chains.set(sent.node, chain);
    chain.take(sent);
  }
  const nodes = [...chains.values()].map((chain) => chain.end()).sort((a, b) => byText(a.node, b.node));
  return { ok: nodes.every(({ faults }) => faults.length === 0), cluster, copies: stream.copies, nodes };
}

/** Tells how far the records of each node reach, by the last of them; whether they are whole is not looked at. */
export async function endsOfChains(stream: RecordStream): Promise<readonly ChainEnd[]> {
  const ends = await Promise.all((await stream.nodes()).map(async (node) => endIn(node, await stream.last(node))));
  return ends.sort((a, b) => byText(a.node, b.node));
}

function endIn(node: string, sent: Sent | null): ChainEnd {
  const { host = '', lines = [] } = sent?.bundle.ok ? sent.bundle.value : {};
  const checked = checkLine(Buffer.from(lines.at(-1) ?? ''));
  return { node, host: oneLine(host), last: checked.ok ? checked.record.seq : null };
}

interface Chain {
  take(sent: Sent): void;
  end(): NodeChain;
}

function createChain(node: string): Chain {
  const found: Fault[] = [];
  /** Hashes of all records by number: several in one text where the chain has forked. */
  const hashes = new Map<number, string>([[0, noLink.hash]]);
  let key: ReturnType<typeof readPublicKey> = null;
  let host = '';
  let [records, signedTo, more] = [0, 0, 0];
  let last: Link = noLink;

  function fault(why: Fault['why'], seq: number | null, message: string): void {
    if (found.length < mostFaults) found.push({ why, seq, message: oneLine(message) });
    else more++;
  }

  function take({ number, bundle }: Sent): void {
    if (!bundle.ok) {
      fault('edited', null, `message ${number} is not one of ours: ${bundle.problem}`);
      return;
    }
    key ??= readPublicKey(bundle.value.key);
    host = oneLine(bundle.value.host);
    if (key?.fingerprint() !== node) fault('signature', null, `message ${number} has the key of another node`);
    for (const line of bundle.value.lines) {
      const checked = checkLine(Buffer.from(line));
      if (checked.ok) takeRecord(checked.record);
      else if (checked.why === 'hash') fault('edited', checked.seq, 'its text does not match its hash');
      else fault('edited', null, `message ${number} holds something that is not a record`);
    }
  }

  function takeRecord(record: AuditRecord): void {
    const { seq, hash } = record;
    const same = hashes.get(seq) ?? '';
    if (same.includes(hash)) return; // sent twice
    placeIn(record, same !== '');
    hashes.set(seq, same + hash);
    records++;
    if (seq >= last.seq) last = { seq, hash };
    if (record.event === 'alarm') fault('alarm', seq, `it says: ${record.why}`);
    if (record.event !== 'checkpoint') return;
    if (key !== null && isSigned(record, key)) signedTo = Math.max(signedTo, seq);
    else fault('signature', seq, 'its signature was not made with the key of the node');
  }

  /** Names what is wrong with the place of a record among those that are known. */
  function placeIn({ seq, prev }: AuditRecord, isSecond: boolean): void {
    const before = hashes.get(seq - 1);
    if (isSecond) fault('fork', seq, `more than one record follows record ${seq - 1}`);
    if (before === undefined) {
      const first = last.seq + 1;
      const missing = first >= seq - 1 ? `record ${seq - 1} is` : `records ${first} to ${seq - 1} are`;
      fault('gap', seq - 1, `${missing} missing`);
    } else if (!before.includes(prev))
      fault('unchained', seq, `it does not follow the record ${seq - 1} that is there`);
  }

  return {
    take,
    end: () => ({
      ...{ node, host, records, last: last.seq === 0 ? null : last, signedTo: signedTo === 0 ? null : signedTo },
      ...{ faults: found, more },
    }),
  };
}
