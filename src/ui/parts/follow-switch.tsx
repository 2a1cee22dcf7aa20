/** Whether news are shown as they come. Who reads may want them to wait. */
export function FollowSwitch({ isOn, change }: { readonly isOn: boolean; readonly change: (isOn: boolean) => void }) {
  return (
    <label class="follow">
      <input type="checkbox" checked={isOn} onChange={(event) => change(event.currentTarget.checked)} /> Follow
    </label>
  );
}
