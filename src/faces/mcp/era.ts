/** The protocol has two: with a handshake that opens a session, and without, every request standing alone. */
export type Era = 'legacy' | 'modern';

/** The revisions of the handshake era, newest first. */
export const legacyRevisions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'] as const;
/** The first without a handshake. */
export const modernRevision = '2026-07-28';
