/** Edits that name their place by a JSON Pointer or an anchor, as a new text that is otherwise as its author wrote it. */
import { findStep, resolveKey } from '../../../src/anchors/key.ts'
import type { Document } from '../../../src/document/document.ts'
import { SvcError } from '../../../src/errors.ts'
import type { Json, Path } from '../../../src/kernel/json.ts'
import { followPath, formatPointer, parsePointer, unescapeToken } from '../../../src/kernel/pointer.ts'
import { applyOperation, PatchRefused, type PatchOperation } from '../../../src/patch/json-patch.ts'
import { patchText } from '../../../src/patch/patch-text.ts'

/** One edit. Without `op`: a `value` replaces what is there or is added, none removes it. */
export interface Edit {
  readonly op?: PatchOperation['op'] | undefined
  /** A JSON Pointer ("/info/title", "/tags/-") or an anchor ("GET /pets#parameters/query:limit", "schema:Pet#properties/name"). */
  readonly path: string
  readonly value?: Json
}

const isPointer = (path: string): boolean => path === '' || path.startsWith('/') || path.startsWith('#/')

/** The path that an anchor leads to, whose last step may be new; null where the rest of it is not there. */
function anchored(value: Json, anchor: string): Path | null {
  const found = resolveKey(value, anchor)
  if (found !== null) return found
  const slash = anchor.lastIndexOf('/')
  const hash = anchor.indexOf('#')
  if (hash < 0) return null
  const inner = slash > hash
  const parent = inner ? anchor.slice(0, slash) : anchor.slice(0, hash) + (hash === 0 ? '#' : '')
  const step = unescapeToken(anchor.slice((inner ? slash : hash) + 1))
  const container = resolveKey(value, parent)
  if (container === null || step === '') return null
  const node = followPath(value, container)?.value ?? null
  return [...container, Array.isArray(node) ? (findStep(node, step) ?? step) : step]
}

/** The pointer that an edit means in a document. @throws PatchRefused */
function pointerOf(value: Json, { path }: Edit, at: number): string {
  if (isPointer(path)) return path.startsWith('#') ? path.slice(1) : path
  const found = anchored(value, path)
  if (found === null) throw new PatchRefused(at, `there is no place "${path}"`)
  return formatPointer(found)
}

const exists = (value: Json, pointer: string): boolean => {
  const path = parsePointer(pointer)
  return path !== null && followPath(value, path) !== null
}

function operationOf(value: Json, edit: Edit, at: number): PatchOperation {
  const path = pointerOf(value, edit, at)
  const put = exists(value, path) ? 'replace' : 'add'
  const op = edit.op ?? (edit.value === undefined ? 'remove' : put)
  return edit.value === undefined ? { op, path } : { op, path, value: edit.value }
}

/**
 * The text of a document after edits. Each edit sees the result of the edits before it.
 * @throws SvcError `edit-refused` with the number of the edit that has no such place
 */
export function editedText(document: Document, edits: readonly Edit[], name: string): string {
  let value = document.value
  const patch: PatchOperation[] = []
  try {
    for (const [at, edit] of edits.entries()) {
      const operation = operationOf(value, edit, at)
      value = applyOperation(value, operation, at)
      patch.push(operation)
    }
    return patchText(document, patch)
  } catch (error) {
    if (!(error instanceof PatchRefused)) throw error
    throw new SvcError('edit-refused', { at: error.at + 1, name, reason: error.message.replace(/\.$/, '') })
  }
}
