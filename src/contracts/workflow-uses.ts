/** What workflows of Arazzo use of an API: a workflow is a consumer of the operations that its steps call. */
import { isObject, type Json, type JsonObject, textOf } from '../kernel/json.ts'
import { parseExpression } from '../workflow/expression.ts'
import { combined, objectsOf, workflowsIn, type WorkflowDocument } from '../workflow/document.ts'
import { answerKeys, findOperation, type Called, type Description } from '../workflow/openapi.ts'
import { readSelector } from '../workflow/select.ts'
import { formatDataPath, type Step } from './data-path.ts'
import type { SelectedOperation } from './selection.ts'

/** A step that calls an operation. */
export interface CallingStep {
  readonly workflow: string
  readonly step: string
}

/** What the workflows of a document use of one source. */
export interface WorkflowUses {
  readonly operations: readonly SelectedOperation[]
  /** The steps that call an operation, by its method and path: "POST /orders". */
  readonly steps: ReadonlyMap<string, readonly CallingStep[]>
  /** Steps whose operation is in no description that was read, each with the reason. */
  readonly unknown: readonly (CallingStep & { readonly reason: string })[]
}

interface Used {
  readonly called: Called
  readonly parameters: Map<string, { readonly name: string; readonly in: string }>
  readonly request: Set<string>
  readonly responses: Map<string, Set<string>>
}

const implied: ReadonlySet<string> = new Set(['accept', 'content-type', 'authorization'])
const places: ReadonlySet<string> = new Set(['query', 'header', 'path', 'cookie'])

/** The leaves of a payload as data paths. What a runtime expression gives has leaves that nobody knows. */
function* leavesOf(value: Json, steps: readonly Step[] = []): Generator<string> {
  if (Array.isArray(value)) for (const item of value as readonly Json[]) yield* leavesOf(item, [...steps, 'items'])
  else if (isObject(value) && readSelector(value) === null)
    for (const [name, member] of Object.entries(value)) yield* leavesOf(member, [...steps, { name }])
  else if (steps.length > 0) yield formatDataPath(steps)
}

// The number of an item says nothing: every item of a list is described by one schema.
const stepsOfPointer = (pointer: readonly string[]): readonly Step[] =>
  pointer.map((name): Step => (/^\d+$/.test(name) ? 'items' : { name }))

/** The fields of answers that the expressions of a step name. */
function* fieldsOf(step: JsonObject): Generator<string> {
  const text = JSON.stringify([step.outputs, step.successCriteria, step.onSuccess, step.onFailure])
  for (const [found] of text.matchAll(/\$response\.body[^\s"'{}()=<>!&|,\\]*/g)) {
    const expression = parseExpression(found)
    if (expression?.kind !== 'response' || expression.part !== 'body' || expression.pointer.length === 0) continue
    yield formatDataPath(stepsOfPointer(expression.pointer))
  }
}

/** The documented answer that a step expects: the status of its criteria, else the first success. */
function statusOf(step: JsonObject, called: Called): string | null {
  const keys = answerKeys(called)
  for (const { condition } of objectsOf(step.successCriteria)) {
    const asked = /^\s*\$statusCode\s*==\s*['"]?(\d{3})['"]?\s*$/.exec(textOf(condition))?.[1]
    if (asked !== undefined) return asked
  }
  return keys.find((key) => key.startsWith('2')) ?? keys.find((key) => key === 'default') ?? null
}

const refOf = ({ method, path }: Pick<Called, 'method' | 'path'>): string => `${method} ${path}`

function add(used: Used, step: JsonObject, parameters: readonly JsonObject[]): void {
  for (const it of parameters) {
    const place = textOf(it.in)
    // Descriptions have no parameters for these headers (OpenAPI 3.1.1, "Parameter Object").
    if (place === 'header' && implied.has(textOf(it.name).toLowerCase())) continue
    if (places.has(place)) used.parameters.set(`${place} ${textOf(it.name)}`, { name: textOf(it.name), in: place })
  }
  const body = step.requestBody
  if (isObject(body) && body.payload !== undefined) for (const field of leavesOf(body.payload)) used.request.add(field)
  const status = statusOf(step, used.called)
  if (status === null) return
  const fields = used.responses.get(status) ?? new Set()
  for (const field of fieldsOf(step)) fields.add(field)
  used.responses.set(status, fields)
}

const selected = ({ called, parameters, request, responses }: Used): SelectedOperation => ({
  method: called.method,
  path: called.path,
  request: [...request],
  responses: Object.fromEntries([...responses].map(([status, fields]) => [status, [...fields]])),
  parameters: [...parameters.values()],
})

/** The operation of a step: undefined where it is of another source or calls a workflow. */
function operationOf(
  step: JsonObject,
  source: string,
  descriptions: ReadonlyMap<string, Description>,
): Called | string | undefined {
  if (step.operationId === undefined && step.operationPath === undefined) return undefined
  const [, named] =
    /^\{?\$sourceDescriptions\.([A-Za-z0-9_-]+)/.exec(textOf(step.operationId ?? step.operationPath)) ?? []
  if (named !== undefined && named !== source) return undefined
  const called = findOperation(step, descriptions)
  if (typeof called === 'string') return named === source || descriptions.size === 1 ? called : undefined
  return called.source === source ? called : undefined
}

/**
 * What the workflows of a document use of a source.
 * @param source the name of the source description
 */
export function usesOfWorkflows(document: WorkflowDocument, source: string): WorkflowUses {
  const descriptions = new Map(
    [...document.sources].flatMap(([name, it]) => (it.kind === 'openapi' ? [[name, it.description] as const] : [])),
  )
  const used = new Map<string, Used>()
  const steps = new Map<string, CallingStep[]>()
  const unknown: (CallingStep & { reason: string })[] = []
  for (const workflow of workflowsIn(document))
    for (const step of objectsOf(workflow.steps)) {
      const from = { workflow: textOf(workflow.workflowId), step: textOf(step.stepId) }
      const called = operationOf(step, source, descriptions)
      if (called === undefined) continue
      if (typeof called === 'string') {
        unknown.push({ ...from, reason: called })
        continue
      }
      const ref = refOf(called)
      const known = used.get(ref) ?? { called, parameters: new Map(), request: new Set(), responses: new Map() }
      used.set(ref, known)
      steps.set(ref, [...(steps.get(ref) ?? []), from])
      add(known, step, combined(document.root, step.parameters, workflow.parameters))
    }
  return { operations: [...used.values()].map(selected), steps, unknown }
}
