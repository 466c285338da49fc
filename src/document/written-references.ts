import type { Json, JsonObject } from '../kernel/json.ts'

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

/** The parts of a document that an edit left alone are the objects of before: down to this depth their references are known. */
export const deepestKept = 2

/** Takes the references below an object from who has gathered them already. */
export const rememberReferences = (node: object, references: ReadonlySet<string>): void =>
  void known.set(node, references)

function gather(node: object, depth: number): ReadonlySet<string> {
  let found = known.get(node)
  if (found !== undefined) return found
  const into = new Set<string>()
  if (depth === deepestKept || Array.isArray(node)) collect(node as Json, into)
  else {
    const map = node as JsonObject
    if (typeof map.$ref === 'string') into.add(map.$ref)
    for (const key in map) {
      const child = map[key]
      if (typeof child === 'object' && child !== null) for (const it of gather(child, depth + 1)) into.add(it)
    }
  }
  known.set(node, (found = into))
  return found
}

/** The text of every `$ref` below a value, anywhere, also in examples and extensions. Each text once. */
export const writtenReferences = (root: object): ReadonlySet<string> => gather(root, 0)
