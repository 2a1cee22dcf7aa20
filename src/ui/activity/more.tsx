/** There is more, further back. */
export function More({ isLoading, more }: { readonly isLoading: boolean; readonly more: () => void }) {
  return (
    <button type="button" class="activity-more" disabled={isLoading} onClick={more}>
      Show older ones
    </button>
  );
}
