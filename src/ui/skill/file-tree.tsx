import { useMemo, useState } from 'preact/hooks';
import { grouped } from '../../core/text/text.ts';
import { fileHref, lineHref, type Named } from '../markdown/address.ts';
import { Icon } from '../parts/icon.tsx';
import { foreign, foreignCut } from '../parts/words.ts';
import { type Folder, treeOf } from './tree.ts';

interface File {
  readonly path: string;
}

interface TreeProps {
  readonly named: Named;
  readonly files: readonly File[];
  /** The file that is shown. */
  readonly current?: string;
}

/** Entries of a folder that are drawn at first, and with each request for more; characters of a name. */
const step = 100;
const longest = 80;
/** Folders in which no more than this many files are: they are open from the start. */
const fewFiles = 12;

/** The files of a skill as a tree. */
export function FileTree({ named, files, current = '' }: TreeProps) {
  const tree = useMemo(() => treeOf(files), [files]);
  return (
    <nav class="tree" aria-label="Files of the skill">
      <Entries named={named} current={current} folder={tree} path="" />
    </nav>
  );
}

interface EntriesProps {
  readonly named: Named;
  readonly current: string;
  readonly folder: Folder<File>;
  readonly path: string;
}

function Entries({ named, current, folder, path }: EntriesProps) {
  const [most, setMost] = useState(step);
  const { folders, files } = folder;
  const left = Math.max(0, most - folders.length);
  const rest = folders.length + files.length - most;
  return (
    <ul>
      {folders.slice(0, most).map((one) => (
        <li key={one.name}>
          <FolderEntry named={named} current={current} folder={one} path={`${path}${one.name}/`} />
        </li>
      ))}
      {files.slice(0, left).map((file) => (
        <li key={file.path}>
          <a
            href={file.path === 'SKILL.md' ? lineHref(named, file.path, null) : fileHref(named, file.path)}
            aria-current={file.path === current ? 'page' : undefined}
          >
            <Icon name="file" />
            <bdi>{foreignCut(file.path.slice(path.length), longest)}</bdi>
          </a>
        </li>
      ))}
      {rest > 0 && (
        <li>
          <button type="button" onClick={() => setMost(most + step * 5)}>
            Show more ({grouped(rest)})
          </button>
        </li>
      )}
    </ul>
  );
}

function FolderEntry(props: EntriesProps) {
  const { folder, path, current } = props;
  const [isOpen, setIsOpen] = useState(folder.count <= fewFiles || current.startsWith(path));
  return (
    <details open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>
        <Icon name="folder" />
        <bdi>{foreignCut(folder.name, longest)}</bdi>
        <span class="quiet" title={foreign(path)}>
          {grouped(folder.count)}
        </span>
      </summary>
      {isOpen && <Entries {...props} />}
    </details>
  );
}
