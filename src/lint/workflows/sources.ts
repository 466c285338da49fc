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
import { objectsIn, workflowNamed, workflowsOf, type LocatedObject, type WorkflowPart } from './parts.ts'

/** A document that an Arazzo document names as a source. */
export interface Source {
  readonly name: string
  readonly url: string
  /** "openapi", "asyncapi", "arazzo", or "" where the document does not say. */
  readonly type: string
  /** Null if it is not available. */
  readonly document: Document | null
}

/** The sources of an Arazzo document, in its order. */
export function sourcesOf({
  root,
  document,
  documents,
}: Pick<FunctionContext, 'root' | 'document' | 'documents'>): Source[] {
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
  document === null
    ? type !== 'arazzo' && type !== 'asyncapi'
    : document.format?.kind === 'openapi' || document.format?.kind === 'swagger'

/** Whether a source describes messages: it is named, and not looked into. */
export const isMessages = ({ type }: Source): boolean => type === 'asyncapi'

/** An operation of a source. */
export interface SourceOperation {
  readonly document: Document
  readonly operation: JsonObject
  readonly pathItem: JsonObject
}

/** Follows the references of values within a document. */
export const derefIn =
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

/** What is meant by a name that is not there, as the end of a sentence. */
export const meant = (id: string, all: readonly string[]): string => {
  const near = suggest(id, all)
  return near === null ? '.' : `; did you mean "${near}"?`
}

type Found = { readonly operation: SourceOperation } | { readonly fault: string } | null

function findById(id: string, sources: readonly Source[]): Found {
  const [, name, rest] = sourced.exec(id) ?? []
  const asked = name === undefined ? sources.filter(isOpenapi) : sources.filter((it) => it.name === name)
  if (asked.some(isMessages)) return null
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
  // What no description of HTTP has may be a message of an AsyncAPI source.
  if (name === undefined && sources.some(isMessages)) return null
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

/** What a function finds wrong with each step. */
export const eachStep = (
  context: FunctionContext,
  look: (step: LocatedObject, workflow: WorkflowPart) => readonly Violation[],
) => workflowsOf(context.root).flatMap((workflow) => workflow.steps.flatMap((it) => look(it, workflow)))

/** The operation that a step calls, or why there is none; null where nothing can be known of it. */
export const operationOf = (step: JsonObject, sources: readonly Source[]): Found => {
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

/** Every source is available and has its declared type. */
export const sourcesAvailable: LintFunction = (_input, _options, context) =>
  sourcesOf(context).flatMap((source, index): Violation[] => {
    const path = ['sourceDescriptions', index, 'url']
    const { document, url, type } = source
    // What sends and receives messages is named, and not looked into.
    if (url === '' || type === 'asyncapi') return []
    if (document === null) return [{ message: `Cannot read "${url}"; the steps that use it were not checked.`, path }]
    const actual = typeOf(document)
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

/** A step names the source of its operation where several sources have operations (Arazzo 1.1.0, "Step Object"). */
export const operationSources: LintFunction = (_input, _options, context) => {
  const sources = sourcesOf(context)
  const having = sources.filter(({ type }) => type !== 'arazzo')
  if (having.length < 2) return []
  return eachStep(context, ({ value, path }) => {
    const id = value.operationId
    if (typeof id !== 'string' || id.startsWith('$')) return []
    const holders = having.filter(({ document }) => document !== null && operationsOf(document).has(id))
    const [holder] = holders
    const message = `${having.length} sources describe operations; write $sourceDescriptions.NAME.${id}.`
    const isCertain = holders.length === 1 && holder !== undefined && having.every((it) => it.document !== null)
    return [
      {
        message,
        path: [...path, 'operationId'],
        ...(isCertain ? { name: `$sourceDescriptions.${holder.name}.${id}` } : {}),
      },
    ]
  })
}

/** Every source says of what type it is; the fix writes the type of the document that was read. */
export const sourceTypes: LintFunction = (_input, _options, context) =>
  sourcesOf(context).flatMap(({ type, document }, index): Violation[] => {
    if (type !== '') return []
    const path = ['sourceDescriptions', index]
    const message = 'Source Description "type" should be present.'
    const actual = typeOf(document)
    return [{ message, path: [...path, 'type'], ...(actual === null ? {} : { name: actual }) }]
  })

const typeOf = (document: Document | null): 'openapi' | 'arazzo' | null => {
  const kind = document?.format?.kind
  if (kind === 'arazzo') return 'arazzo'
  return kind === 'openapi' || kind === 'swagger' ? 'openapi' : null
}

/** A step names its operation by its id; the fix writes the id of the operation at the path. */
export const operationPaths: LintFunction = (_input, _options, context) => {
  const sources = sourcesOf(context)
  return eachStep(context, ({ value, path }) => {
    const { operationPath } = value
    if (!operationPath) return []
    const found = operationOf(value, sources)
    const operation = found !== null && 'operation' in found ? found.operation : null
    const [, source] = /^\{\$sourceDescriptions\.([A-Za-z0-9_-]+)\.url\}/.exec(textOf(operationPath)) ?? []
    const id = textOf(operation?.operation.operationId)
    const named = id === '' || source === undefined ? {} : { name: `$sourceDescriptions.${source}.${id}` }
    return [
      {
        message: 'It is recommended to use "operationId" rather than "operationPath".',
        path: [...path, 'operationPath'],
        ...named,
      },
    ]
  })
}
