import { useEffect, useState } from 'preact/hooks';
import type { SessionState } from '../../faces/web/shapes.ts';
import { isLive } from '../live.ts';
import { Icon, type IconName, Mark } from '../parts/icon.tsx';
import { foreignCut } from '../parts/words.ts';
import { hrefOf, route } from '../route.ts';
import { chooseScheme, type Scheme, scheme, schemes } from '../scheme.ts';
import { leave } from '../session.ts';
import { overlay } from './keys.ts';
import { menu } from './menu.ts';

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

function openPalette(): void {
  overlay.value = 'palette';
}

/** The frame of every page: at the side of wide screens, and a bar at the top of narrow ones, whose menu opens. */
export function Side({ state }: { readonly state: SessionState }) {
  const [isOpen, setIsOpen] = useState(false);
  const { page } = route.value;
  useEffect(() => setIsOpen(false), [route.value]);
  return (
    <header class="side">
      <a class="brand" href={hrefOf('home')}>
        <Mark />
        Repertoire
      </a>
      {state.signedIn && (
        <button type="button" class="side-search" aria-keyshortcuts="Control+K" onClick={openPalette}>
          <Icon name="search" />
          <span class="side-search-word">Search</span>
          <kbd>{isApple ? '⌘K' : 'Ctrl K'}</kbd>
        </button>
      )}
      {state.signedIn && (
        <button
          type="button"
          class="icon-button side-toggle"
          aria-label="Menu"
          aria-expanded={isOpen}
          aria-controls="side-menu"
          onClick={() => setIsOpen(!isOpen)}
        >
          <Icon name={isOpen ? 'close' : 'menu'} />
        </button>
      )}
      <div class={isOpen ? 'side-menu open' : 'side-menu'} id="side-menu">
        {state.signedIn && (
          <nav aria-label="Pages">
            <ul>
              {menu().map(({ page: name, title, icon, covers }) => (
                <li key={name}>
                  <a href={hrefOf(name)} aria-current={covers.includes(page) ? 'page' : undefined}>
                    <Icon name={icon} />
                    {title}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
        )}
        <div class="side-foot">
          {state.signedIn && <LiveSign />}
          {state.signedIn && state.subject !== null && (
            <p class="side-person">
              {foreignCut(state.subject, 40)}{' '}
              <button type="button" class="link" onClick={() => void leave()}>
                Sign out
              </button>
            </p>
          )}
          <p class="side-version">
            {state.version}
            {state.mode === 'read' && ' · read-only'}
          </p>
          <SchemeSwitch />
        </div>
      </div>
    </header>
  );
}

function LiveSign() {
  return (
    <p class={isLive.value ? 'live on' : 'live'} role="status">
      {isLive.value ? 'Live' : 'Not connected'}
    </p>
  );
}

const schemeLooks: Readonly<Record<Scheme, { readonly icon: IconName; readonly title: string }>> = {
  system: { icon: 'screen', title: 'System' },
  light: { icon: 'sun', title: 'Light' },
  dark: { icon: 'moon', title: 'Dark' },
};

/** The choice of colours. */
function SchemeSwitch() {
  return (
    <fieldset class="schemes">
      <legend class="hidden">Colours</legend>
      {schemes.map((one) => (
        <label key={one} title={schemeLooks[one].title}>
          <input
            type="radio"
            name="scheme"
            class="hidden"
            checked={scheme.value === one}
            onChange={() => chooseScheme(one)}
          />
          <Icon name={schemeLooks[one].icon} />
          <span class="hidden">{schemeLooks[one].title}</span>
        </label>
      ))}
    </fieldset>
  );
}
