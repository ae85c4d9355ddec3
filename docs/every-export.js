/**
 * A plugin of typedoc that makes `npm run docs` fail in two cases:
 *
 * - An export, or a method of an exported class, cites a section that SPEC.md does not have.
 * - A property of an exported type has no comment.
 */
import { readFileSync } from 'node:fs';
import { Application, ReflectionKind } from 'typedoc';

const spec = readFileSync(new URL('SPEC.md', import.meta.url), 'utf8');
const sections = new Set([...spec.matchAll(/^## (\d+)\./gm)].map(([, number]) => number));

/** @param {import('typedoc').Application} app */
export function load(app) {
  app.on(Application.EVENT_VALIDATE_PROJECT, (project) => {
    const warn = (reflection, what) =>
      app.logger.validationWarning(`${reflection.getFriendlyFullName()} ${what}`);
    const exported = project
      .getReflectionsByKind(ReflectionKind.SomeExport)
      .filter(({ parent, variant }) => parent?.kind === ReflectionKind.Module && variant !== 'reference');
    // Members that Error declares are documented elsewhere.
    const own = (kind) => project.getReflectionsByKind(kind).filter(({ flags }) => !flags.isExternal);
    const methods = own(ReflectionKind.Method).filter(({ parent }) => parent?.kind === ReflectionKind.Class);
    for (const reflection of [...exported, ...methods]) {
      const wrong = citationProblem(textOf(reflection));
      if (wrong) warn(reflection, wrong);
    }
    for (const property of own(ReflectionKind.Property)) {
      if (!property.hasComment() && !isDiscriminant(property)) warn(property, 'has no comment');
    }
  });
}

/** Returns the comment of a reflection, or of the signatures of a function. */
function textOf(reflection) {
  const comments = [reflection.comment, ...(reflection.signatures ?? []).map(({ comment }) => comment)];
  return comments.flatMap((comment) => comment?.summary.map(({ text }) => text) ?? []).join('');
}

function citationProblem(text) {
  const cited = [...text.matchAll(/SPEC\.md\s+sections?\s+([\d, and]*\d)/g)].flatMap(([, list]) =>
    list.match(/\d+/g),
  );
  const unknown = cited.find((section) => !sections.has(section));
  return unknown ? `cites section ${unknown}, which SPEC.md does not have` : null;
}

/** Returns whether a property is a literal that distinguishes the variants of a union. It needs no comment. */
function isDiscriminant({ type, parent }) {
  const literals = type?.type === 'union' ? type.types : [type];
  return parent?.kind === ReflectionKind.TypeLiteral && literals.every((each) => each?.type === 'literal');
}
