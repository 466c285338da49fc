import { isObject, type JsonObject } from '../../src/kernel/json.ts'
import { nameFieldKey } from '../../src/import/naming.ts'
import { renderDocument, writeDocument, type RenderFormatId, type RenderSource } from '../../src/render/render.ts'
import { SvcError } from '../../src/errors.ts'

/** How registered types appear in a document: by reference, as schemas of the document, or at the places of the references. */
export type RefsMode = 'keep' | 'bundle' | 'inline'

/** Which document of a version is wanted. */
export interface Rendering {
  readonly kind: RenderFormatId
  readonly className: string | null
  readonly syntax: 'json' | 'yaml'
  /** What becomes of references to registered types. */
  readonly refs: RefsMode
}

/** What a version says of itself beside its document. */
export interface Labelled {
  readonly label: string
  /** The field that names the project, as the import gave it: kept in the document, so that the next import finds it. */
  readonly nameField: string | null
}

const withNameField = (value: JsonObject, field: string | null): JsonObject =>
  field !== null && isObject(value.info) ? { ...value, info: { ...value.info, [nameFieldKey]: field } } : value

/**
 * The text of a rendered document.
 * @throws SvcError `class-not-found`, `no-workflows`
 */
export function renderVersion(
  spec: RenderSource | null,
  { kind, className, syntax }: Rendering,
  { label, nameField }: Labelled,
): string {
  if (!spec) throw new SvcError('document-invalid', { reason: 'it cannot be read' })
  const rendered = renderDocument(spec, kind, className ?? undefined)
  if (rendered.missing === 'class-not-found') throw new SvcError('class-not-found', { class_name: className ?? '' })
  if (rendered.value === undefined) throw new SvcError('no-workflows', { version: label })
  return writeDocument(withNameField(rendered.value, nameField), syntax)
}
