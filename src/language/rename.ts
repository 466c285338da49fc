/** Renaming a definition: its key and every text that names it, nothing else. */
import type { Document } from '../document/document.ts'
import { getPath } from '../kernel/pointer.ts'
import type { Edit } from '../kernel/edits.ts'
import { isObject, type Path } from '../kernel/json.ts'
import { componentAt, type Component } from './component.ts'
import { usesOf, type Use } from './uses.ts'

/** Why a definition cannot be renamed, as a sentence. */
export class CannotRename extends Error {}

/** The edits of one document. */
export interface DocumentEdits {
  readonly document: Document
  readonly edits: readonly Edit[]
}

// OpenAPI 3.1, 4.8.7: names of components.
const validName = /^[A-Za-z0-9._-]+$/
// What YAML would not take for a text.
const needsQuotes = /^(?:[-+.\d].*|~|null|true|false|yes|no|on|off|y|n)$/i

interface Scalar {
  readonly start: number
  readonly end: number
  /** What the text says, without its quotes. */
  readonly inner: string
  /** The offset of `inner`. */
  readonly at: number
}

function scalarAt(document: Document, path: Path, isKey: boolean): Scalar | null {
  const span = document.span(path, { key: isKey })
  if (span === null) return null
  const { start, end } = span
  const written = document.text.slice(start, end)
  const isQuoted = /^(["']).*\1$/s.test(written) && written.length > 1
  return { start, end, inner: isQuoted ? written.slice(1, -1) : written, at: start + (isQuoted ? 1 : 0) }
}

/** A whole name as it is written: plain where it was and may stay so. */
function nameEdit({ start, end, at, inner }: Scalar, name: string): Edit {
  const wasPlain = at === start
  if (wasPlain && needsQuotes.test(name)) return { start, end, text: `'${name}'` }
  return { start: at, end: at + inner.length, text: name }
}

/** The step of a pointer in a written reference: `depth` steps behind the "#". */
function stepEdit({ at, inner }: Scalar, depth: number, name: string): Edit | null {
  let from = inner.indexOf('#')
  for (let step = 0; step < depth; step++) {
    from = inner.indexOf('/', from + 1)
    if (from === -1) return null
  }
  const next = inner.indexOf('/', from + 1)
  return { start: at + from + 1, end: at + (next === -1 ? inner.length : next), text: name }
}

const suffixEdit = ({ at, inner }: Scalar, old: string, name: string): Edit | null =>
  inner.endsWith(old) ? { start: at + inner.length - old.length, end: at + inner.length, text: name } : null

function useEdit(use: Use, { path, name: old }: Component, name: string): Edit | null {
  const scalar = scalarAt(use.document, use.path, use.isKey)
  if (scalar === null) return null
  if (use.isKey || scalar.inner === old) return nameEdit(scalar, name)
  if (scalar.inner.startsWith('$components.')) return suffixEdit(scalar, old, name)
  // Anchors and identifiers stay what they are: they do not depend on the name.
  const fragment = scalar.inner.split('#')[1]
  if (fragment === undefined || !fragment.startsWith('/')) return null
  // Below an identifier a pointer begins at the schema that has it, so that fewer steps lead to the name.
  const depth = fragment.split('/').length - 1 - (use.target.path.length - path.length)
  return depth <= 0 ? null : stepEdit(scalar, depth, name)
}

/** The definition at a path or that the text there names: what renaming at that place would rename. */
export function renamable(document: Document, path: Path): Component | null {
  const component = componentAt(document.value, path)
  return component !== null && component.path.length === path.length ? component : null
}

/**
 * The edits that rename a definition.
 * @param all what names anything, of every document that is known
 * @throws CannotRename where the name is invalid, taken, or the definition is not written as an entry of its own
 */
export function renameComponent(
  document: Document,
  component: Component,
  name: string,
  all: readonly Use[],
): DocumentEdits[] {
  if (!validName.test(name))
    throw new CannotRename(`"${name}" is not a valid name; use only letters, digits, ".", "-" and "_".`)
  if (name === component.name) return []
  const map = getPath(document.value, component.path.slice(0, -1))
  if (isObject(map) && Object.hasOwn(map, name))
    throw new CannotRename(
      `There already is a "${name}" in ${component.path.slice(0, -1).join('.')}; choose another name.`,
    )
  const own = scalarAt(document, component.path, true)
  if (own === null)
    throw new CannotRename(`"${component.name}" is not written here as an entry of its own (a YAML alias or merge).`)
  const edits = new Map<Document, Edit[]>([[document, [nameEdit(own, name)]]])
  for (const use of usesOf(all, { document, path: component.path })) {
    const edit = useEdit(use, component, name)
    if (edit === null) continue
    const known = edits.get(use.document) ?? []
    if (!known.some((it) => it.start === edit.start)) known.push(edit)
    edits.set(use.document, known)
  }
  return [...edits].map(([it, its]) => ({ document: it, edits: its.toSorted((a, b) => a.start - b.start) }))
}
