/** An Arazzo document as a run needs it: workflows with their reusable objects filled in, and sources that were read. */
import { objectOf, isObject, type Json, type JsonObject, textOf } from '../kernel/json.ts'
import type { Description } from './openapi.ts'

/** What a Source Description leads to. */
export type Source =
  | { readonly kind: 'openapi'; readonly description: Description }
  | { readonly kind: 'arazzo'; readonly document: WorkflowDocument }
  /** Messages: named, and not followed. */
  | { readonly kind: 'asyncapi' }
  | { readonly kind: 'missing'; readonly reason: string }

/** A document with the sources that it names. */
export interface WorkflowDocument {
  /** The file or address that it was read from. */
  readonly name: string
  readonly root: JsonObject
  readonly sources: ReadonlyMap<string, Source>
}

/** A step or workflow as an object; what is no object is left out. */
export const objectsOf = (list: Json | undefined): readonly JsonObject[] =>
  Array.isArray(list) ? (list as readonly Json[]).filter(isObject) : []

/** The texts of a list. */
export const textsOf = (list: Json | undefined): readonly string[] =>
  Array.isArray(list) ? (list as readonly Json[]).filter((it) => typeof it === 'string') : []

export const workflowsIn = ({ root }: WorkflowDocument): readonly JsonObject[] => objectsOf(root.workflows)

export const workflowNamed = (document: WorkflowDocument, id: string): JsonObject | undefined =>
  workflowsIn(document).find(({ workflowId }) => workflowId === id)

/** The Source Description Objects of a document, by name. */
export const sourceObjects = ({ root }: WorkflowDocument): ReadonlyMap<string, JsonObject> =>
  new Map(objectsOf(root.sourceDescriptions).map((it) => [textOf(it.name), it]))

/** The object that a Reusable Object means, with its own value; itself where it is none, null where it cannot be resolved. */
function filledIn(root: JsonObject, given: JsonObject): JsonObject | null {
  if (typeof given.reference !== 'string') return given
  const [, kind = '', name = ''] = /^\$components\.([A-Za-z]+)\.(.+)$/.exec(given.reference) ?? []
  const target = objectOf(objectOf(root.components)[kind])[name]
  if (!isObject(target)) return null
  return given.value === undefined ? target : { ...target, value: given.value }
}

const keyOf = (it: JsonObject): string => `${textOf(it.name)}\n${textOf(it.in)}`

/**
 * What applies to a step: its own list, and behind it what the workflow has and the step does not say again. The first action whose
 * criteria are met is taken, so what a step says goes before what its workflow says of all steps.
 */
export function combined(
  root: JsonObject,
  ofStep: Json | undefined,
  ofWorkflow: Json | undefined,
): readonly JsonObject[] {
  const read = (list: Json | undefined): readonly JsonObject[] =>
    objectsOf(list).flatMap((it) => {
      const found = filledIn(root, it)
      return found === null ? [] : [found]
    })
  const own = read(ofStep)
  const named = new Set(own.map(keyOf))
  return [...own, ...read(ofWorkflow).filter((it) => !named.has(keyOf(it)))]
}

/** A workflow that a text names: alone, or behind the source that has it. */
export function findWorkflow(
  document: WorkflowDocument,
  id: string,
): { readonly document: WorkflowDocument; readonly workflow: JsonObject } | string {
  const [, name, rest = ''] = /^\$sourceDescriptions\.([A-Za-z0-9_-]+)\.(?:workflows\.)?(.+)$/.exec(id) ?? []
  if (name === undefined) {
    const workflow = workflowNamed(document, id)
    return workflow === undefined ? `There is no workflow "${id}" in ${document.name}` : { document, workflow }
  }
  const source = document.sources.get(name)
  if (source?.kind !== 'arazzo') return `The source "${name}" is no Arazzo document that was read`
  const workflow = workflowNamed(source.document, rest)
  return workflow === undefined
    ? `There is no workflow "${rest}" in ${source.document.name}`
    : { document: source.document, workflow }
}

/**
 * The workflows of a document that none of its others calls, continues with or waits for: these run where none is named. All of them
 * where each is used by another.
 */
export function rootWorkflows(document: WorkflowDocument): readonly string[] {
  const all = workflowsIn(document)
  const used = new Set(
    all.flatMap((workflow) => {
      const steps = objectsOf(workflow.steps)
      const actions = [...steps, workflow].flatMap((it) =>
        ['onSuccess', 'onFailure', 'successActions', 'failureActions'].flatMap((key) =>
          combined(document.root, it[key], undefined),
        ),
      )
      const own = textOf(workflow.workflowId)
      const called = [...steps, ...actions].map(({ workflowId }) => textOf(workflowId)).filter((id) => id !== own)
      return [...textsOf(workflow.dependsOn), ...called]
    }),
  )
  const ids = all.map(({ workflowId }) => textOf(workflowId))
  const free = ids.filter((id) => !used.has(id))
  return free.length === 0 ? ids : free
}

const stepNames = /\$steps\.([A-Za-z0-9_-]+)\.outputs/g

/** The steps of a workflow in an order in which each runs after those that it waits for; where two are free, as they are written. */
export function orderedSteps(workflow: JsonObject): readonly JsonObject[] {
  const steps = objectsOf(workflow.steps)
  // Without `dependsOn` steps run one after another as they are written (Arazzo 1.1.0, "Step Dependencies and Execution Order").
  if (!steps.some(({ dependsOn }) => dependsOn !== undefined)) return steps
  const byId = new Map(steps.map((it) => [textOf(it.stepId), it]))
  const ordered = new Set<JsonObject>()
  const visit = (step: JsonObject, way: ReadonlySet<JsonObject>): void => {
    if (ordered.has(step) || way.has(step)) return
    const taken = Array.from(JSON.stringify(step).matchAll(stepNames), ([, name = '']) => name)
    for (const id of [...textsOf(step.dependsOn), ...taken]) {
      const before = byId.get(id)
      if (before !== undefined && before !== step) visit(before, new Set([...way, step]))
    }
    ordered.add(step)
  }
  for (const step of steps) visit(step, new Set())
  return [...ordered]
}
