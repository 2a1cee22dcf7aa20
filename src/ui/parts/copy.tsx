import { useEffect, useState } from 'preact/hooks';

const thanksMs = 1500;

/**
 * A button that copies a text. Browsers allow no copying over plain HTTP from another machine; then there is no button.
 */
export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setIsCopied(false), thanksMs);
    return () => clearTimeout(timer);
  }, [isCopied]);
  if (!isSecureContext) return null;
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => setIsCopied(true),
      () => {},
    );
  };
  return (
    <button type="button" class="copy" onClick={copy} aria-label={isCopied ? 'Copied' : label}>
      {isCopied ? 'Copied' : 'Copy'}
    </button>
  );
}
