import { describe, expect, it } from 'vitest';
import { axisLabels, bucketLabel } from './times.ts';

const place = { locale: 'en-GB', timeZone: 'UTC' };
const hour = 3_600_000;
const day = 24 * hour;

function froms(start: string, stepMs: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => new Date(Date.parse(start) + index * stepMs).toISOString());
}

describe('a bucket is called', () => {
  it('by its day', () => {
    expect(bucketLabel('2026-11-15T00:00:00Z', day, place)).toBe('15 Nov (UTC)');
  });
  it('by its days', () => {
    expect(bucketLabel('2026-11-15T00:00:00Z', 7 * day, place)).toBe('15 Nov – 21 Nov (UTC)');
  });
  it('by its day wherever it is read', () => {
    const elsewhere = { locale: 'en-GB', timeZone: 'America/New_York' };
    expect(bucketLabel('2026-11-15T00:00:00Z', day, elsewhere)).toBe('15 Nov (UTC)');
    expect(bucketLabel('2026-11-15T00:00:00Z', hour, elsewhere)).toBe('14 Nov, 19:00 – 20:00');
  });
  it('by its time', () => {
    expect(bucketLabel('2026-11-15T13:00:00Z', hour, place)).toBe('15 Nov, 13:00 – 14:00');
    expect(bucketLabel('2026-11-15T23:55:00Z', 300_000, place)).toBe('15 Nov, 23:55 – 00:00');
  });
});

describe('labels of the axis', () => {
  it('are none where there is nothing, and one for one', () => {
    expect(axisLabels([], hour, 8, place)).toEqual([]);
    expect(axisLabels(froms('2026-11-15T13:00:00Z', hour, 1), hour, 8, place)).toEqual([
      { at: 0, text: '13:00', rank: 0 },
    ]);
  });

  it('are times within a day', () => {
    const labels = axisLabels(froms('2026-11-14T14:00:00Z', hour, 24), hour, 8, place);
    expect(labels.map(({ text }) => text)).toEqual([
      '14:00',
      '17:00',
      '20:00',
      '23:00',
      '02:00',
      '05:00',
      '08:00',
      '11:00',
    ]);
    expect(labels.map(({ rank }) => rank)).toEqual([0, 2, 1, 2, 0, 2, 1, 2]);
  });

  it('are days in a week of hours, each below the first hour of it', () => {
    const labels = axisLabels(froms('2026-11-08T15:00:00Z', 3 * hour, 57), 3 * hour, 8, place);
    expect(labels.map(({ at, text }) => `${at} ${text}`)).toEqual([
      '3 9 Nov',
      '11 10 Nov',
      '19 11 Nov',
      '27 12 Nov',
      '35 13 Nov',
      '43 14 Nov',
      '51 15 Nov',
    ]);
  });

  it('are never more than can be read', () => {
    for (const count of [2, 30, 60, 1000]) {
      expect(axisLabels(froms('2026-01-01T00:00:00Z', day, count), day, 8, place).length).toBeLessThanOrEqual(8);
    }
  });
});
