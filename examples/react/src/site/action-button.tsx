import type { ComponentProps } from 'react';

interface ActionButtonProps extends ComponentProps<'button'> {
  /** Whether the action runs. */
  readonly busy: boolean;
  /** The text while it runs. */
  readonly busyText: string;
}

/** A button for an action that takes time. It is not disabled meanwhile: a disabled button loses the focus. */
export function ActionButton({ busy, busyText, onClick, children, ...others }: ActionButtonProps) {
  return (
    <button
      type="button"
      {...others}
      aria-disabled={busy || undefined}
      onClick={(event) => {
        if (busy) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {busy ? busyText : children}
    </button>
  );
}
