import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { type Infer, literal, object, text } from '../core/schema/schema.ts';
import type { Cluster } from './connection.ts';
import { type SharedValues, shareValues } from './shared-values.ts';

/** A visit as the cluster keeps it. */
const sealedSchema = object({ format: literal(1), sealed: text(undefined, { max: 64 * 1024 }) });
type Sealed = Infer<typeof sealedSchema>;

/** Visits of the console that every server of a cluster can continue, as texts, by the digests of their secrets. */
export type VisitStore = SharedValues<string>;

export interface VisitStoreOptions {
  /** The secret that servers share, and others who may write to the cluster do not have. */
  readonly secret: string;
  /** Milliseconds after which a visit ends. */
  readonly timeoutMs: number;
  readonly onProblem: (reason: string) => void;
}

const cipher = 'aes-256-gcm';
const [ivBytes, tagBytes] = [12, 16];
const ids = /^[\da-f]{64}$/;

/**
 * Keeps visits sealed: whoever can read the cluster learns nothing of them, and whoever can write to it cannot make one,
 * nor put that of somebody else in the place of their own.
 */
export function createVisitStore(cluster: Cluster, options: VisitStoreOptions): VisitStore {
  const { secret, timeoutMs, onProblem } = options;
  const info = `visits of the console of ${cluster.name}`;
  const key = Buffer.from(hkdfSync('sha256', secret, '', info, 32));
  const bucket = cluster.names.visits;
  const values = shareValues<Sealed>(cluster, { bucket, schema: sealedSchema, ids, timeoutMs, onProblem });

  function seal(id: string, visit: string): Sealed {
    const iv = randomBytes(ivBytes);
    const sealing = createCipheriv(cipher, key, iv, { authTagLength: tagBytes }).setAAD(Buffer.from(id));
    const body = [sealing.update(visit, 'utf8'), sealing.final()];
    return { format: 1, sealed: Buffer.concat([iv, sealing.getAuthTag(), ...body]).toString('base64') };
  }

  /** The visit, unless it was sealed by somebody else or for another id. */
  function unseal(id: string, { sealed }: Sealed): string | undefined {
    const bytes = Buffer.from(sealed, 'base64');
    try {
      const opening = createDecipheriv(cipher, key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes });
      opening.setAAD(Buffer.from(id)).setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
      return opening.update(bytes.subarray(ivBytes + tagBytes), undefined, 'utf8') + opening.final('utf8');
    } catch {
      return undefined;
    }
  }

  return {
    keep: (id, visit) => values.keep(id, seal(id, visit)),
    async find(id) {
      const sealed = await values.find(id);
      return sealed && unseal(id, sealed);
    },
    forget: (id) => values.forget(id),
  };
}
