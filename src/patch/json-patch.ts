/** JSON Patch (RFC 6902) on values. */
import { isObject, type Json, type Path } from '../kernel/json.ts'
import { followPath, parsePointer } from '../kernel/pointer.ts'

/**
 * One change of a document. `move` gives a property another name and keeps its place among the others; `copy` and `test` are not
 * needed for suggestions and are not part of them.
 */
export interface PatchOperation {
  readonly op: 'add' | 'remove' | 'replace' | 'move'
  /** JSON Pointer; "-" after the pointer of a list is behind its last item. */
  readonly path: string
  /** The JSON Pointer of the property that `move` renames. */
  readonly from?: string
  readonly value?: Json
}
export type JsonPatch = readonly PatchOperation[]
/** An operation on a value, which renames nothing. */
export type ValueOperation = PatchOperation & { readonly op: 'add' | 'remove' | 'replace' }

/** Why a patch cannot be applied: the position of the operation and what is wrong with it. */
export class PatchRefused extends Error {
  readonly at: number
  constructor(at: number, reason: string) {
    super(reason)
    this.at = at
  }
}

/** Where an operation changes something: the list or object and the step below it. */
export interface Target {
  readonly container: Path
  /** The position for a list: of the new item for `add`. */
  readonly step: string | number
}

const position = /^(?:0|[1-9]\d*)$/

/**
 * The name that a `move` gives a property of the same object.
 * @throws PatchRefused where it leads elsewhere, or there is such a property
 */
export function newNameOf(document: Json, { path, from }: PatchOperation, at: number): string {
  const [to, name] = splitLast(path)
  if (from === undefined || splitLast(from)[0] !== to)
    throw new PatchRefused(at, '"move" gives a property another name: "from" is in the same object as "path"')
  const object = followPath(document, parsePointer(to) ?? [])?.value
  if (object === undefined || !isObject(object)) throw new PatchRefused(at, `"${to}" is not an object`)
  if (Object.hasOwn(object, name)) throw new PatchRefused(at, `"${path}" exists`)
  return name
}

/** A pointer as that of what is around it, and its last step as it is written in a document. */
function splitLast(pointer: string): [around: string, step: string] {
  const at = Math.max(0, pointer.lastIndexOf('/'))
  return [pointer.slice(0, at), parsePointer(pointer.slice(at))?.[0] ?? '']
}

/**
 * Where an operation changes something; of `move` the property that gets another name.
 * @throws PatchRefused where the operation has no such place
 */
export function targetOf(document: Json, operation: PatchOperation, at: number): Target | null {
  const { op } = operation
  const path = op === 'move' ? (operation.from ?? '') : operation.path
  const keys = parsePointer(path)
  if (keys === null) throw new PatchRefused(at, `"${path}" is not a JSON Pointer`)
  const last = keys.at(-1)
  if (last === undefined) {
    if (op === 'replace') return null
    throw new PatchRefused(at, `the whole document cannot be the target of "${op}"`)
  }
  const found = followPath(document, keys.slice(0, -1))
  if (found === null) throw new PatchRefused(at, `"${path}" does not exist`)
  const { path: container, value } = found
  if (Array.isArray(value)) {
    const { length } = value as readonly Json[]
    if (op === 'add' && last === '-') return { container, step: length }
    const step = position.test(last) ? Number(last) : -1
    if (step < 0 || step > (op === 'add' ? length : length - 1))
      throw new PatchRefused(at, `"${path}" is not a position of the list`)
    return { container, step }
  }
  if (!isObject(value)) throw new PatchRefused(at, `"${path}" is below a value that is not an object or a list`)
  if (op !== 'add' && !Object.hasOwn(value, last)) throw new PatchRefused(at, `"${path}" does not exist`)
  return { container, step: last }
}

/** A value with one of its nodes changed by a function; everything beside the way there is shared. */
function changedAt(node: Json, path: Path, change: (container: Json) => Json): Json {
  const [step, ...rest] = path
  if (step === undefined) return change(node)
  const child = changedAt((node as Record<string | number, Json>)[step] as Json, rest, change)
  if (Array.isArray(node)) return (node as readonly Json[]).with(Number(step), child)
  return { ...(node as Record<string, Json>), [step]: child }
}

function changedChild(container: Json, { op, value = null }: PatchOperation, step: string | number): Json {
  if (Array.isArray(container)) {
    const list = container as readonly Json[]
    if (op === 'replace') return list.with(Number(step), value)
    return op === 'add' ? list.toSpliced(Number(step), 0, value) : list.toSpliced(Number(step), 1)
  }
  const { [step]: _, ...others } = container as Record<string, Json>
  if (op === 'remove') return others
  return op === 'replace' ? { ...(container as Record<string, Json>), [step]: value } : { ...others, [step]: value }
}

/** The value after one operation. @throws PatchRefused */
export function applyOperation(document: Json, operation: PatchOperation, at: number): Json {
  if (operation.op === 'move') return renamed(document, operation, at)
  if (operation.op !== 'remove' && operation.value === undefined)
    throw new PatchRefused(at, `"${operation.op}" has no "value"`)
  const target = targetOf(document, operation, at)
  if (target === null) return operation.value ?? null
  return changedAt(document, target.container, (it) => changedChild(it, operation, target.step))
}

function renamed(document: Json, operation: PatchOperation, at: number): Json {
  const name = newNameOf(document, operation, at)
  const target = targetOf(document, operation, at)
  if (target === null) return document
  const entry = ([key, value]: [string, Json]): [string, Json] => [key === target.step ? name : key, value]
  return changedAt(document, target.container, (it) =>
    Object.fromEntries(Object.entries(it as Record<string, Json>).map(entry)),
  )
}

/** The value after a patch. @throws PatchRefused */
export const applyPatch = (document: Json, patch: JsonPatch): Json => patch.reduce(applyOperation, document)
