import { shareOf } from './scale.ts';

/** A bar that is so much of the most; where there are two values, the smaller stands within the larger. */
export function Bar({
  value,
  most,
  inner,
}: {
  readonly value: number;
  readonly most: number;
  readonly inner?: number;
}) {
  return (
    <svg class="charts-bar" aria-hidden="true" focusable="false">
      <rect class="charts-ground" width="100%" height="100%" rx="3" />
      <rect
        class={inner === undefined ? 'charts-fill' : 'charts-fill-light'}
        width={`${shareOf(value, most)}%`}
        height="100%"
        rx="3"
      />
      {inner !== undefined && <rect class="charts-fill" width={`${shareOf(inner, most)}%`} height="100%" rx="3" />}
    </svg>
  );
}
