/** What Spectral's ruleset for Arazzo asks of workflows and steps. Codes, places and words are its own, so that guides carry over. */
import { isObject, type Json, type JsonObject, type Path, textOf } from '../../kernel/json.ts'
import { readPattern } from '../pattern.ts'
import type { Violation, LintFunction } from '../rule.ts'
import { piecesOf } from '../../workflow/expression.ts'
import { combine, type Combined } from './combined.ts'
import { isExpression, sourceNames } from './expression.ts'
import { isLater, objectsIn, workflowNamed, workflowsOf, type LocatedObject, type WorkflowPart } from './parts.ts'

/** Every workflow has an id of its own. */
export const uniqueWorkflowIds: LintFunction = (input) => {
  const seen = new Set<Json | undefined>()
  return workflowsOf(input).flatMap(({ value: { workflowId: id }, path }) => {
    const repeated = seen.has(id)
    seen.add(id)
    return repeated
      ? [
          {
            message: `"workflowId" must be unique across all workflows. "${String(id)}" is duplicated.`,
            path: [...path, 'workflowId'],
          },
        ]
      : []
  })
}

/** Every step of a workflow has an id of its own. */
export const uniqueStepIds: LintFunction = (input, _options, { path }) => {
  const seen = new Set<Json>()
  return objectsIn(isObject(input) ? input.steps : undefined, [...path, 'steps']).flatMap(({ value, path: at }) => {
    const { stepId: id } = value
    if (id === undefined || id === null)
      return [
        {
          message: `Step at index ${String(at.at(-1))} is missing a "stepId". Each step should have a unique "stepId".`,
          path: at,
        },
      ]
    const repeated = seen.has(id)
    seen.add(id)
    return repeated ? [{ message: '"stepId" must be unique within the workflow.', path: [...at, 'stepId'] }] : []
  })
}

/** The expression that a value is or, for the selector of Arazzo 1.1, selects from; "" for a value of another kind. */
const sourceOf = (value: Json | undefined): string => textOf(isObject(value) ? value.context : value)

const checkOutputs = ({ value, path }: LocatedObject, root: Json, workflow: number): Violation[] =>
  Object.entries(isObject(value.outputs) ? value.outputs : {}).flatMap(([name, expression]) => {
    const at = [...path, 'outputs', name]
    return [
      ...(/^[a-zA-Z0-9.\-_]+$/.test(name)
        ? []
        : [{ message: `"${name}" does not match the required pattern "^[a-zA-Z0-9.\\-_]+$".`, path: at }]),
      ...(isExpression(sourceOf(expression), root, workflow)
        ? []
        : [{ message: `"${sourceOf(expression)}" is not a valid runtime expression.`, path: at }]),
    ]
  })

/** The outputs of workflows are named as allowed, and their values are expressions. */
export const workflowOutputs: LintFunction = (input, _options, { root }) =>
  workflowsOf(input).flatMap((it) => checkOutputs(it, root, it.index))

/** The outputs of steps are named as allowed, and their values are expressions. */
export const stepOutputs: LintFunction = (input, _options, { root }) =>
  workflowsOf(input).flatMap(({ steps, index }) => steps.flatMap((it) => checkOutputs(it, root, index)))

function describeFault({ name, fault }: Combined, what: string, kind: string): string[] {
  if (fault === 'invalid') return [`Invalid runtime expression for reusable ${kind} reference: "${name}".`]
  if (fault === null) return []
  // Spectral says it twice; reports are compared by their number too.
  const again =
    what === 'parameter'
      ? `Duplicate parameter: "${name}" must be unique within the combined parameters.`
      : `Duplicate ${what} name: "${name}".`
  return [`"${name}" must be unique within the combined ${what}s.`, again]
}

const sourced = /^\$(?:inputs\.|steps\.[A-Za-z0-9_-]+\.|workflows\.[A-Za-z0-9_-]+\.steps\.[A-Za-z0-9_-]+\.)/

function checkParameters({ value: step, path }: LocatedObject, workflow: WorkflowPart, root: Json): Violation[] {
  if (!Array.isArray(step.parameters)) return []
  const all = combine('parameters', step.parameters, workflow.value.parameters, root)
  const at = [...path, 'parameters']
  const placed = all.some((it) => it.value.in !== undefined)
  const unplaced = all.some((it) => it.value.in === undefined)
  const calls = (step.operationId ?? step.operationPath ?? step.channelPath ?? null) !== null
  const wrong = all.map(({ value: { value } }) => {
    const text = sourceOf(value)
    const isTaken = isLater(root) || sourced.test(text)
    return text.startsWith('$') && !(isTaken && isExpression(text, root, workflow.index)) ? text : null
  })
  return [
    ...all.flatMap((it, index) =>
      describeFault(it, 'parameter', 'parameter').map((message) => ({ message, path: [...at, index] })),
    ),
    ...(placed && unplaced ? [{ message: 'Parameters must not mix "in" field presence.', path: at }] : []),
    ...((step.workflowId ?? null) !== null && placed
      ? [{ message: 'Step with "workflowId" must not have parameters with an "in" field.', path: at }]
      : []),
    ...(calls && unplaced
      ? [{ message: 'Step with "operationId" or "operationPath" must have parameters with an "in" field.', path: at }]
      : []),
    ...wrong.flatMap((text, index) =>
      text === null ? [] : [{ message: `Invalid runtime expression: "${text}" for parameter.`, path: [...at, index] }],
    ),
  ]
}

/** The parameters of steps are unique, of one kind, and take their values from somewhere. */
export const stepParameters: LintFunction = (input, _options, { root }) =>
  workflowsOf(input).flatMap((workflow) => workflow.steps.flatMap((it) => checkParameters(it, workflow, root)))

/** A condition with a letter in the place of each value that is only known when the workflow runs. */
const withoutExpressions = (condition: string): string =>
  piecesOf(condition)
    .map((piece) => piece.literal ?? 'x')
    .join('')

function checkCriterion(criterion: JsonObject, path: Path, root: Json): Violation[] {
  const { condition, context, type } = criterion
  const violations: Violation[] = []
  if (typeof condition !== 'string' || condition.trim() === '')
    violations.push({ message: 'Missing or invalid "condition" in Criterion Object.', path: [...path, 'condition'] })
  if (type !== undefined && type !== null && (context ?? null) === null)
    violations.push({
      message: `A "context" must be specified for a Criterion Object with type "${isObject(type) ? textOf(type.type) : textOf(type)}".`,
      path: [...path, 'context'],
    })
  if (isObject(type) && (!type.type || !type.version))
    violations.push({
      message: '"type" and "version" must be specified in the Criterion Expression Type Object.',
      path: [...path, 'type'],
    })
  if (type === 'regex' && typeof condition === 'string' && readPattern(withoutExpressions(condition)) === null)
    violations.push({ message: '"condition" contains an invalid regex pattern.', path: [...path, 'condition'] })
  if ((context ?? null) !== null && !isExpression(textOf(context), root))
    violations.push({ message: '"context" contains an invalid runtime expression.', path: [...path, 'context'] })
  return violations
}

/** The criteria of success have conditions, and contexts where their type needs one. */
export const successCriteria: LintFunction = (input, _options, { root, path }) =>
  objectsIn(isObject(input) ? input.steps : undefined, [...path, 'steps']).flatMap(({ value, path: at }) =>
    objectsIn(value.successCriteria, [...at, 'successCriteria']).flatMap((it) =>
      checkCriterion(it.value, it.path, root),
    ),
  )

function checkTarget(action: JsonObject, workflow: WorkflowPart, root: Json): string[] {
  const { workflowId, stepId } = action
  const [toWorkflow, toStep] = [workflowId, stepId].map((it) => (it ?? null) !== null)
  const id = textOf(workflowId)
  const missing = id.startsWith('$')
    ? isExpression(id, root) && sourceNames(root).has(id.split('.')[1] ?? '')
      ? []
      : [`"workflowId" "${id}" is not a valid reference or does not exist in sourceDescriptions.`]
    : workflowNamed(root, id) !== undefined
      ? []
      : [`"workflowId" "${id}" does not exist within the local Arazzo Document workflows.`]
  return [
    ...(toWorkflow === true ? missing : []),
    ...(toStep === true && !workflow.stepAt.has(stepId)
      ? [`"stepId" "${textOf(stepId)}" does not exist within the current workflow.`]
      : []),
    ...(toWorkflow === true && toStep === true
      ? ['"workflowId" and "stepId" are mutually exclusive and cannot be specified together.']
      : []),
  ]
}

const actions = (
  which: 'successActions' | 'failureActions',
  key: 'onSuccess' | 'onFailure',
  jumps: readonly string[],
): LintFunction => {
  const what = which === 'successActions' ? 'success action' : 'failure action'
  return (input, _options, { root }) =>
    workflowsOf(input).flatMap((workflow) =>
      workflow.steps.flatMap(({ value: step, path }) =>
        combine(which, step[key], workflow.value[which], root).flatMap((entry, index) => {
          const at = [...path, key, index]
          const said = [
            ...describeFault(entry, what, 'action'),
            ...(jumps.includes(textOf(entry.value.type)) ? checkTarget(entry.value, workflow, root) : []),
          ]
          const criteria = objectsIn(entry.value.criteria, [...at, 'criteria'])
          return [
            ...said.map((message) => ({ message, path: at })),
            ...criteria.flatMap((one) => checkCriterion(one.value, one.path, root)),
          ]
        }),
      ),
    )
}

/** Failure actions of a step have unique names and existing targets. */
export const failureActions = actions('failureActions', 'onFailure', ['goto', 'retry'])
/** Success actions of a step have unique names and existing targets. */
export const successActions = actions('successActions', 'onSuccess', ['goto'])

function checkDependency(on: string, root: JsonObject, owner: string): string[] {
  const invalid = on.startsWith('$') && !isExpression(on, root) ? [`Runtime expression "${on}" is invalid.`] : []
  if (!on.startsWith('$sourceDescriptions.'))
    return workflowNamed(root, on) !== undefined
      ? invalid
      : [...invalid, `WorkflowId "${on}" not found in local Arazzo workflows "${owner}".`]
  const [, source = '', id] = on.split('.')
  const found = objectsIn(root.sourceDescriptions, []).find(({ value }) => value.name === source)
  if ((found?.value.type ?? null) === null)
    return [...invalid, `Source description "${source}" not found for workflowId "${on}".`]
  if (found?.value.type !== 'arazzo')
    return [...invalid, `Source description "${source}" must have a type of "arazzo".`]
  return id === undefined ? [...invalid, `WorkflowId part is missing in the expression "${on}".`] : invalid
}

/** What a workflow depends on is there, and named once. */
export const dependencies: LintFunction = (input) =>
  workflowsOf(input).flatMap(({ value, path }) => {
    const list = Array.isArray(value.dependsOn) ? (value.dependsOn as readonly Json[]) : []
    const owner = textOf(value.workflowId)
    const seen = new Set<string>()
    return list.flatMap((on, index) => {
      if (typeof on !== 'string' || !isObject(input)) return []
      const isRepeated = seen.has(on)
      seen.add(on)
      const messages = isRepeated
        ? [`Duplicate workflowId "${on}" in dependsOn for workflow "${owner}".`]
        : checkDependency(on, input, owner)
      return messages.map((message) => ({ message, path: [...path, 'dependsOn', index] }))
    })
  })

const isSelector = (value: Json | undefined): boolean =>
  isObject(value) && ['context', 'selector', 'type'].every((key) => Object.hasOwn(value, key))

const mediaType =
  /^(?:application|audio|font|example|image|message|model|multipart|text|video)\/[a-zA-Z0-9!#$&^_.+-]{1,127}$/

function checkBody(body: JsonObject, path: Path, root: Json, workflow: number): Violation[] {
  const { contentType, payload } = body
  const isWrong = (value: Json | undefined): boolean => {
    const text = typeof value === 'string' || isSelector(value) ? sourceOf(value) : ''
    return text.startsWith('$') && !isExpression(text, root, workflow)
  }
  return [
    ...(typeof contentType === 'string' && !mediaType.test(contentType)
      ? [{ message: `Invalid MIME type in contentType: ${contentType}`, path: [...path, 'contentType'] }]
      : []),
    ...(isWrong(payload)
      ? [{ message: `Invalid runtime expression in payload: ${sourceOf(payload)}`, path: [...path, 'payload'] }]
      : []),
    ...objectsIn(body.replacements, [...path, 'replacements']).flatMap(({ value, path: at }) => [
      ...(textOf(value.target) === ''
        ? [{ message: '"target" is required in Payload Replacement.', path: [...at, 'target'] }]
        : []),
      ...(isWrong(value.value)
        ? [
            {
              message: `Invalid runtime expression in replacement value: ${sourceOf(value.value)}`,
              path: [...at, 'value'],
            },
          ]
        : []),
    ]),
  ]
}

/** The bodies that steps send have a type of media, and expressions that can be resolved. */
export const requestBodies: LintFunction = (input, _options, { root }) =>
  workflowsOf(input).flatMap(({ steps, index }) =>
    steps.flatMap(({ value, path }) =>
      isObject(value.requestBody) ? checkBody(value.requestBody, [...path, 'requestBody'], root, index) : [],
    ),
  )
