/** The definitions of a document that nothing in it uses. */
import type { Document } from '../../src/document/document.ts'
import { isObject, type Json, type Path } from '../../src/document/json.ts'
import { formatPointer, parseFragment } from '../../src/document/pointer.ts'
import { findReferences } from '../../src/document/reference.ts'

/** Where documents hold definitions: OpenAPI two levels deep, Swagger and JSON Schema in maps of the document. */
function definitionsOf(value: Json): Set<string> {
  const found = new Set<string>()
  const add = (map: Json | undefined, path: Path): void => {
    if (isObject(map)) for (const name of Object.keys(map)) found.add(formatPointer([...path, name]))
  }
  if (!isObject(value)) return found
  for (const key of ['definitions', '$defs', 'parameters', 'responses']) add(value[key], [key])
  const { components } = value
  if (isObject(components)) for (const kind of Object.keys(components)) add(components[kind], ['components', kind])
  return found
}

function unusedParts(value: Json): ReadonlySet<string> {
  const definitions = definitionsOf(value)
  // A pointer begins with an empty step; definitions are two or three steps deep.
  const ownersOf = (steps: readonly string[]): string[] =>
    [3, 4].map((length) => steps.slice(0, length).join('/')).filter((it) => definitions.has(it))
  const leads = Map.groupBy(findReferences(value), ({ path }) => ownersOf(formatPointer(path).split('/'))[0] ?? '')
  const waiting = ['']
  const reached = new Set(waiting)
  for (const from of waiting)
    for (const { ref } of leads.get(from) ?? []) {
      const steps = ref.startsWith('#') ? parseFragment(ref.slice(1)) : null
      for (const target of steps === null ? [] : ownersOf(formatPointer(steps).split('/'))) {
        if (reached.has(target)) continue
        reached.add(target)
        waiting.push(target)
      }
    }
  return definitions.difference(reached)
}

const known = new WeakMap<Document, ReadonlySet<string>>()

/** Whether a JSON Pointer leads into a definition that the other parts of the document do not reach by references, or to it. */
export function isUnused(document: Document, pointer: string): boolean {
  let unused = known.get(document)
  if (unused === undefined) known.set(document, (unused = unusedParts(document.value)))
  const steps = pointer.split('/')
  return [3, 4].some((length) => unused.has(steps.slice(0, length).join('/')))
}
