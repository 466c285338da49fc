/** Definitions of a document that nothing in it uses. */
import { isObject, type Json, type Path } from '../kernel/json.ts'
import { formatPointer, parseFragment } from '../kernel/pointer.ts'
import { findReferences, visitNodes } from './references-in-document.ts'

/** Where documents hold definitions: OpenAPI two levels deep, Swagger and JSON Schema in maps of the document. */
function definitionsOf(value: Json): Set<string> {
  const found = new Set<string>()
  const add = (map: Json | undefined, path: Path): void => {
    if (isObject(map)) for (const name of Object.keys(map)) found.add(formatPointer([...path, name]))
  }
  if (!isObject(value)) return found
  for (const key of ['definitions', '$defs', 'parameters', 'responses']) add(value[key], [key])
  const { components } = value
  if (isObject(components))
    // Security schemes are named by requirements, not by references.
    for (const kind of Object.keys(components))
      if (kind !== 'securitySchemes') add(components[kind], ['components', kind])
  return found
}

interface Lead {
  readonly path: Path
  readonly ref: string
}

// References, and what discriminators name in their mapping.
function leadsOf(value: Json): Lead[] {
  const leads: Lead[] = findReferences(value).map(({ path, ref }) => ({ path, ref }))
  visitNodes(value, (node, path) => {
    const mapping = isObject(node.discriminator) ? node.discriminator.mapping : undefined
    for (const target of isObject(mapping) ? Object.values(mapping) : [])
      if (typeof target === 'string')
        leads.push({ path: [...path], ref: target.includes('#') ? target : `#/components/schemas/${target}` })
  })
  return leads
}

/** Pointers of the definitions that the other parts of a document do not reach by references, directly or through each other. */
export function findUnused(value: Json): ReadonlySet<string> {
  const definitions = definitionsOf(value)
  // A pointer begins with an empty step; definitions are two or three steps deep.
  const ownersOf = (steps: readonly string[]): string[] =>
    [3, 4].map((length) => steps.slice(0, length).join('/')).filter((it) => definitions.has(it))
  const leads = Map.groupBy(leadsOf(value), ({ path }) => ownersOf(formatPointer(path).split('/'))[0] ?? '')
  const waiting = ['']
  const reached = new Set(waiting)
  for (const from of waiting)
    for (const { ref } of leads.get(from) ?? []) {
      const steps = ref.startsWith('#') ? parseFragment(ref) : null
      for (const target of steps === null ? [] : ownersOf(formatPointer(steps).split('/'))) {
        if (reached.has(target)) continue
        reached.add(target)
        waiting.push(target)
      }
    }
  return definitions.difference(reached)
}
