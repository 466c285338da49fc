import { renderDocument, writeDocument, type RenderFormatId, type RenderSource } from '../../src/render/render.ts'
import { SvcError } from '../../src/errors.ts'

/** Which document of a version is wanted. */
export interface Rendering {
  readonly kind: RenderFormatId
  readonly className: string | null
  readonly syntax: 'json' | 'yaml'
}

/** The text of a rendered document. Raises `class-not-found`, `no-workflows`. */
export function renderVersion(
  spec: RenderSource | null,
  { kind, className, syntax }: Rendering,
  label: string,
): string {
  if (!spec) throw new SvcError('document-invalid', { reason: 'it cannot be read' })
  const rendered = renderDocument(spec, kind, className ?? undefined)
  if (rendered.missing === 'class-not-found') throw new SvcError('class-not-found', { class_name: className ?? '' })
  if (rendered.value === undefined) throw new SvcError('no-workflows', { version: label })
  return writeDocument(rendered.value, syntax)
}
