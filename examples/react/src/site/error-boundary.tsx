import { Component, type ReactNode } from 'react';

interface ErrorBoundaryProps {
  readonly children: ReactNode;
}

/** Shows a way out in place of an empty page when a component throws. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { readonly error: Error | null }> {
  override state: { readonly error: Error | null } = { error: null };

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (!error) return this.props.children;
    return (
      <div role="alert" className="notice notice-bad stack-small">
        <p>This page has an error: {error.message}</p>
        <p>Reload the page. Operations under way go on.</p>
        <div>
          <button type="button" className="button-small" onClick={() => location.reload()}>
            Reload
          </button>
        </div>
      </div>
    );
  }
}
