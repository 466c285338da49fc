/** What a `then` of a rule looks at in a node: the node itself, its keys, a field, or what a path finds in it. */
import { isObject, type Json, type Path } from '../kernel/json.ts'
import { getPath } from '../kernel/pointer.ts'
import type { Graph } from './graph.ts'
import type { JsonPath } from './jsonpath/path.ts'
import { PathSet, rootNode, type Node } from './jsonpath/walk.ts'
import { tryPath } from './plan.ts'
import type { Then } from './rule.ts'

export interface Input {
  readonly value: Json | undefined
  /** What is to be added to the path of the node. */
  readonly steps: Path
}

const here: Path = []
const fieldPaths = new Map<string, PathSet | null>()
const pathSetOf = (path: JsonPath | null): PathSet | null => (path === null ? null : new PathSet([path]))

function fieldPath(field: string): PathSet | null {
  let known = fieldPaths.get(field)
  if (known === undefined) {
    if (fieldPaths.size > 1000) fieldPaths.clear()
    known = pathSetOf(tryPath(field))
    fieldPaths.set(field, known)
  }
  return known
}

const splitField = (field: string): string[] =>
  field.replaceAll(/\[(?:'([^']*)'|"([^"]*)"|(\w+))\]/g, '.$1$2$3').split('.')

/** The inputs of the function of a `then` for a node; references are followed with `graph`, if the rule resolves them. */
export function inputsOf({ field }: Then, value: Json, node: Node, graph: Graph | null): readonly Input[] {
  if (field === undefined || typeof value !== 'object' || value === null) return [{ value, steps: here }]
  if (field === '@key') {
    const keys = Object.keys(value).map((key) => ({ value: key, steps: [key] }))
    return keys.length === 0 ? [{ value: undefined, steps: [] }] : keys
  }
  if (field.startsWith('$')) return searchField(field, value, node, graph)
  const steps = isObject(value) && Object.hasOwn(value, field) ? [field] : splitField(field)
  let at: Json | undefined = value
  for (const step of steps) {
    const inner: Json | undefined = at === undefined ? undefined : getPath(at, [step])
    at = inner === undefined || graph === null ? inner : graph.deref(inner, node.document)
  }
  return [{ value: at, steps }]
}

function searchField(field: string, value: Json, node: Node, graph: Graph | null): readonly Input[] {
  const found: Input[] = []
  fieldPath(field)?.walk(rootNode(value, node.document), graph === null ? null : graph.follow, (_, inner, keys) => {
    const steps: (string | number)[] = []
    for (let at: Node | null = inner; at !== null && at.up !== null; at = at.up) steps.push(at.key)
    found.push({ value: keys ? inner.key : inner.value, steps: steps.reverse() })
  })
  return found.length === 0 ? [{ value: undefined, steps: [] }] : found
}
