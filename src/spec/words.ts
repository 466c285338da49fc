import { isObject, type Json } from '../kernel/json.ts'
import { getPath, parseFragment, parsePointer } from '../kernel/pointer.ts'
import { localRefs, operationAt } from './part.ts'

/** What is searched of an operation: its title, whose words count most, and everything else that describes it. */
export interface OperationText {
  readonly title: string
  readonly body: string
}

const mostCharacters = 4000

/** Words by which people ask for what a method does, beside those that the author found. */
const verbs: Readonly<Record<string, string>> = {
  GET: 'get list read show find fetch retrieve',
  POST: 'create add new',
  PUT: 'update replace change edit set',
  PATCH: 'update change edit modify',
  DELETE: 'delete remove',
}

/** Names of parameters and fields, and the first sentences of descriptions, of a definition. */
function gather(value: Json, words: string[]): void {
  if (Array.isArray(value)) for (const item of value as readonly Json[]) gather(item, words)
  if (!isObject(value)) return
  if (typeof value.name === 'string') words.push(value.name)
  if (typeof value.description === 'string') words.push(value.description.slice(0, 200))
  if (isObject(value.properties)) words.push(...Object.keys(value.properties))
  for (const [key, child] of Object.entries(value))
    if (key !== 'example' && key !== 'examples' && key !== 'enum') gather(child, words)
}

/**
 * The text of an operation for full-text search: names, path, summary and tags, then its parameters, the fields of its
 * bodies and of the schemas these refer to directly, as far as 4,000 characters. Verbs that mean its method are added.
 */
export function operationText(
  document: Json,
  entry: {
    readonly ref: string
    readonly operationId: string | null
    readonly summary: string
    readonly tags: readonly string[]
    readonly pointer: string
  },
): OperationText {
  const path = parsePointer(entry.pointer)
  const operation = path === null ? null : operationAt(document, path)
  const words: string[] = []
  if (operation) {
    gather(operation, words)
    for (const ref of localRefs(operation)) {
      const target = parseFragment(ref)
      if (target === null) continue
      words.push(String(target.at(-1)))
      const definition = getPath(document, target)
      if (isObject(definition) && isObject(definition.properties)) words.push(...Object.keys(definition.properties))
    }
  }
  return {
    title: [entry.operationId, entry.summary].filter(Boolean).join(' '),
    body: [entry.ref, verbs[entry.ref.split(' ')[0] ?? ''] ?? '', ...entry.tags, ...words]
      .join(' ')
      .slice(0, mostCharacters),
  }
}
