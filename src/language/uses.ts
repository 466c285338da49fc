/** What the parts of a document refer to, by `$ref` and by name, and what refers to them. */
import type { Document } from '../document/document.ts'
import { isObject, type Json, type JsonObject, type Path } from '../kernel/json.ts'
import { methodsOf } from '../kernel/methods.ts'
import { getPath } from '../kernel/pointer.ts'
import { baseAt, resolveReference, type Documents, type Target } from '../document/reference.ts'
import { visitNodes } from '../document/references-in-document.ts'
import { eachOperation } from '../lint/oas/operations.ts'
import { isReference } from '../document/links.ts'

/** A text of a document that names a part of this or another one. */
export interface Use {
  readonly document: Document
  /** Of the text, or of the entry whose key it is. */
  readonly path: Path
  /** Whether the key of the entry is the name. */
  readonly isKey: boolean
  readonly target: Target
}

type Found = Pick<Use, 'path' | 'isKey'> & { readonly target: Target }

/** What is named where: by `$ref` and the like, or by a name that only means something at its place. */
type Meaning = { readonly path: Path; readonly isKey: boolean } & (
  | { readonly ref: string }
  | { readonly local: Path }
  | { readonly operationId: string }
)

const plainName = /^[A-Za-z0-9._-]+$/

const isSwagger = (value: Json): boolean => isObject(value) && value.swagger !== undefined
const schemasPath = (value: Json): Path => (isSwagger(value) ? ['definitions'] : ['components', 'schemas'])
const schemesPath = (value: Json): Path =>
  isSwagger(value) ? ['securityDefinitions'] : ['components', 'securitySchemes']

function meaningsOf(node: JsonObject, path: Path, root: Json): Meaning[] {
  const found: Meaning[] = []
  for (const key of ['$ref', '$dynamicRef', 'operationRef'] as const) {
    const ref = node[key]
    if (typeof ref === 'string') found.push({ path: [...path, key], isKey: false, ref })
  }
  if (isObject(node.discriminator) && isObject(node.discriminator.mapping))
    for (const [key, ref] of Object.entries(node.discriminator.mapping)) {
      if (typeof ref !== 'string') continue
      const own = { path: [...path, 'discriminator', 'mapping', key], isKey: false }
      if (plainName.test(ref) && !isReference(ref)) found.push({ ...own, local: [...schemasPath(root), ref] })
      else found.push({ ...own, ref })
    }
  if (Array.isArray(node.security))
    for (const [index, requirement] of (node.security as readonly Json[]).entries())
      if (isObject(requirement))
        for (const name of Object.keys(requirement))
          found.push({
            path: [...path, 'security', index, name],
            isKey: true,
            local: [...schemesPath(root), name],
          })
  if (typeof node.reference === 'string' && /^\$components\.[a-zA-Z]+\.[A-Za-z0-9._-]+$/.test(node.reference)) {
    const [, kind = '', ...name] = node.reference.split('.')
    found.push({ path: [...path, 'reference'], isKey: false, local: ['components', kind, name.join('.')] })
  }
  if (typeof node.operationId === 'string' && isNaming(path)) {
    const operationId = node.operationId.replace(/^\$sourceDescriptions\.[A-Za-z0-9_-]+\./, '')
    found.push({ path: [...path, 'operationId'], isKey: false, operationId })
  }
  return found
}

// Links and steps name the operation of another place; an operation names itself.
const isNaming = (path: Path): boolean => path.at(-2) === 'links' || path.at(-2) === 'steps'

const targetIn = (document: Document, path: Path): Target | null => {
  const value = getPath(document.value, path)
  return value === undefined ? null : { document, path, value }
}

const operations = new WeakMap<Document, ReadonlyMap<string, Path>>()

/** The places of the operations of a document, by their ids. */
export function operationPaths(document: Document): ReadonlyMap<string, Path> {
  let found = operations.get(document)
  if (found === undefined) {
    const { value } = document
    const all = [...eachOperation(isObject(value) ? value.paths : undefined, methodsOf(value), (it) => it)]
    found = new Map(
      all.flatMap(({ path, steps, operation: { operationId } }): [string, Path][] =>
        typeof operationId === 'string' ? [[operationId, ['paths', path, ...steps]]] : [],
      ),
    )
    operations.set(document, found)
  }
  return found
}

function resolveMeaning(document: Document, meaning: Meaning, base: string, documents: Documents): Target | null {
  if ('ref' in meaning) {
    const found = resolveReference(document, { ref: meaning.ref, base }, documents)
    return typeof found === 'object' ? found : null
  }
  if ('local' in meaning) return targetIn(document, meaning.local)
  for (const one of [document, ...Object.values(documents)]) {
    const path = operationPaths(one).get(meaning.operationId)
    if (path !== undefined) return targetIn(one, path)
  }
  return null
}

/**
 * Everything in a document that names a part of a document.
 * @param documents those that its references may lead to, by the names that resolving gives them
 */
export function usesIn(document: Document, documents: Documents): Use[] {
  const found: Use[] = []
  const known = new Map<string, Target | null>()
  visitNodes(document.value, (node, path, { base }) => {
    for (const meaning of meaningsOf(node, [...path], document.value)) {
      const key = 'ref' in meaning ? `${base} ${meaning.ref}` : null
      let target = key === null ? undefined : known.get(key)
      if (target === undefined) target = resolveMeaning(document, meaning, base, documents)
      if (key !== null) known.set(key, target)
      if (target !== null) found.push({ document, path: meaning.path, isKey: meaning.isKey, target })
    }
  })
  return found
}

const isAt = (a: Path, b: Path): boolean =>
  a.length === b.length && a.every((step, index) => String(step) === String(b[index]))

/** What the text at a path names; null where it names nothing, or nothing that is there. */
export function targetAt(document: Document, path: Path, documents: Documents): Found | null {
  for (let depth = path.length; depth >= Math.max(0, path.length - 4); depth--) {
    const holder = path.slice(0, depth)
    const node = getPath(document.value, holder)
    if (node === undefined || !isObject(node)) continue
    for (const meaning of meaningsOf(node, holder, document.value)) {
      if (!isAt(meaning.path, path)) continue
      const base = baseAt({ document, path: holder })
      const target = resolveMeaning(document, meaning, base, documents)
      return target === null ? null : { path: meaning.path, isKey: meaning.isKey, target }
    }
  }
  return null
}

const leadsTo = (path: Path, wanted: Path): boolean =>
  path.length >= wanted.length && wanted.every((step, index) => String(step) === String(path[index]))

/** The uses among some that name a part of a document, or something in it. */
export const usesOf = (all: readonly Use[], { document, path }: Pick<Target, 'document' | 'path'>): Use[] =>
  all.filter(({ target }) => target.document.source === document.source && leadsTo(target.path, path))
