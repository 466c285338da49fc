/** Cases of two published versions of a description: the part of it that one path needs, and the label that can be shown. */
import { isObject, type Json, type JsonObject, type MadeCase, type Message } from '../case.ts'
import { ajvFor, type Standalone, type Validate } from '../checker/validators.ts'
import { readApi } from '../interpreter/api.ts'
import { MessageDrawer } from '../interpreter/draw.ts'
import { refusalOf } from '../interpreter/read.ts'
import { samples } from './keyword-atoms.ts'

const maxDraws = 1500

/** Every local reference below a value. */
function referencesOf(value: Json, found: Set<string>): void {
  if (Array.isArray(value)) for (const item of value) referencesOf(item, found)
  if (!isObject(value)) return
  const reference = value['$ref']
  if (typeof reference === 'string' && reference.startsWith('#/')) found.add(reference)
  for (const part of Object.values(value)) referencesOf(part, found)
}

const stepsOf = (reference: string): string[] =>
  reference
    .slice(2)
    .split('/')
    .map((step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'))

const at = (document: Json, steps: readonly string[]): Json | undefined =>
  steps.reduce<Json | undefined>((part, step) => (isObject(part) ? part[step] : undefined), document)

/** A description with one of its paths and the components that it leads to; without the path where the description has none. */
export function partOf(document: JsonObject, path: string): JsonObject {
  const item = (document['paths'] as JsonObject)[path]
  const { components, paths: _, tags: _tags, ...rest } = document
  const kept = new Map<string, Set<string>>()
  const security = isObject(components) ? components['securitySchemes'] : undefined
  const pending: Json[] = [item ?? null, rest['security'] ?? null, security ?? null]
  const seen = new Set<string>()
  while (pending.length > 0) {
    const references = new Set<string>()
    referencesOf(pending.pop() ?? null, references)
    for (const reference of references) {
      const [first, section = '', name = ''] = stepsOf(reference)
      if (first !== 'components' || seen.has(`${section}/${name}`)) continue
      seen.add(`${section}/${name}`)
      kept.set(section, (kept.get(section) ?? new Set()).add(name))
      pending.push(at(document, ['components', section, name]) ?? null)
    }
  }
  const sections = Object.entries(isObject(components) ? components : {}).flatMap(
    ([section, entries]): [string, Json][] => {
      if (section === 'securitySchemes') return [[section, entries]]
      const names = kept.get(section)
      if (names === undefined || !isObject(entries)) return []
      return [[section, Object.fromEntries(Object.entries(entries).filter(([name]) => names.has(name)))]]
    },
  )
  return {
    ...rest,
    paths: item === undefined ? {} : { [path]: item },
    ...(sections.length === 0 ? {} : { components: Object.fromEntries(sections) }),
  }
}

const documentation = new Set([
  'description',
  'summary',
  'title',
  'example',
  'examples',
  'externalDocs',
  'tags',
  'info',
  'operationId',
])
// Below these, the names are of the author.
const maps = new Set([
  'properties',
  'patternProperties',
  'schemas',
  'responses',
  'parameters',
  'headers',
  'content',
  'paths',
])

/** A value without documentation, with sorted names: equal texts mean the same to clients. */
function meaningOf(value: Json, isMap: boolean): Json {
  if (Array.isArray(value)) return value.map((item) => meaningOf(item, false))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => isMap || !(documentation.has(name) || name.startsWith('x-')))
      .sort(([one], [two]) => (one < two ? -1 : 1))
      .map(([name, part]) => [name, meaningOf(part, !isMap && maps.has(name))]),
  )
}

const isSame = (base: JsonObject, head: JsonObject): boolean =>
  JSON.stringify(meaningOf(base, false)) === JSON.stringify(meaningOf(head, false))

/** A message that one side sends and the other refuses, with its direction; null where none was drawn. */
function shown(
  id: string,
  base: JsonObject,
  head: JsonObject,
): { direction: 'request' | 'response'; message: Message } | null {
  const [before, after] = [readApi(base), readApi(head)]
  const known = new Map<Standalone, Validate>()
  const judge = (schema: Standalone, value: Json): boolean => {
    const validate = known.get(schema) ?? ajvFor(schema)
    known.set(schema, validate)
    return validate(value)
  }
  for (const direction of ['request', 'response'] as const) {
    const [sender, receiver] = direction === 'request' ? [before, after] : [after, before]
    if (sender.operations.length === 0) continue
    const drawer = new MessageDrawer(`${id}/${direction}`, sender, receiver)
    for (let draw = 0; draw < maxDraws; draw++) {
      const message = drawer.draw(direction)
      if (refusalOf(sender, message, judge) === null && refusalOf(receiver, message, judge) !== null)
        return { direction, message }
    }
  }
  return null
}

/** A schema that no validator takes has no label: published descriptions have such. */
function shownIfReadable(id: string, base: JsonObject, head: JsonObject): ReturnType<typeof shown> {
  try {
    return shown(id, base, head)
  } catch (error) {
    console.error(`${id}: ${error instanceof Error ? error.message : String(error)}`)
    return null
  }
}

/** The case of two documents with the label that can be shown; null where nothing shows one, or where the path itself is the same. */
export function labelled({
  id,
  source,
  base,
  head,
}: Pick<MadeCase, 'id' | 'source'> & { readonly base: JsonObject; readonly head: JsonObject }): MadeCase | null {
  const made = { id, track: 'versions', source, base, head } as const
  if (JSON.stringify({ ...base, info: null }) === JSON.stringify({ ...head, info: null })) return null
  if (isSame(base, head)) {
    const reason = 'Summaries, descriptions, examples, titles, tags and operation ids change no message.'
    return { ...made, direction: 'both', verdict: 'safe', certificate: { reason, samples } }
  }
  const found = shownIfReadable(id, base, head)
  if (found === null) return null
  const [accepts, refuses] = found.direction === 'request' ? (['base', 'head'] as const) : (['head', 'base'] as const)
  return {
    ...made,
    direction: found.direction,
    verdict: 'breaking',
    certificate: { accepts, refuses, message: found.message },
  }
}
