/** Draws Mermaid diagrams while the site is built, so that a page loads no script for them. */
import { renderMermaidSVG } from 'beautiful-mermaid';

/**
 * Returns the SVG of a diagram in a figure. Its colours are custom properties of the theme's style.css.
 *
 * @throws Error if it is not a diagram that can be drawn
 */
export function diagramOf(code: string, { name, id }: { name: string; id: string }): string {
  // Screen readers read this line. Mermaid itself uses it in the same way.
  const title = /^\s*accTitle:\s*(.+)$/m.exec(code)?.[1] ?? name;
  const drawn = renderMermaidSVG(code.replace(/^\s*acc(Title|Descr):.*\n/gm, ''), { transparent: true })
    // The theme has these styles. The element would load a font from another host.
    .replace(/<style>[\s\S]*?<\/style>/, '')
    .replace(/ style="--bg[^"]*"/, ` role="img" aria-label="${escaped(title)}"`)
    // A wide diagram shrinks to the page, but only while its text can be read. Then it scrolls.
    .replace(
      / width="([\d.]+)"( height="[\d.]+")/,
      (_, width) => ` style="width:${width}px;min-width:${0.8 * width}px"`,
    )
    // The diagrams of a page share one document, so each has its own arrowheads.
    .replaceAll(/(id="|url\(#)(?=[\w-]+[")])/g, `$1${id}-`);
  return `<figure class="diagram" tabindex="0" v-pre>${drawn.replaceAll(/\n\s*/g, '')}</figure>\n`;
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
