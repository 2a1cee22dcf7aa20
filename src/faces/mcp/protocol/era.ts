/** The two eras of the protocol: with a handshake that opens a session, and without, every request standing alone. */
export type Era = 'legacy' | 'modern';

/** Revisions of the handshake era, newest first. */
export const legacyRevisions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'] as const;
/** The first revision without a handshake. */
export const modernRevision = '2026-07-28';
