/** Gives the start page a title picture, buttons and cards. The file itself stays plain, for GitHub. */

/** Returns the page with the first paragraph as its tagline, and the list after it as cards. */
export function asHome(text: string): string {
  const [, title, tagline, list = '', rest = ''] =
    /^# (.+)\n\n([^\n]+)\n\n((?:- \*\*.+\*\*.+\n)*)([\s\S]*)$/.exec(text) ?? [];
  if (!title || !tagline)
    throw new Error('The start page must begin with a heading and a paragraph of one line');
  const cards = [...list.matchAll(/^- \*\*(.+?)\*\* (.+)$/gm)].map(([, name, details]) => ({
    title: name!,
    details: details!.replace(/^./, (first) => first.toUpperCase()),
  }));
  const matter = {
    layout: 'home',
    title,
    titleTemplate: false,
    hero: {
      name: title,
      tagline,
      image: { src: '/logo.svg', alt: '' },
      actions: [
        { theme: 'brand', text: 'Quickstart', link: '/quickstart' },
        { theme: 'alt', text: 'For issuers', link: '/for-issuers' },
        { theme: 'alt', text: 'Why', link: '/why' },
        { theme: 'alt', text: 'Concepts', link: '/concepts' },
      ],
    },
    features: cards,
  };
  // JSON is YAML, too.
  return `---\n${JSON.stringify(matter)}\n---\n\n${rest}`;
}
