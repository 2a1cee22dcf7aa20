import { type ComponentChildren, Fragment } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from '../parts/icon.tsx';
import { route } from '../route.ts';
import { overlay, shortcuts } from './keys.ts';
import { Palette } from './palette.tsx';

/** The dialogs above a page. They are loaded when somebody first opens one. */
export function Overlays() {
  // Whoever goes somewhere else wants to see that.
  useEffect(() => close, [route.value]);
  if (overlay.value === 'palette') {
    return (
      <Dialog label="Search everything" kind="palette">
        <Palette leave={close} />
      </Dialog>
    );
  }
  return overlay.value === 'keys' ? <KeyHelp /> : null;
}

function close(): void {
  overlay.value = null;
}

interface DialogProps {
  readonly label: string;
  readonly kind: string;
  readonly children: ComponentChildren;
}

/** A dialog above the page: Escape and a click beside it close it, and the focus goes back to where it was. */
function Dialog({ label, kind, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    dialog.current?.showModal();
  }, []);
  return (
    <dialog
      ref={dialog}
      class={`dialog ${kind}`}
      aria-label={label}
      onClose={close}
      onClick={(event) => event.target === dialog.current && close()}
      onKeyDown={(event) => event.key === 'Escape' && close()}
    >
      <div class="dialog-body">{children}</div>
    </dialog>
  );
}

function KeyHelp() {
  return (
    <Dialog label="Keys" kind="keys">
      <div class="section-head">
        <h2>Keys</h2>
        <button type="button" class="icon-button" aria-label="Close" onClick={close}>
          <Icon name="close" />
        </button>
      </div>
      <dl class="keys-list">
        {shortcuts().map(({ keys, does }) => (
          <div key={does}>
            <dt>
              {keys.map((key, place) => (
                <Fragment key={key}>
                  {place > 0 && ' '}
                  <kbd>{key}</kbd>
                </Fragment>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
