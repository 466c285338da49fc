/** The documents that an Arazzo document names as its sources, and what steps take from them. */
import type { Document } from '../../document/document.ts'
import { isObject, type Json, type JsonObject, type Path, textOf } from '../../kernel/json.ts'
import { followPath, parseFragment } from '../../kernel/pointer.ts'
import { baseAt, followReference } from '../../document/reference.ts'
import { referenceNames } from '../../document/reference-names.ts'
import { isMethod, methodsOf } from '../../kernel/methods.ts'
import { suggest } from '../../kernel/suggest.ts'
import { eachOperation } from '../oas/operations.ts'
import type { Violation, FunctionContext, LintFunction } from '../rule.ts'
import { combine } from './combined.ts'
import { objectsIn, workflowNamed, workflowsOf, type LocatedObject, type WorkflowPart } from './parts.ts'

interface Source {
  readonly name: string
  readonly url: string
  /** "openapi", "arazzo", or "" where the document does not say. */
  readonly type: string
  /** Null if it is not available. */
  readonly document: Document | null
}

function sourcesOf({ root, document, documents }: Pick<FunctionContext, 'root' | 'document' | 'documents'>): Source[] {
  return objectsIn(isObject(root) ? root.sourceDescriptions : undefined, []).map(({ value }) => {
    const url = textOf(value.url)
    const near = [...referenceNames(document.source, url).map(({ name }) => name), url].find((it) =>
      Object.hasOwn(documents, it),
    )
    return {
      name: textOf(value.name),
      url,
      type: textOf(value.type),
      document: near === undefined ? null : (documents[near] ?? null),
    }
  })
}

const isOpenapi = ({ type, document }: Source): boolean =>
  document === null ? type !== 'arazzo' : document.format?.kind === 'openapi' || document.format?.kind === 'swagger'

/** An operation of a source. */
interface SourceOperation {
  readonly document: Document
  readonly operation: JsonObject
  readonly pathItem: JsonObject
}

const derefIn =
  (document: Document) =>
  (value: Json): Json => {
    if (!isObject(value) || typeof value.$ref !== 'string') return value
    const found = followReference(document, { ref: value.$ref, base: baseAt({ document, path: [] }) })
    return typeof found === 'object' ? found.value : value
  }

const known = new WeakMap<Document, ReadonlyMap<string, SourceOperation>>()

function operationsOf(document: Document): ReadonlyMap<string, SourceOperation> {
  let found = known.get(document)
  if (found === undefined) {
    const { value } = document
    const paths = isObject(value) ? value.paths : undefined
    const all = [...eachOperation(paths, methodsOf(value), derefIn(document))]
    found = new Map(
      all.map(({ operation, pathItem }) => [textOf(operation.operationId), { document, operation, pathItem }]),
    )
    known.set(document, found)
  }
  return found
}

const workflowIds = (document: Document): string[] =>
  workflowsOf(document.value).map(({ value }) => textOf(value.workflowId))

// "$sourceDescriptions.petstore.pets.list": everything after the name of the source is the id.
const sourced = /^\$sourceDescriptions\.([A-Za-z0-9_-]+)\.(.+)$/s

const meant = (id: string, all: readonly string[]): string => {
  const near = suggest(id, all)
  return near === null ? '.' : `; did you mean "${near}"?`
}

type Found = { readonly operation: SourceOperation } | { readonly fault: string } | null

function findById(id: string, sources: readonly Source[]): Found {
  const [, name, rest] = sourced.exec(id) ?? []
  const asked = name === undefined ? sources.filter(isOpenapi) : sources.filter((it) => it.name === name)
  const wanted = rest ?? id
  if (id.startsWith('$') && name === undefined) return null
  const hits = asked.flatMap(({ document }) => {
    const it = document === null ? undefined : operationsOf(document).get(wanted)
    return it === undefined ? [] : [it]
  })
  if (hits.length > 1)
    return { fault: `Several sources have an operation "${wanted}"; use $sourceDescriptions.NAME.${wanted}.` }
  if (hits[0] !== undefined) return { operation: hits[0] }
  // A source that is not available may contain it.
  if (asked.length === 0 || asked.some((it) => it.document === null)) return null
  const ids = asked.flatMap(({ document }) => (document === null ? [] : [...operationsOf(document).keys()]))
  const where = asked.map((it) => `"${it.url}"`).join(', ')
  return { fault: `No operation of ${where} has the operationId "${wanted}"${meant(wanted, ids)}` }
}

function findByPath(text: string, sources: readonly Source[]): Found {
  const [, name, fragment = ''] = /^\{\$sourceDescriptions\.([A-Za-z0-9_-]+)\.url\}#(.+)$/s.exec(text) ?? []
  const source = sources.find((it) => it.name === name)
  const { document } = source ?? { document: null }
  if (source === undefined || document === null) return null
  const steps = parseFragment(fragment)
  const at = steps === null ? null : followPath(document.value, steps)
  if (steps === null || at === null) return { fault: `Cannot resolve ${fragment} in "${source.url}".` }
  const isMore = steps.at(-2) === 'additionalOperations'
  if (!isObject(at.value) || !(isMethod(steps.at(-1)) || isMore))
    return { fault: `${fragment} in "${source.url}" is not an operation.` }
  const pathItem = followPath(document.value, steps.slice(0, isMore ? -2 : -1))?.value
  return { operation: { document, operation: at.value, pathItem: isObject(pathItem) ? pathItem : {} } }
}

function findWorkflow(id: string, root: Json, sources: readonly Source[]): string | null {
  const [, name, rest = ''] = sourced.exec(id) ?? []
  if (name === undefined) {
    if (id.startsWith('$') || workflowNamed(root, id) !== undefined) return null
    const own = workflowsOf(root).map(({ value }) => textOf(value.workflowId))
    return own.includes(id) ? null : `There is no workflow "${id}"${meant(id, own)}`
  }
  const source = sources.find((it) => it.name === name)
  if (source === undefined || source.document === null) return null
  const ids = workflowIds(source.document)
  return ids.includes(rest) ? null : `"${source.url}" has no workflow "${rest}"${meant(rest, ids)}`
}

const eachStep = (
  context: FunctionContext,
  look: (step: LocatedObject, workflow: WorkflowPart) => readonly Violation[],
) => workflowsOf(context.root).flatMap((workflow) => workflow.steps.flatMap((it) => look(it, workflow)))

const operationOf = (step: JsonObject, sources: readonly Source[]): Found => {
  if (typeof step.operationId === 'string') return findById(step.operationId, sources)
  return typeof step.operationPath === 'string' ? findByPath(step.operationPath, sources) : null
}

/** The operation that each step calls is in the source that it names. */
export const operationsExist: LintFunction = (_input, _options, context) => {
  const sources = sourcesOf(context)
  return eachStep(context, ({ value, path }) => {
    const found = operationOf(value, sources)
    const key = typeof value.operationId === 'string' ? 'operationId' : 'operationPath'
    return found !== null && 'fault' in found ? [{ message: found.fault, path: [...path, key] }] : []
  })
}

/** The workflow that each step calls, and each that a workflow depends on, is in the document that it names. */
export const workflowsExist: LintFunction = (_input, _options, context) => {
  const sources = sourcesOf(context)
  const look = (id: Json | undefined, path: Path): Violation[] => {
    const fault = typeof id === 'string' ? findWorkflow(id, context.root, sources) : null
    return fault === null ? [] : [{ message: fault, path }]
  }
  return workflowsOf(context.root).flatMap(({ value, path, steps }) => [
    // Those of the document itself are asked for by another rule.
    ...(Array.isArray(value.dependsOn) ? (value.dependsOn as readonly Json[]) : []).flatMap((id, index) =>
      typeof id === 'string' && id.startsWith('$') ? look(id, [...path, 'dependsOn', index]) : [],
    ),
    ...steps.flatMap((it) => look(it.value.workflowId, [...it.path, 'workflowId'])),
  ])
}

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

const isSame = (a: { name: string; in: string }, b: { name: string; in: string }): boolean =>
  a.in === b.in && (a.in === 'header' ? a.name.toLowerCase() === b.name.toLowerCase() : a.name === b.name)

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
      if (it.name === '' || it.in === '' || declared.some((other) => isSame(other, it))) return []
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
          !given.some((other) => isSame(other, entry)),
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

/** Every source is available and has its declared type. */
export const sourcesAvailable: LintFunction = (_input, _options, context) =>
  sourcesOf(context).flatMap((source, index): Violation[] => {
    const path = ['sourceDescriptions', index, 'url']
    const { document, url, type } = source
    if (url === '') return []
    if (document === null) return [{ message: `Cannot read "${url}"; the steps that use it were not checked.`, path }]
    const kind = document.format?.kind
    const actual = kind === 'openapi' || kind === 'swagger' ? 'openapi' : kind === 'arazzo' ? 'arazzo' : null
    if (actual === null) return [{ message: `"${url}" is neither an OpenAPI nor an Arazzo document.`, path }]
    return type !== '' && type !== actual
      ? [
          {
            message: `"${url}" has the type "${actual}", not "${type}".`,
            path: ['sourceDescriptions', index, 'type'],
          },
        ]
      : []
  })
