/** Operations that were called and that a document does not have yet, as a patch of it that claims nothing it does not know. */
import { isObject, type Json } from '../../kernel/json.ts'
import { openapi30Methods } from '../../kernel/methods.ts'
import { formatPointer } from '../../kernel/pointer.ts'
import type { JsonPatch } from '../../patch/json-patch.ts'
import { shapeOfTemplate } from './coverage.ts'

/** An operation to be added. */
export interface Addition {
  readonly method: string
  /** As "/pets/{id}/toys/{id}": the names of parameters are made here. */
  readonly path: string
  /** Says where it was seen. */
  readonly description: string
}

/** The methods of operations that can be added to a document of any version from 3.0 on. */
export const addableMethods: readonly string[] = openapi30Methods.map((it) => it.toUpperCase())

/** A path with another name for each of its parameters: "/pets/{petId}/toys/{toyId}". */
export function namedPath(path: string): string {
  const used = new Set<string>()
  let last = ''
  return path
    .split('/')
    .map((segment) => {
      if (segment !== '{id}') {
        last = segment
        return segment
      }
      const words = last.split(/[^A-Za-z0-9]+/).filter((it) => it !== '')
      const noun = words.map((it, at) => (at === 0 ? it : it[0]?.toUpperCase() + it.slice(1))).join('')
      const single = noun.replace(/ies$/, 'y').replace(/(?<=[^s])s$/, '')
      const base = single === '' ? 'id' : `${single}Id`
      let name = base
      for (let number = 2; used.has(name); number++) name = `${base}${number}`
      used.add(name)
      return `{${name}}`
    })
    .join('/')
}

const parametersOf = (path: string): string[] => [...path.matchAll(/\{([^{}/]+)\}/g)].map(([, name = '']) => name)

function operationOf(path: string, description: string, declared: readonly string[], isSwagger: boolean): Json {
  const names = parametersOf(path).filter((name) => !declared.includes(name))
  const parameters = names.map((name) => ({
    name,
    in: 'path',
    required: true,
    ...(isSwagger ? { type: 'string' } : { schema: { type: 'string' } }),
  }))
  return {
    description,
    ...(parameters.length === 0 ? {} : { parameters }),
    responses: { default: { description: 'Not described yet.' } },
  }
}

/** Names of parameters that a path item declares for all its operations. */
const sharedParameters = (item: Readonly<Record<string, Json>>): string[] =>
  (Array.isArray(item['parameters']) ? item['parameters'] : []).flatMap((it) =>
    isObject(it) && it['in'] === 'path' && typeof it['name'] === 'string' ? [it['name']] : [],
  )

/**
 * The patch that adds operations to an OpenAPI or Swagger document. What the document has already is left out.
 * @returns the patch, with the operations that it adds as "GET /pets/{petId}"
 */
export function additionsTo(
  document: Json,
  additions: readonly Addition[],
): { readonly patch: JsonPatch; readonly added: readonly string[] } {
  const root = isObject(document) ? document : {}
  const isSwagger = typeof root['swagger'] === 'string'
  const paths = isObject(root['paths']) ? root['paths'] : null
  const patch: { op: 'add'; path: string; value: Json }[] = []
  if (paths === null) patch.push({ op: 'add', path: '/paths', value: {} })
  const added: string[] = []
  const items = new Map<string, { readonly path: string; readonly item: Record<string, Json>; isNew: boolean }>()
  for (const [path, item] of Object.entries(paths ?? {}))
    if (isObject(item)) items.set(shapeOfTemplate(path), { path, item: { ...item }, isNew: false })
  for (const { method, path: given, description } of additions) {
    const shape = shapeOfTemplate(given)
    const known = items.get(shape) ?? { path: namedPath(shape), item: {}, isNew: true }
    items.set(shape, known)
    const name = method.toLowerCase()
    if (known.item[name] !== undefined) continue
    const operation = operationOf(known.path, description, sharedParameters(known.item), isSwagger)
    const place = formatPointer(['paths', known.path])
    patch.push(
      known.isNew
        ? { op: 'add', path: place, value: { [name]: operation } }
        : { op: 'add', path: `${place}/${name}`, value: operation },
    )
    known.item[name] = operation
    known.isNew = false
    added.push(`${method.toUpperCase()} ${known.path}`)
  }
  return { patch, added }
}
