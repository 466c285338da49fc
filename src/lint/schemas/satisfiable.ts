import { isObject, type Json, type JsonObject } from '../../kernel/json.ts'
import { NodeFactory, type Node } from '../../schema/node.ts'
import { Normaliser } from '../../schema/normalise.ts'
import type { Dialect } from '../../schema/schema-source.ts'
import { Effort } from '../../schema/effort.ts'
import { Solver } from '../../schema/solver.ts'
import { checkBounds } from './bounds.ts'
import { eachSchema, lookUp, type SchemaAt, type SchemaCheck } from './places.ts'

/** Documents with more schemas are not asked this: the question is hard. */
const mostSchemas = 3000
/** For all schemas of a document, and for each. */
const [steps, stepsEach] = [300_000, 2000]

const isNever = (schema: JsonObject): boolean => {
  const { not } = schema
  return not === true || (isObject(not) && Object.keys(not).length === 0)
}

type Empty = (schema: JsonObject) => boolean

/** Decides which schemas of a document no value is valid against; undecided schemas count as satisfiable. */
function deciderFor(root: Json, draft: string): Empty {
  const factory = new NodeFactory()
  const nodes = new Map<string, Node>()
  const normaliser = new Normaliser(
    factory,
    {
      dialect: draft as Dialect,
      formats: 'remarks',
      resolve: (ref) => {
        const schema = lookUp(root, ref)
        return schema === undefined ? null : { key: ref, schema }
      },
    },
    null,
    (key) => key,
  )
  const resolve = (key: string): Node => {
    const known = nodes.get(key)
    if (known !== undefined) return known
    const node = normaliser.node(normaliser.targets.get(key))
    nodes.set(key, node)
    return node
  }
  const solver = new Solver(factory, resolve, 'yes', new Effort(steps, [[1, stepsEach]]))
  return (schema) => solver.ask([normaliser.node(schema).id]).is === 'none'
}

/** The innermost unsatisfiable schemas: enclosing schemas fail for the same reason. */
function findEmpty(root: Json, draft: string): ReadonlySet<JsonObject> {
  const all = [...eachSchema(root, draft)]
  const found = new Set<JsonObject>()
  if (all.length > mostSchemas) return found
  const isEmpty = deciderFor(root, draft)
  const blamed: SchemaAt[] = []
  for (const at of all.toReversed()) {
    if (isNever(at.schema) || checkBounds(at).length > 0) blamed.push(at)
    const inner = blamed.some(
      ({ path }) => path.length > at.path.length && at.path.every((step, index) => path[index] === step),
    )
    if (inner || blamed.includes(at) || typeof at.schema.$ref === 'string' || !isEmpty(at.schema)) continue
    blamed.push(at)
    found.add(at.schema)
  }
  return found
}

const known = new WeakMap<object, ReadonlySet<JsonObject>>()

/** Some value is valid against the schema: its keywords do not contradict each other. */
export const checkSatisfiable: SchemaCheck = ({ root, draft, schema }) => {
  if (!isObject(root)) return []
  let empty = known.get(root)
  if (empty === undefined) {
    empty = findEmpty(root, draft)
    known.set(root, empty)
  }
  return empty.has(schema)
    ? [{ message: 'No value is valid against this schema: its keywords contradict each other.' }]
    : []
}
