import { isObject, type Json, type JsonObject, type Path } from '../../kernel/json.ts'
import { transportOf } from '../address.ts'
import { noIdentity, type Draft, type DraftServer, type DraftTransport } from '../declare.ts'
import { manifestLimits, type Reading } from '../reading.ts'
import { emptySurface } from '../surface.ts'
import { publicAddress, readCommand } from './local-command.ts'

const addressKeys = ['url', 'serverUrl', 'httpUrl', 'endpoint'] as const

const isEntry = (value: Json): boolean =>
  isObject(value) &&
  (typeof value.command === 'string' ||
    Array.isArray(value.command) ||
    addressKeys.some((key) => typeof value[key] === 'string'))

const isMap = (value: Json | undefined): value is JsonObject =>
  isObject(value) && Object.values(value).length > 0 && Object.values(value).every(isEntry)

/** The map of servers of a configuration, and its path: of Claude, Cursor, VS Code, Zed and other hosts. Null for none. */
export function serversOf(value: Json): { readonly map: JsonObject; readonly path: Path } | null {
  if (!isObject(value)) return null
  if (isObject(value.mcpServers)) return { map: value.mcpServers, path: ['mcpServers'] }
  const inner = isObject(value.mcp) ? value.mcp : {}
  const places: readonly (readonly [Json | undefined, Path])[] = [
    [value.servers, ['servers']],
    [value.context_servers, ['context_servers']],
    [value.mcp_servers, ['mcp_servers']],
    [inner.servers, ['mcp', 'servers']],
    [inner.mcpServers, ['mcp', 'mcpServers']],
    [value.mcp, ['mcp']],
  ]
  const found = places.find(([map]) => isMap(map))
  return found === undefined ? null : { map: found[0] as JsonObject, path: found[1] }
}

function remoteOf(reading: Reading, entry: JsonObject, path: Path): DraftTransport | null {
  const key = addressKeys.find((it) => typeof entry[it] === 'string')
  if (key === undefined) return null
  const at = [...path, key]
  const text = reading.text(entry, [key], path, manifestLimits.text) ?? reading.fail(at, `"${key}" is empty`)
  const word = ['type', 'transport', 'transportType'].find((it) => typeof entry[it] === 'string')
  const { address, variables } = reading.address(publicAddress(reading, text, at, `"${key}"`), at)
  const type =
    word === undefined
      ? key === 'httpUrl'
        ? 'streamable_http'
        : transportOf(address)
      : reading.transport(entry[word] as Json, [...path, word])
  const inputs = ['headers', 'http_headers'].flatMap((it) => reading.values(entry[it], [...path, it], 'header'))
  return { type, address, variables, inputs, command: null, path: at, isLocal: false }
}

function readEntry(reading: Reading, name: string, value: Json, path: Path): DraftServer {
  const entry = reading.object(value, path, `the server "${name.slice(0, 80)}"`)
  if (name === '' || name.length > manifestLimits.name)
    reading.fail(path, `the name of a server must have 1 to ${manifestLimits.name} characters`)
  const base = { path, name, identity: { ...noIdentity, name }, schemaVersion: null, surface: emptySurface }
  const remote = remoteOf(reading, entry, path)
  if (remote !== null) return { ...base, transports: [remote], packages: [], isComplete: false }
  const { transport, packages, bridged } = readCommand(reading, entry, path)
  const bridge: DraftTransport[] =
    bridged === null
      ? []
      : [{ ...transport, type: 'streamable_http', ...reading.address(bridged, path), command: null, isLocal: false }]
  return { ...base, transports: [...bridge, transport], packages, isComplete: false }
}

/**
 * Reads a configuration of an agent host: each of its servers, without the values of variables and headers and without secrets in
 * arguments and addresses. What was dropped is noted by name.
 * @throws SvcError `manifest-invalid`, `transport-unknown`, `endpoint-address-invalid`
 */
export function readClientConfiguration(
  reading: Reading,
  { map, path }: { readonly map: JsonObject; readonly path: Path },
): Draft {
  const entries = Object.entries(map)
  if (entries.length > manifestLimits.servers)
    reading.fail(path, `it names ${entries.length} servers; ${manifestLimits.servers} are allowed`)
  const servers = entries.map(([name, it]) => readEntry(reading, name, it, [...path, name]))
  return { format: 'client-configuration', schemaVersion: null, servers }
}
