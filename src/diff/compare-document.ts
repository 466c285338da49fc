import { isObject } from '../document/json.ts'
import type { Json } from '../document/json.ts'
import type { Context } from './compare-context.ts'
import { isSameValue } from './sameness.ts'
import { objectAt } from './side.ts'
import type { Place, Side } from './side.ts'

const infoWords = ['version', 'contact', 'license', 'termsOfService'] as const

/** Where requests go, with variables by their defaults; in Swagger 2.0 host, base path and schemes together. */
const addressesOf = (side: Side, place: Place | null): readonly string[] => {
  if (side.dialect === 'swagger-2.0') {
    const root = objectAt(side.at([]))
    const schemes = Array.isArray(root.schemes) && root.schemes.length > 0 ? root.schemes : ['']
    return schemes.map(
      (scheme) =>
        `${scheme === '' ? '' : `${String(scheme)}:`}//${String(root.host ?? '')}${String(root.basePath ?? '')}`,
    )
  }
  const list = place && Array.isArray(place.value) ? (place.value as readonly Json[]) : []
  return list.map((it) => (isObject(it) && typeof it.url === 'string' ? it.url : '/'))
}

/** Compares lists of servers. */
export const compareServers = (context: Context, operation: string | null, a: Place | null, b: Place | null): void => {
  if (isSameValue(a?.value, b?.value)) return
  const before = addressesOf(context.base, a)
  const after = addressesOf(context.head, b)
  const common = { direction: null, area: 'server', base: a, head: b } as const
  for (const url of before)
    if (!after.includes(url))
      context.note(operation, {
        ...common,
        kind: 'itself',
        action: 'removed',
        subject: `server ${url}`,
        before: url,
        breaking: true,
        policy: 'server-removed',
      })
  for (const url of after)
    if (!before.includes(url))
      context.note(operation, { ...common, kind: 'itself', action: 'added', subject: `server ${url}`, after: url })
  const told = before.length !== after.length || before.some((url) => !after.includes(url))
  if (told) return
  if (isSameValue(withoutDocs(a?.value), withoutDocs(b?.value))) {
    for (const [i, it] of context.base.elements(a).entries())
      context.docs(operation, it, context.head.elements(b)[i] ?? null)
    return
  }
  context.note(operation, {
    ...common,
    kind: 'variables',
    action: 'changed',
    subject: 'the servers',
    before: a?.value ?? null,
    after: b?.value ?? null,
  })
}

const withoutDocs = (value: Json | undefined): Json => {
  if (value === undefined) return null
  if (Array.isArray(value)) return (value as readonly Json[]).map(withoutDocs)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== 'description' && !key.startsWith('x-'))
      .map(([key, it]) => [key, withoutDocs(it)]),
  )
}

/** Compares what concerns the document as a whole. */
export const compareDocument = (context: Context): void => {
  const base = context.base.at([])
  const head = context.head.at([])
  context.docs(null, base, head)
  context.docs(null, base && context.base.member(base, 'info'), head && context.head.member(head, 'info'), infoWords)
  compareTags(context)
  const swagger = context.base.dialect === 'swagger-2.0' || context.head.dialect === 'swagger-2.0'
  const left = context.base.at(['servers'])
  const right = context.head.at(['servers'])
  if (!swagger) compareServers(context, null, left, right)
  else if (context.base.dialect === context.head.dialect) {
    const same = isSameValue([...addressesOf(context.base, null)], [...addressesOf(context.head, null)])
    if (!same) compareServers(context, null, base, head)
  }
  compareComponents(context)
}

const compareTags = (context: Context): void => {
  const before = context.base.at(['tags'])
  const after = context.head.at(['tags'])
  if (isSameValue(before?.value, after?.value)) return
  context.note(null, {
    direction: null,
    area: 'document',
    kind: 'tags',
    action: before ? (after ? 'changed' : 'removed') : 'added',
    base: before,
    head: after,
    subject: 'the tags of the document',
    before: before?.value ?? null,
    after: after?.value ?? null,
  })
}

/** The named schemas of a document. */
export const namedSchemas = (side: Side): ReadonlyMap<string, Place> => {
  const place = side.at(side.dialect === 'swagger-2.0' ? ['definitions'] : ['components', 'schemas'])
  return new Map(
    place && isObject(place.value)
      ? Object.entries(place.value).map(([name, value]) => [name, { value, path: [...place.path, name] }])
      : [],
  )
}

const compareComponents = (context: Context): void => {
  const before = namedSchemas(context.base)
  const after = namedSchemas(context.head)
  for (const name of [...new Set([...before.keys(), ...after.keys()])].sort()) {
    const a = before.get(name) ?? null
    const b = after.get(name) ?? null
    if (a && b) continue
    context.note(null, {
      direction: null,
      area: 'schema',
      kind: 'component',
      action: a ? 'removed' : 'added',
      base: a,
      head: b,
      subject: `schema \`${name}\``,
      before: a ? name : null,
      after: b ? name : null,
    })
  }
}
