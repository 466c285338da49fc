/** Keys: places of a document by what they mean, which stay the same while positions in lists change. */
import { isObject, type Json, type JsonObject, type Path } from '../kernel/json.ts'
import { isMethod } from '../kernel/methods.ts'
import { itemNames, positionOf } from './list-items.ts'
import { unescapeToken } from '../kernel/pointer.ts'

/** The objects of a document that hold its named schemas, as far as they are there. */
const schemaPlaces: readonly Path[] = [['components', 'schemas'], ['definitions'], ['$defs']]

const childOf = (value: Json | undefined, step: string): Json | undefined =>
  isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined

export const objectAt = (document: Json, path: Path): JsonObject | null => {
  let node: Json | undefined = document
  for (const step of path) node = childOf(node, String(step))
  return isObject(node) ? node : null
}

/** The paths of the schemas that have a name. */
const schemasNamed = (document: Json, name: string): Path[] =>
  schemaPlaces
    .filter((path) => childOf(objectAt(document, path) ?? undefined, name) !== undefined)
    .map((path) => [...path, name])

/** A path template without the names of its parameters: "/pets/{}". */
const templateOf = (path: string): string => path.replaceAll(/\{[^{}]*\}/g, '{}')

/**
 * The operation or path item of a template: the one written so, else the only one that differs in the names of parameters.
 * @param method null asks for the path item
 */
export function findPathItem(document: Json, path: string, method: string | null): Path | null {
  const items = objectAt(document, ['paths'])
  if (items === null) return null
  const has = (item: Json | undefined): boolean => isObject(item) && (method === null || Object.hasOwn(item, method))
  const tail = method === null ? [] : [method]
  if (has(childOf(items, path))) return ['paths', path, ...tail]
  const wanted = templateOf(path)
  if (!wanted.includes('{}')) return null
  const same = Object.keys(items).filter((it) => templateOf(it) === wanted && has(items[it]))
  return same.length === 1 ? ['paths', same[0] as string, ...tail] : null
}

const escapeStep = (step: string): string => step.replaceAll('~', '~0').replaceAll('/', '~1')
const escapeHead = (text: string): string => text.replaceAll('~', '~0').replaceAll('#', '~2')
const unescapeHead = (text: string): string => text.replaceAll('~2', '#').replaceAll('~0', '~')

/** How many steps of a path its head takes, and the head. */
function headOf(document: Json, path: Path): { readonly head: string; readonly length: number } {
  const [first, second, third] = path
  if (first === 'paths' && typeof second === 'string' && second.startsWith('/'))
    return isMethod(third)
      ? { head: `${third.toUpperCase()} ${escapeHead(second)}`, length: 3 }
      : { head: `PATH ${escapeHead(second)}`, length: 2 }
  for (const place of schemaPlaces) {
    const name = path[place.length]
    const isHere = typeof name === 'string' && place.every((step, at) => path[at] === step)
    // A name that two places have would not say which is meant.
    if (isHere && schemasNamed(document, name).length === 1)
      return { head: `schema:${escapeHead(escapeStep(name))}`, length: place.length + 1 }
  }
  return { head: '', length: 0 }
}

/**
 * The key of the node at a path: "GET /pets/{id}#parameters/query:limit", "schema:Pet#properties/name", "#info/title";
 * "#" is the document.
 * @param path leads to a node of the document, positions of lists as numbers
 */
export function keyOf(document: Json, path: Path): string {
  const { head, length } = headOf(document, path)
  const names: string[] = []
  let node: Json = document
  path.forEach((step, at) => {
    const name = Array.isArray(node) ? (itemNames(node as readonly Json[]).names[Number(step)] ?? '') : String(step)
    if (at >= length) names.push(escapeStep(name))
    node = (node as Record<string | number, Json>)[step] as Json
  })
  return names.length === 0 && head !== '' ? head : `${head}#${names.join('/')}`
}

/** A key in its parts. */
export interface KeyParts {
  /** "GET /pets/{id}", "PATH /pets", "schema:Pet", or "" for what begins at the document. */
  readonly head: string
  readonly steps: readonly string[]
}

export function partsOf(key: string): KeyParts {
  const at = key.indexOf('#')
  if (at < 0) return { head: key, steps: [] }
  const rest = key.slice(at + 1)
  return { head: key.slice(0, at), steps: rest === '' ? [] : rest.split('/').map(unescapeToken) }
}

/** Where the head of a key leads; null where that is not in the document, or not certain. */
export function findHead(document: Json, head: string): Path | null {
  if (head === '') return []
  if (head.startsWith('schema:')) {
    const found = schemasNamed(document, unescapeToken(unescapeHead(head.slice(7))))
    return found.length === 1 ? (found[0] as Path) : null
  }
  const space = head.indexOf(' ')
  const method = head.slice(0, space)
  return findPathItem(document, unescapeHead(head.slice(space + 1)), method === 'PATH' ? null : method.toLowerCase())
}

/** The step below a node that a name leads to: a key of an object, a position of a list; null without one. */
export function findStep(node: Json, name: string): string | number | null {
  if (Array.isArray(node)) {
    const at = positionOf(node as readonly Json[], name)
    return at < 0 ? null : at
  }
  return childOf(node, name) === undefined ? null : name
}

/** The path that a key leads to; null where there is none. */
export function resolveKey(document: Json, key: string): Path | null {
  const { head, steps } = partsOf(key)
  const start = findHead(document, head)
  if (start === null) return null
  const path = [...start]
  let node = start.reduce<Json>((it, step) => (it as Record<string | number, Json>)[step] as Json, document)
  for (const name of steps) {
    const step = findStep(node, name)
    if (step === null) return null
    path.push(step)
    node = (node as Record<string | number, Json>)[step] as Json
  }
  return path
}
