import type { Provider } from '../provider.ts';

/** Returns whether a URL is a page of the provider. */
export function isProviderUrl({ origins }: Pick<Provider, 'origins'>, text: string): boolean {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return false;
  }
  if (url.username !== '' || url.password !== '') return false;
  return origins.some((origin) => {
    const [scheme, host] = origin.split('://*.');
    // `*.host` means a name below it, not the host itself.
    if (host !== undefined) return url.protocol === `${scheme}:` && url.host.endsWith(`.${host}`);
    return url.origin === origin;
  });
}
