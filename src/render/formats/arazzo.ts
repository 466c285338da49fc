import { isObject, type Json, type JsonObject } from '../../kernel/json.ts'
import { parseFragment } from '../../kernel/pointer.ts'
import { findReferences } from '../../document/reference.ts'
import { withLaterOperations } from '../../import/convert/openapi-32.ts'
import { operationsIn } from '../../kernel/methods.ts'
import { operationPart, type PartKey, Reach, schemaPart } from '../reach.ts'
import type { RenderFormat } from '../format.ts'
import type { RenderSource } from '../../import/render-source.ts'

const rootOrder = ['arazzo', '$self', 'info', 'sourceDescriptions', 'workflows', 'components']

const ordered = (root: JsonObject): JsonObject => {
  const known = rootOrder
    .filter((key) => root[key] !== undefined)
    .map((key): [string, Json] => [key, root[key] as Json])
  return Object.fromEntries([...known, ...Object.entries(root).filter(([key]) => !rootOrder.includes(key))])
}

const objects = (value: Json | undefined): JsonObject[] =>
  Array.isArray(value) ? (value as readonly Json[]).filter(isObject) : []

// Which operation a step calls: by its id, alone or behind "$sourceDescriptions.<name>.", or by a pointer into its document.
const operationOf = (step: JsonObject, byId: ReadonlyMap<string, PartKey>): PartKey | null => {
  if (typeof step.operationId === 'string')
    return (
      byId.get(step.operationId) ?? byId.get(step.operationId.replace(/^\$sourceDescriptions\.[^.]+\./, '')) ?? null
    )
  if (typeof step.operationPath !== 'string') return null
  const path = parseFragment(step.operationPath.slice(step.operationPath.indexOf('#') + 1))
  const [area, template, method] = path ?? []
  return area !== undefined && template !== undefined && method !== undefined
    ? operationPart(area, template, method)
    : null
}

const operationIds = (openapi: JsonObject): Map<string, PartKey> => {
  const found = new Map<string, PartKey>()
  const paths = isObject(openapi.paths) ? openapi.paths : {}
  for (const [path, item] of Object.entries(paths))
    if (isObject(item))
      for (const { steps, operation } of operationsIn(withLaterOperations(item)))
        if (typeof operation.operationId === 'string')
          found.set(operation.operationId, operationPart('paths', path, steps[0] ?? ''))
  return found
}

const texts = (value: Json | undefined): string[] =>
  Array.isArray(value) ? (value as readonly Json[]).filter((one): one is string => typeof one === 'string') : []

// The workflows that a workflow calls, depends on, or may continue with.
const otherWorkflows = (workflow: JsonObject): string[] => {
  const actions = [workflow, ...objects(workflow.steps)].flatMap((holder) =>
    ['onSuccess', 'onFailure', 'successActions', 'failureActions'].flatMap((key) => objects(holder[key])),
  )
  const named = [...objects(workflow.steps), ...actions].flatMap(({ workflowId }) =>
    typeof workflowId === 'string' ? [workflowId] : [],
  )
  return [...texts(workflow.dependsOn), ...named]
}

const inputsOf = (value: Json): Set<string> =>
  new Set(
    findReferences(value).flatMap(({ ref }) => {
      const path = ref.startsWith('#/components/inputs/') ? parseFragment(ref) : null
      return path?.[2] === undefined ? [] : [path[2]]
    }),
  )

// Names under `components` that the text of the kept workflows mentions; inputs may lead to further inputs.
const keepComponents = (components: Json | undefined, workflows: readonly JsonObject[]): JsonObject => {
  if (!isObject(components)) return {}
  const text = JSON.stringify(workflows)
  const mentioned = new Set(
    Array.from(text.matchAll(/\$components\.([A-Za-z]+)\.([a-zA-Z0-9._-]+)/g), ([, kind, name]) => `${kind}/${name}`),
  )
  const all = isObject(components.inputs) ? components.inputs : {}
  const inputs = inputsOf(workflows)
  for (const name of inputs)
    if (Object.hasOwn(all, name)) for (const next of inputsOf(all[name] as Json)) inputs.add(next)
  return Object.fromEntries(
    Object.entries(components).flatMap(([kind, group]): [string, Json][] => {
      if (!isObject(group)) return []
      const kept = Object.entries(group).filter(([name]) =>
        kind === 'inputs' ? inputs.has(name) : mentioned.has(`${kind}/${name}`),
      )
      return kept.length === 0 ? [] : [[kind, Object.fromEntries(kept)]]
    }),
  )
}

const classDocument = (source: RenderSource, className: string): JsonObject | null => {
  const { arazzo, openapi } = source
  if (arazzo === null) return null
  const users = new Reach(openapi).to(schemaPart(className))
  const byId = operationIds(openapi)
  const workflows = objects(arazzo.workflows)
  const components = isObject(arazzo.components) ? arazzo.components : {}
  const named = isObject(components.inputs) ? components.inputs : {}
  const usesInput = (workflow: JsonObject): boolean => {
    const inputs = inputsOf(workflow)
    for (const name of inputs)
      if (Object.hasOwn(named, name)) for (const next of inputsOf(named[name] as Json)) inputs.add(next)
    return inputs.has(className)
  }
  const direct = workflows.filter(
    (workflow) =>
      usesInput(workflow) ||
      objects(workflow.steps).some((step) => {
        const operation = operationOf(step, byId)
        return operation !== null && users.has(operation)
      }),
  )
  const id = (workflow: JsonObject): string => (typeof workflow.workflowId === 'string' ? workflow.workflowId : '')
  const reaching = new Set(direct.map(id))
  // A workflow that calls one that reaches the class reaches it too.
  for (let grown = true; grown;) {
    grown = false
    for (const workflow of workflows) {
      if (reaching.has(id(workflow))) continue
      if (
        objects(workflow.steps).some(({ workflowId }) => typeof workflowId === 'string' && reaching.has(workflowId))
      ) {
        reaching.add(id(workflow))
        grown = true
      }
    }
  }
  // Keep everything that the kept workflows refer to, so that the document is complete.
  const kept = new Set(reaching)
  for (const one of kept)
    for (const workflow of workflows)
      if (id(workflow) === one) for (const other of otherWorkflows(workflow)) kept.add(other)
  const chosen = workflows.filter((workflow) => kept.has(id(workflow)))
  if (chosen.length === 0) return null
  const left = keepComponents(arazzo.components, chosen)
  const rest = Object.entries(arazzo).filter(([key]) => key !== 'workflows' && key !== 'components')
  return ordered({
    ...Object.fromEntries(rest),
    workflows: chosen,
    ...(Object.keys(left).length > 0 ? { components: left } : {}),
  })
}

const arazzo: RenderFormat = {
  id: 'arazzo',
  summary: 'Arazzo 1.0.1 or 1.1.0, as the workflows were written; for one schema: the workflows whose steps use it',
  whole: (source) => (source.arazzo === null ? null : ordered(source.arazzo)),
  ofClass: classDocument,
}

export default arazzo
