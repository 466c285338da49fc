/** The parts of an Arazzo document, with their places; values of the wrong type are skipped. */
import { isObject, type Json, type JsonObject, type Path } from '../../document/json.ts'

export interface LocatedObject {
  readonly value: JsonObject
  readonly path: Path
}

/** The objects of a list. */
export const objectsIn = (list: Json | undefined, path: Path): LocatedObject[] =>
  Array.isArray(list)
    ? (list as readonly Json[]).flatMap((value, index) => (isObject(value) ? [{ value, path: [...path, index] }] : []))
    : []

export interface WorkflowPart extends LocatedObject {
  readonly index: number
  readonly steps: readonly LocatedObject[]
}

/** The workflows of a document, with their steps. */
export const workflowsOf = (root: Json | undefined): WorkflowPart[] =>
  objectsIn(isObject(root) ? root.workflows : undefined, ['workflows']).map((it) => ({
    ...it,
    index: Number(it.path[1]),
    steps: objectsIn(it.value.steps, [...it.path, 'steps']),
  }))

/** The reusable parts of one kind. */
export const componentsOf = (root: Json | undefined, kind: string): JsonObject => {
  const components = isObject(root) && isObject(root.components) ? root.components[kind] : undefined
  return isObject(components) ? components : {}
}

/** A text, or "" where there is something else. */
export const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '')
