/**
 * Axis in the table's own space: along it lie questions that skills are asked, against it those of everyday life.
 * Fitted by logistic regression to a thousand of the one kind and 130 of the other, in six languages; it belongs to the
 * table that comes with the package and means nothing for another.
 */
const axis = Int8Array.from(
  Buffer.from(
    '6vfoISvhEPkVVPAMAv719/cd/Q3u6AQe/JsuSZ9ZAQX07Pi0DbTFRuof62rr/PUHICsdCAEE7X/45Q/rz5MNPO/s+UISGRIyuc/y2+QB5aghOS8l' +
      'JmdpDJz+CfO14HJAGM7uFwDpDuKnQCMFA9MgySgD9zYw4fsEDQ7k6wvaDdA=',
    'base64',
  ),
);
const [scale, middle, most] = [0.016281, 0.82757, 3] as const;

/** Scores how a question sounds, from −3 to 3: above zero like a task for a skill, below like one of everyday life. */
export function taskLikeness(embedding: Float32Array): number {
  const along = axis.reduce((sum, value, at) => sum + value * (embedding[at] ?? 0), 0);
  return Math.max(-most, Math.min(most, scale * along + middle));
}
