import type { Json, JsonObject } from './json.ts'

const known = new WeakMap<object, ReadonlySet<string>>()

function collect(node: Json, into: Set<string>): void {
  if (typeof node !== 'object' || node === null) return
  if (Array.isArray(node)) {
    for (let index = 0; index < node.length; index++) collect(node[index] as Json, into)
    return
  }
  const map = node as JsonObject
  if (typeof map.$ref === 'string') into.add(map.$ref)
  for (const key in map) {
    const child = map[key] as Json
    if (typeof child === 'object') collect(child, into)
  }
}

/** The text of every `$ref` below a value, anywhere, also in examples and extensions. Each text once. */
export function writtenReferences(root: object): ReadonlySet<string> {
  let found = known.get(root)
  if (found === undefined) {
    const into = new Set<string>()
    collect(root as Json, into)
    known.set(root, (found = into))
  }
  return found
}
