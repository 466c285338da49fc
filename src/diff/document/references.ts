import { isObject } from '../../kernel/json.ts'
import type { Json } from '../../kernel/json.ts'
import { hasKeywords, roleOf } from '../../document/references-in-document.ts'
import type { Role } from '../../document/references-in-document.ts'
import type { Context } from '../context.ts'
import { pointerOf } from '../side.ts'
import type { PlacedValue, Side } from '../side.ts'

/** What a place can hold in which nothing decides about requests and responses, and schemas, which are compared with theirs. */
const aside: ReadonlySet<Role> = new Set([
  'data',
  'schema',
  'schema-names',
  'stray',
  'example',
  'examples',
  'link',
  'links',
])

/** The references outside of schemas that cannot be resolved, by what they name: those that the paths and webhooks need. */
const unresolvedOf = (side: Side): ReadonlyMap<string, PlacedValue> => {
  const found = new Map<string, PlacedValue>()
  const seen = new Set<string>()
  const swagger = side.dialect === 'swagger-2.0'
  const visit = (value: Json, path: (string | number)[], role: Role): void => {
    if (typeof value !== 'object' || value === null || aside.has(role)) return
    const below = (key: string | number, json: Json, inner: Role): void => {
      if (typeof json !== 'object') return
      path.push(key)
      visit(json, path, inner)
      path.pop()
    }
    if (Array.isArray(value)) for (const [i, it] of (value as readonly Json[]).entries()) below(i, it, role)
    if (!isObject(value)) return
    if (hasKeywords(role) && typeof value.$ref === 'string' && !seen.has(value.$ref)) {
      seen.add(value.$ref)
      const target = side.find(value.$ref)
      if (target) visit(target.value, [...target.path], 'node')
      else found.set(value.$ref, { value, path: [...path] })
    }
    for (const key in value) below(key, value[key]!, roleOf(key, value[key]!, role, swagger))
  }
  for (const word of ['paths', 'webhooks']) {
    const at = side.at([word])
    if (at) visit(at.value, [...at.path], 'names')
  }
  return found
}

/** Reports references that cannot be resolved on either side: what they name is not known. */
export const compareReferences = (context: Context): void => {
  const [before, after] = [unresolvedOf(context.base), unresolvedOf(context.head)]
  for (const ref of [...new Set([...before.keys(), ...after.keys()])].sort()) {
    const [a, b] = [before.get(ref) ?? null, after.get(ref) ?? null]
    context.note(null, {
      direction: null,
      area: 'document',
      kind: 'reference',
      action: 'changed',
      base: a,
      head: b,
      subject: `the reference \`${ref}\``,
      before: a && pointerOf(a.path),
      after: b && pointerOf(b.path),
      undecided: true,
      reason: 'it cannot be resolved',
    })
  }
}
