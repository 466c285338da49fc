import { isObject, type Json, type JsonObject, type Path } from '../../kernel/json.ts'
import type { Draft, DraftTransport } from '../declare.ts'
import { manifestLimits, type Reading } from '../reading.ts'
import type { ServerIdentity } from '../types.ts'
import { readIdentity } from './server-json.ts'
import { isCompleteSurface, readSurface, readTools } from './surface-lists.ts'

const lists = ['tools', 'resources', 'resourceTemplates', 'prompts'] as const
const hasList = (value: JsonObject): boolean => lists.some((key) => Array.isArray(value[key]))

/** Whether a value is what a server answers to `tools/list` and its like, with or without the envelope of JSON-RPC, or a list of tools. */
export const isToolList = (value: Json): boolean =>
  (Array.isArray(value) && value.length > 0) ||
  (isObject(value) && (hasList(value) || (isObject(value.result) && hasList(value.result))))

/** How the server is reached, where a dump says so: `transport` (a word, or an object with `type` and `url`), `url`, `endpoint`. */
export function readWay(reading: Reading, value: JsonObject, path: Path): DraftTransport[] {
  const own = value.transport
  const holder = isObject(own) ? own : value
  const at: Path = isObject(own) ? [...path, 'transport'] : path
  const key = ['url', 'endpoint', 'endpoint_url', 'endpointUrl'].find((it) => typeof holder[it] === 'string')
  const word = isObject(own) ? own.type : own
  if (word === undefined && key === undefined) return []
  const wordPath = isObject(own) ? [...at, 'type'] : [...path, 'transport']
  const type = word === undefined || word === null ? null : reading.transport(word, wordPath)
  const base = { inputs: [], command: null, path: at, isLocal: type === 'stdio' }
  if (type === 'stdio') return [{ ...base, type, address: null, variables: [] }]
  if (key === undefined) return [{ ...base, type: type ?? 'streamable_http', address: null, variables: [] }]
  const text = reading.text(holder, [key], at, manifestLimits.text) ?? ''
  // A path alone names no server: the request has to say where it is.
  if (text.startsWith('/')) {
    reading.note('field-ignored', [...at, key], `"${key}" is a path and not a URL.`)
    return [{ ...base, type: type ?? 'streamable_http', address: null, variables: [] }]
  }
  return [{ ...base, type: type ?? 'streamable_http', ...reading.address(text, [...at, key]) }]
}

/** What a server says of itself in the answer to `initialize`, or else in the fields of the dump. */
export const readSelf = (reading: Reading, value: JsonObject, path: Path): ServerIdentity =>
  isObject(value.serverInfo)
    ? readIdentity(reading, value.serverInfo, [...path, 'serverInfo'])
    : readIdentity(reading, value, path)

/**
 * Reads lists of tools, resources and prompts as a server sends them.
 * @throws SvcError `manifest-invalid`, `transport-unknown`, `endpoint-address-invalid`
 */
export function readToolList(reading: Reading, value: Json): Draft {
  const result = isObject(value) && isObject(value.result) && !hasList(value) ? value.result : value
  const path: Path = result === value ? [] : ['result']
  const holder = isObject(result) ? result : {}
  const surface = isObject(result) ? readSurface(reading, result, path) : readTools(reading, result, path)
  if (typeof holder.nextCursor === 'string')
    reading.note('page-missing', [...path, 'nextCursor'], 'This is one page of several: the list has more items.')
  const identity = readSelf(reading, holder, path)
  const transports = readWay(reading, holder, path)
  const isComplete = isCompleteSurface(surface)
  const server = { path, name: null, identity, schemaVersion: null, transports, packages: [], surface, isComplete }
  return { format: 'tools-list', schemaVersion: null, servers: [server] }
}
