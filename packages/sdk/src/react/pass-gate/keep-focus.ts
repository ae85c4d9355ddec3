import { Component, createElement, type ReactElement, type ReactNode } from 'react';

interface Props {
  /** The attributes of the element. */
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly children?: ReactNode;
}

/**
 * Renders an element that keeps the focus: when the focused button disappears, the element takes the focus, so that a
 * keyboard continues there and not at the top of the page. Only a class can look before React changes the page.
 */
export class KeepFocus extends Component<Props> {
  #element: HTMLElement | null = null;
  readonly #note = (element: HTMLElement | null) => {
    this.#element = element;
  };

  override getSnapshotBeforeUpdate(): boolean {
    return this.#element?.contains(document.activeElement) ?? false;
  }

  override componentDidUpdate(_props: Props, _state: unknown, hadFocus: boolean): void {
    if (hadFocus && this.#element && !this.#element.contains(document.activeElement)) this.#element.focus();
  }

  override render(): ReactElement {
    const { attributes, children } = this.props;
    return createElement('div', { ...attributes, ref: this.#note, tabIndex: -1 }, children);
  }
}
