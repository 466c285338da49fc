/**
 * Published descriptions with a change at a known place. They come out of the npm package @readme/oas-examples (MIT). What breaks is known by the change;
 * the message that shows it is drawn from the description, and kept only where the interpreter of messages confirms it.
 */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isObject, type Json, type JsonObject, type MadeCase, type Message } from '../case.ts'
import { ajvFor, type Standalone, type Validate } from '../checker/validators.ts'
import { readApi } from '../interpreter/api.ts'
import { MessageDrawer } from '../interpreter/draw.ts'
import { refusalOf } from '../interpreter/read.ts'
import { samples } from './keyword-atoms.ts'
import { Random } from './random.ts'

const packageName = '@readme/oas-examples'
const version = '8.2.2'
const documents = [
  '3.0/json/link-example',
  '3.0/json/petstore-simple',
  '3.0/json/petstore-expanded',
  '3.0/json/uspto',
  '3.1/json/petstore-simple',
  '2.0/json/petstore-simple',
]
const methods = ['get', 'put', 'post', 'delete', 'patch']
const maxDraws = 400

const folder = dirname(Bun.resolveSync(`${packageName}/package.json`, import.meta.dir))

interface Changed {
  readonly head: JsonObject
  /** Whether a message is one that the change is about; null where nothing breaks. */
  readonly breaks: 'request' | null
  /** The direction of what is safe; both without it. */
  readonly direction?: 'request'
  readonly reason: string
}

/** The path and method of an operation, by choice. */
function chosen(
  random: Random,
  document: JsonObject,
): { readonly path: string; readonly method: string; readonly item: JsonObject } {
  const found = Object.entries(document['paths'] as JsonObject).flatMap(([path, item]) =>
    isObject(item)
      ? Object.keys(item)
          .filter((name) => methods.includes(name))
          .map((method) => ({ path, method, item }))
      : [],
  )
  return random.pick(found)
}

const withPath = (document: JsonObject, path: string, item: Json): JsonObject => ({
  ...document,
  paths: { ...(document['paths'] as JsonObject), [path]: item },
})

/** Without what only describes; examples and properties of these names stay where they are data. */
function undescribed(value: Json): Json {
  if (Array.isArray(value)) return value.map(undescribed)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(
        ([name, part]) =>
          !(
            name === 'summary' ||
            name === 'externalDocs' ||
            (name === 'description' && typeof part === 'string' && value['type'] !== undefined)
          ),
      )
      .map(([name, part]) => [name, undescribed(part)]),
  )
}

const changes: Readonly<Record<string, (document: JsonObject, random: Random) => Changed>> = {
  'operation-removed': (document, random) => {
    const { path, method, item } = chosen(random, document)
    const { [method]: _, ...rest } = item
    return { head: withPath(document, path, rest), breaks: 'request', reason: '' }
  },
  'header-required-added': (document, random) => {
    const { path, method, item } = chosen(random, document)
    const operation = item[method] as JsonObject
    const type = document['swagger'] === undefined ? { schema: { type: 'string' } } : { type: 'string' }
    const parameters = [
      ...((operation['parameters'] as readonly Json[] | undefined) ?? []),
      { name: 'x-trace-id', in: 'header', required: true, ...type },
    ]
    return {
      head: withPath(document, path, { ...item, [method]: { ...operation, parameters } }),
      breaks: 'request',
      reason: '',
    }
  },
  'operation-added': (document, random) => ({
    head: withPath(document, `/status-${random.noun()}`, { get: { responses: { '200': { description: 'Well' } } } }),
    breaks: null,
    direction: 'request',
    reason: 'The new path matches no URL that was described before (Paths Object).',
  }),
  'descriptions-removed': (document) => ({
    head: undescribed(document) as JsonObject,
    breaks: null,
    reason: 'Summaries, descriptions and links to documentation change no message.',
  }),
}

/** A drawn request that the base accepts and the head refuses. @throws Error where none was found. */
function shown(id: string, base: JsonObject, head: JsonObject): Message {
  const [before, after] = [readApi(base), readApi(head)]
  const known = new Map<Standalone, Validate>()
  const judge = (schema: Standalone, value: Json) => {
    const validate = known.get(schema) ?? ajvFor(schema)
    known.set(schema, validate)
    return validate(value)
  }
  const drawer = new MessageDrawer(id, before, after)
  for (let at = 0; at < maxDraws; at++) {
    const message = drawer.draw('request')
    if (refusalOf(before, message, judge) === null && refusalOf(after, message, judge) !== null) return message
  }
  throw new Error(`No request of ${id} was found in ${maxDraws} draws`)
}

/** The cases of the track. */
export function realCases(seed: string): MadeCase[] {
  return documents.flatMap((path) => {
    const document = JSON.parse(readFileSync(join(folder, `${path}.json`), 'utf8')) as JsonObject
    return Object.entries(changes).map(([name, change]): MadeCase => {
      const id = `${path.replace('/json/', '-').replace('.', '-')}-${name}`
      const { head, breaks, reason, direction } = change(document, new Random(`${seed}/real/${id}`))
      return {
        id,
        track: 'real',
        direction: breaks ?? direction ?? 'both',
        verdict: breaks === null ? 'safe' : 'breaking',
        certificate:
          breaks === null
            ? { reason, samples }
            : { accepts: 'base', refuses: 'head', message: shown(`${seed}/${id}`, document, head) },
        source: `${packageName}@${version}, ${path}.json, MIT; ${name} by the generator, seed ${seed}`,
        base: document,
        head,
      }
    })
  })
}
