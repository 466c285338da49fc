/** What steps of an Arazzo document give to the operations that they call. */
import { isObject, textOf, type Json } from '../../kernel/json.ts'
import { isSameParameter } from '../../workflow/parameters.ts'
import type { Violation, LintFunction } from '../rule.ts'
import { combine } from './combined.ts'
import { objectsIn, type LocatedObject, type WorkflowPart } from './parts.ts'
import { derefIn, eachStep, meant, operationOf, sourcesOf, type SourceOperation } from './sources.ts'

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required: boolean
}

function parametersOf({ document, operation, pathItem }: SourceOperation): Parameter[] {
  const deref = derefIn(document)
  const lists = [pathItem.parameters, operation.parameters]
  const all = lists.flatMap((list) => (Array.isArray(list) ? (list as readonly Json[]) : []))
  return all.flatMap((entry) => {
    const value = deref(entry)
    return isObject(value)
      ? [{ name: textOf(value.name), in: textOf(value.in), required: value.required === true }]
      : []
  })
}

// Headers that descriptions of parameters are not about (OpenAPI 3.1, 4.8.12.2.1).
const isImplied = (it: Parameter): boolean =>
  it.in === 'header' && ['accept', 'content-type', 'authorization'].includes(it.name.toLowerCase())

function checkCall(
  { value: step, path }: LocatedObject,
  workflow: WorkflowPart,
  root: Json,
  called: SourceOperation,
): Violation[] {
  const declared = parametersOf(called)
  const given = combine('parameters', step.parameters, workflow.value.parameters, root).map(({ value }) => ({
    name: textOf(value.name),
    in: textOf(value.in),
  }))
  const own = objectsIn(step.parameters, [...path, 'parameters'])
  const body = derefIn(called.document)(called.operation.requestBody ?? null)
  const content = isObject(body) && isObject(body.content) ? Object.keys(body.content) : null
  const type = isObject(step.requestBody) ? textOf(step.requestBody.contentType) : ''
  return [
    ...own.flatMap(({ value, path: at }) => {
      const it = { name: textOf(value.name), in: textOf(value.in) }
      if (it.name === '' || it.in === '' || declared.some((other) => isSameParameter(other, it))) return []
      const near = meant(
        it.name,
        declared.filter((other) => other.in === it.in).map((other) => other.name),
      )
      return [{ message: `The operation has no ${it.in} parameter "${it.name}"${near}`, path: at }]
    }),
    ...declared
      .filter(
        (entry) =>
          entry.required &&
          !isImplied(entry) &&
          entry.in !== 'body' &&
          entry.in !== 'formData' &&
          !given.some((other) => isSameParameter(other, entry)),
      )
      .map((it) => ({
        message: `The step does not set the required ${it.in} parameter "${it.name}" of the operation.`,
        path,
      })),
    ...(isObject(body) && body.required === true && !isObject(step.requestBody)
      ? [{ message: 'The step does not set the required request body of the operation.', path }]
      : []),
    ...(type !== '' && content !== null && !content.some((it) => takes(it, type))
      ? [
          {
            message: `The operation accepts ${content.join(', ')}, not ${type}.`,
            path: [...path, 'requestBody', 'contentType'],
          },
        ]
      : []),
  ]
}

// "application/*" takes every application type; parameters of a type are not looked at.
const takes = (range: string, type: string): boolean => {
  const [wanted, given] = [range, type].map((it) => (it.split(';')[0] ?? '').trim().toLowerCase())
  return (
    wanted === '*/*' ||
    wanted === given ||
    (wanted?.endsWith('/*') === true && given?.startsWith(wanted.slice(0, -1)) === true)
  )
}

/** A step gives the operation that it calls what that asks for, and nothing that it does not know. */
export const callsFit: LintFunction = (_input, _options, context) => {
  const sources = sourcesOf(context)
  return eachStep(context, (step, workflow) => {
    const found = operationOf(step.value, sources)
    return found !== null && 'operation' in found ? checkCall(step, workflow, context.root, found.operation) : []
  })
}
