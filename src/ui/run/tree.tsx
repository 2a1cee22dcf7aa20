import { useState } from 'preact/hooks';
import { counted } from '../../core/text/text.ts';
import { foreignCut } from '../parts/words.ts';

/** Entries of a list or an object that are shown at first, and with each request for more. */
const step = 100;
const longestText = 2000;
const longestName = 200;

/** Data as a tree. A branch is drawn when it is opened, so that neither depth nor size matters. */
export function Tree({ value }: { readonly value: unknown }) {
  return (
    <div class="tree">
      <Node name={null} value={value} depth={0} />
    </div>
  );
}

interface NodeProps {
  readonly name: string | null;
  readonly value: unknown;
  readonly depth: number;
}

/** Levels that are open at first, and entries up to which a branch is. */
const [openLevels, openEntries] = [3, 20];

function Node({ name, value, depth }: NodeProps) {
  const label = name === null ? null : <span class="tree-name">{foreignCut(name, longestName)}: </span>;
  if (typeof value !== 'object' || value === null) {
    return (
      <div class="tree-leaf">
        {label}
        <Leaf value={value} />
      </div>
    );
  }
  return <Branch label={label} value={value} depth={depth} />;
}

interface BranchProps {
  readonly label: preact.ComponentChild;
  readonly value: object;
  readonly depth: number;
}

function Branch({ label, value, depth }: BranchProps) {
  const [most, setMost] = useState(step);
  const isList = Array.isArray(value);
  const names = Object.keys(value);
  const [isOpen, setIsOpen] = useState(depth === 0 || (depth < openLevels && names.length <= openEntries));
  const size = isList ? counted(names.length, 'item') : counted(names.length, 'entry', 'entries');
  if (names.length === 0) {
    return (
      <div class="tree-leaf">
        {label}
        {isList ? '[ ]' : '{ }'}
      </div>
    );
  }
  return (
    <details open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>
        {label}
        <span class="quiet">
          {isList ? '[…]' : '{…}'} {size}
        </span>
      </summary>
      {isOpen && (
        <div class="tree-branch">
          {names.slice(0, most).map((name) => (
            <Node key={name} name={name} value={(value as Readonly<Record<string, unknown>>)[name]} depth={depth + 1} />
          ))}
          {names.length > most && (
            <button type="button" onClick={() => setMost(most + step * 5)}>
              Show more
            </button>
          )}
        </div>
      )}
    </details>
  );
}

function Leaf({ value }: { readonly value: unknown }) {
  if (typeof value === 'string') return <bdi class="tree-text">{foreignCut(JSON.stringify(value), longestText)}</bdi>;
  return <span class="tree-value">{String(value)}</span>;
}
