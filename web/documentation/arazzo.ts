/** Reading of an Arazzo document as the workflow view needs it: unknown in, safe pieces out; it never throws. */
import { entriesAt, isNode, listAt, listOperations, type Node, nodeAt, textAt } from '../src/parts/openapi-document.ts'

/** What a step calls, as far as the document says it. */
export type StepTarget =
  | {
      readonly kind: 'operation'
      /** Null where only the operationId is known. */
      readonly method: string | null
      readonly path: string | null
      readonly operationId: string | null
      readonly summary: string | null
      /** The source description that it belongs to; null where the step names none. */
      readonly source: string | null
      /** Where the document of that source can be read on this service; null where it is elsewhere. */
      readonly page: string | null
    }
  /** Messages of an AsyncAPI source: named, and not followed. */
  | { readonly kind: 'channel'; readonly name: string; readonly action: string | null; readonly source: string | null }
  | { readonly kind: 'workflow'; readonly workflowId: string; readonly source: string | null; readonly here: boolean }
  | { readonly kind: 'unknown' }

export interface Source {
  readonly name: string
  readonly type: string
  readonly url: string
}

/** A parsed OpenAPI document for each source description that this service has. */
export type SourceDocuments = Readonly<Record<string, unknown>>

export const sourcesOf = (root: unknown): Source[] =>
  listAt(root, 'sourceDescriptions').flatMap((one) => {
    const name = textAt(one, 'name')
    return name === null ? [] : [{ name, type: textAt(one, 'type') ?? 'openapi', url: textAt(one, 'url') ?? '' }]
  })

export const workflowsOf = (root: unknown): { readonly id: string; readonly node: Node }[] =>
  listAt(root, 'workflows')
    .filter(isNode)
    .map((node, index) => ({ id: textAt(node, 'workflowId') ?? `workflow ${index + 1}`, node }))

/** The address of a rendered document of this very service, as a path; null for every other address. */
export const ownDocument = (address: string, here: string): string | null => {
  const url = URL.parse(address, here)
  return url !== null && url.origin === new URL(here).origin && /^\/v1\/schema\/[^/]+\/[^/]+\/[^/]+$/.test(url.pathname)
    ? url.pathname
    : null
}

const pageOf = (sources: readonly Source[], name: string | null, here: string): string | null => {
  const source = sources.find((one) => one.name === name)
  return source === undefined ? null : (ownDocument(source.url, here)?.replace('/v1/schema/', '/v1/swagger/') ?? null)
}

const unescape = (part: string): string => {
  const plain = part.replaceAll('~1', '/').replaceAll('~0', '~')
  try {
    return decodeURIComponent(plain)
  } catch {
    return plain
  }
}

/** A name behind its source: "$sourceDescriptions.shop.listOrders", "shop.listOrders", or alone. */
const splitSource = (text: string, sources: readonly Source[]): { source: string | null; name: string } => {
  const whole = /^\$sourceDescriptions\.([^.]+)\.(.+)$/.exec(text)
  if (whole) return { source: whole[1] ?? null, name: whole[2] ?? '' }
  const source = sources.find((one) => text.startsWith(`${one.name}.`))
  if (source !== undefined) return { source: source.name, name: text.slice(source.name.length + 1) }
  // With one source of operations its name is not needed.
  const only = sources.filter((one) => one.type !== 'arazzo' && one.type !== 'asyncapi')
  return { source: only.length === 1 ? (only[0]?.name ?? null) : null, name: text }
}

const fromPath = (text: string, sources: readonly Source[], documents: SourceDocuments, here: string): StepTarget => {
  const at = text.indexOf('#')
  const before = at < 0 ? '' : text.slice(0, at)
  const source = /sourceDescriptions\.([^.}#]+)/.exec(before)?.[1] ?? null
  const [area, path, method] =
    at < 0
      ? []
      : text
          .slice(at + 1)
          .split('/')
          .slice(1)
          .map(unescape)
  if (area !== 'paths' || path === undefined || method === undefined) return { kind: 'unknown' }
  const ref = `${method.toUpperCase()} ${path}`
  const found = source === null ? undefined : listOperations(documents[source]).find((one) => one.ref === ref)
  return {
    kind: 'operation',
    method: method.toUpperCase(),
    path,
    operationId: found ? textAt(found.operation, 'operationId') : null,
    summary: found ? textAt(found.operation, 'summary') : null,
    source,
    page: pageOf(sources, source, here),
  }
}

const fromId = (text: string, sources: readonly Source[], documents: SourceDocuments, here: string): StepTarget => {
  const { source, name } = splitSource(text, sources)
  const found =
    source === null
      ? undefined
      : listOperations(documents[source]).find((one) => textAt(one.operation, 'operationId') === name)
  return {
    kind: 'operation',
    method: found?.method ?? null,
    path: found?.path ?? null,
    operationId: name,
    summary: found ? textAt(found.operation, 'summary') : null,
    source,
    page: pageOf(sources, source, here),
  }
}

/** What a step calls: an operation by id or by path, or another workflow. */
export const targetOf = (step: Node, root: unknown, documents: SourceDocuments, here: string): StepTarget => {
  const sources = sourcesOf(root)
  const [byId, byPath, workflow] = ['operationId', 'operationPath', 'workflowId'].map((key) => textAt(step, key))
  const channel = textAt(step, 'channelPath')
  const action = textAt(step, 'action')
  const named = channel ?? (action === null ? null : byId)
  if (typeof named === 'string') {
    const source = /sourceDescriptions\.([^.}#]+)/.exec(named)?.[1] ?? null
    return {
      kind: 'channel',
      name: named.replace(/^.*#/, '').replace(/^\$sourceDescriptions\.[^.]+\./, ''),
      action,
      source,
    }
  }
  if (typeof byId === 'string') return fromId(byId, sources, documents, here)
  if (typeof byPath === 'string') return fromPath(byPath, sources, documents, here)
  if (typeof workflow !== 'string') return { kind: 'unknown' }
  const outside = /^\$sourceDescriptions\.([^.]+)\.(?:workflows\.)?(.+)$/.exec(workflow)
  const workflowId = outside?.[2] ?? workflow
  return {
    kind: 'workflow',
    workflowId,
    source: outside?.[1] ?? null,
    here: outside === null && workflowsOf(root).some(({ id }) => id === workflowId),
  }
}

/** A reusable object ("reference": "$components.parameters.page") replaced by what it names, with its own value. */
export const reusable = (root: unknown, given: unknown): Node | null => {
  if (!isNode(given)) return null
  const reference = textAt(given, 'reference')
  if (reference === null) return given
  const [, kind = '', name = ''] = /^\$components\.([A-Za-z]+)\.(.+)$/.exec(reference) ?? []
  const found = nodeAt(nodeAt(nodeAt(root, 'components'), kind), name)
  if (found === null) return { name: reference }
  return 'value' in given ? { ...found, value: given['value'] } : found
}

/** A value as one line: an expression or text as it is, anything else as JSON. */
export const valueWords = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** A criterion as a sentence: what is looked at, how, and what must hold. */
export const criterionWords = (criterion: Node): { readonly condition: string; readonly how: string | null } => {
  const context = textAt(criterion, 'context')
  const type = nodeAt(criterion, 'type') ? textAt(nodeAt(criterion, 'type'), 'type') : textAt(criterion, 'type')
  const how = [type, context === null ? null : `on ${context}`].filter((one) => one !== null).join(' ')
  return { condition: textAt(criterion, 'condition') ?? '', how: how === '' ? null : how }
}

/** An action after a step: what it is called, what it does, and when. */
export const actionWords = (action: Node): string => {
  const type = textAt(action, 'type')
  const to = textAt(action, 'workflowId') ?? textAt(action, 'stepId')
  const again = typeof action['retryLimit'] === 'number' ? `, at most ${action['retryLimit']} times` : ''
  const after = typeof action['retryAfter'] === 'number' ? ` after ${action['retryAfter']} s` : ''
  if (type === 'retry') return `retry${after}${again}${to === null ? '' : `, first ${to}`}`
  if (type === 'goto') return to === null ? 'continue elsewhere' : `go to ${to}`
  return type ?? 'end'
}

/** The outputs of a workflow or step, name and expression. */
export const outputsOf = (node: Node): [string, string][] =>
  entriesAt(node, 'outputs').map(([name, value]) => [name, valueWords(value)])

/** A way from one step of a workflow to another one; `to` is null for the end of the workflow. */
export interface FlowJump {
  readonly from: number
  readonly to: number | null
  /** After which outcome it is taken. */
  readonly after: 'success' | 'failure'
  /** As a sentence: "list, on failure: retry after 1 s, at most 3 times". */
  readonly words: string
}

/** The steps of a workflow and the ways between them that are not from one to the next. */
export interface Flow {
  readonly steps: readonly string[]
  readonly jumps: readonly FlowJump[]
}

function placeAfter(type: string, from: number, target: number | null): number | null {
  if (type === 'retry') return from
  return type === 'goto' ? target : null
}

/** Reads the diagram of a workflow. Actions of the workflow apply to each of its steps, and are in its own lists. */
export function flowOf(root: unknown, workflow: Node): Flow {
  const nodes = listAt(workflow, 'steps').filter(isNode)
  const steps = nodes.map((node, index) => textAt(node, 'stepId') ?? `step ${index + 1}`)
  const jumps = nodes.flatMap((node, from) =>
    (['onSuccess', 'onFailure'] as const).flatMap((key) =>
      listAt(node, key).flatMap((given): FlowJump[] => {
        const action = reusable(root, given)
        const type = action === null ? null : textAt(action, 'type')
        if (action === null || type === null) return []
        const after = key === 'onSuccess' ? 'success' : 'failure'
        const target = steps.indexOf(textAt(action, 'stepId') ?? '')
        const elsewhere = target === -1 ? null : target
        const words = `${steps[from]}, on ${after}: ${actionWords(action)}`
        return [{ from, to: placeAfter(type, from, elsewhere), after, words }]
      }),
    ),
  )
  return { steps, jumps }
}
