/** The parts of an Arazzo document, with their places; values of the wrong type are skipped. */
import { isObject, type Json, type JsonObject, type Path } from '../../kernel/json.ts'

export interface LocatedObject {
  readonly value: JsonObject
  readonly path: Path
}

/** The objects of a list. */
export const objectsIn = (list: Json | undefined, path: Path): LocatedObject[] =>
  Array.isArray(list)
    ? (list as readonly Json[]).flatMap((value, index) => (isObject(value) ? [{ value, path: [...path, index] }] : []))
    : []

/** Whether a document is of Arazzo 1.1. */
export const isLater = (root: Json | undefined): boolean =>
  isObject(root) && typeof root.arazzo === 'string' && root.arazzo.startsWith('1.1')

export interface WorkflowPart extends LocatedObject {
  readonly index: number
  readonly steps: readonly LocatedObject[]
  /** The first step of each `stepId`, as an index of `steps`. */
  readonly stepAt: ReadonlyMap<Json | undefined, number>
}

const workflows = new WeakMap<object, readonly WorkflowPart[]>()

/** The workflows of a document, with their steps; read once, because every expression asks. */
export const workflowsOf = (root: Json | undefined): readonly WorkflowPart[] => {
  if (!isObject(root)) return []
  let known = workflows.get(root)
  if (known === undefined) workflows.set(root, (known = readWorkflows(root)))
  return known
}

const readWorkflows = (root: JsonObject): readonly WorkflowPart[] =>
  objectsIn(root.workflows, ['workflows']).map((entry) => {
    const steps = objectsIn(entry.value.steps, [...entry.path, 'steps'])
    const stepAt = new Map<Json | undefined, number>()
    for (const [index, { value }] of steps.entries()) if (!stepAt.has(value.stepId)) stepAt.set(value.stepId, index)
    return { ...entry, index: Number(entry.path[1]), steps, stepAt }
  })

const named = new WeakMap<readonly WorkflowPart[], ReadonlyMap<Json | undefined, WorkflowPart>>()

/** The first workflow of a document with this `workflowId`. */
export const workflowNamed = (root: Json | undefined, id: Json | undefined): WorkflowPart | undefined => {
  const all = workflowsOf(root)
  let byId = named.get(all)
  if (byId === undefined) {
    byId = new Map(all.toReversed().map((it) => [it.value.workflowId, it]))
    named.set(all, byId)
  }
  return byId.get(id)
}

/** The reusable parts of one kind. */
export const componentsOf = (root: Json | undefined, kind: string): JsonObject => {
  const components = isObject(root) && isObject(root.components) ? root.components[kind] : undefined
  return isObject(components) ? components : {}
}
