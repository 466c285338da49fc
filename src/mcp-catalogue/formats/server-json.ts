import { isObject, type Json, type JsonObject, type Path } from '../../kernel/json.ts'
import { withoutUrlSecrets } from '../command.ts'
import type { Draft, DraftServer, DraftTransport } from '../declare.ts'
import { manifestLimits, type Reading } from '../reading.ts'
import type { DeclaredInput, DeclaredPackage, PackageLaunch, ServerIdentity } from '../types.ts'
import { readLaunch, readVariables } from './launch.ts'
import { isCompleteSurface, readSurface } from './surface-lists.ts'

/** Published versions of the schema of server.json. */
export const schemaVersions: readonly string[] = [
  '2025-07-09',
  '2025-09-16',
  '2025-09-29',
  '2025-10-11',
  '2025-10-17',
  '2025-12-11',
]

/** The version that `$schema` names, "draft" for one without a date; null for none. */
export function schemaVersionOf(value: JsonObject): string | null {
  const { $schema } = value
  if (typeof $schema !== 'string') return null
  const [, date] = /\/(\d{4}-\d{2}-\d{2})\//.exec($schema) ?? []
  return date ?? 'draft'
}

const textIn = (value: Json | undefined, key: string): Json | undefined => (isObject(value) ? value[key] : undefined)

/** An address to be shown, without user name and keys. */
const publicUrl = (url: string | null): string | null =>
  url === null || url === '' ? null : withoutUrlSecrets(url.slice(0, manifestLimits.text))

/** What a server says of itself, in the fields of server.json. */
export const readIdentity = (reading: Reading, server: JsonObject, path: Path): ServerIdentity => {
  const detail = isObject(server.version_detail) ? server.version_detail : {}
  const { repository } = server
  const url = textIn(repository, 'url') ?? repository
  return {
    name: reading.text(server, ['name'], path),
    title: reading.text(server, ['title', 'display_name', 'displayName'], path),
    version: reading.text(server, ['version'], path) ?? reading.text(detail, ['version'], [...path, 'version_detail']),
    description: reading.text(server, ['description'], path, manifestLimits.text),
    websiteUrl: publicUrl(reading.text(server, ['websiteUrl', 'website_url', 'homepage'], path, manifestLimits.text)),
    repositoryUrl: publicUrl(typeof url === 'string' ? url : null),
  }
}

const typeKeys = ['type', 'transport_type', 'transportType', 'transport'] as const

function readRemote(reading: Reading, value: Json, path: Path): DraftTransport {
  const remote = reading.object(value, path, 'a remote')
  const url = reading.text(remote, ['url'], path, manifestLimits.text) ?? reading.fail(path, 'the remote has no "url"')
  const key = typeKeys.find((it) => remote[it] !== undefined)
  if (key === undefined) return reading.fail(path, 'the remote has no "type"')
  const type = reading.transport(remote[key] as Json, [...path, key])
  const headers = isObject(remote.headers)
    ? reading.values(remote.headers, [...path, 'headers'], 'header')
    : reading.inputs(remote, ['headers'], path, 'header')
  const inputs = [...headers, ...readVariables(reading, remote.variables, [...path, 'variables'])]
  return { type, ...reading.address(url, [...path, 'url']), inputs, command: null, path, isLocal: false }
}

/** The remotes of a server. */
export const readRemotes = (reading: Reading, server: JsonObject, path: Path): DraftTransport[] =>
  reading.list(server, ['remotes'], path).map(([it, at]) => readRemote(reading, it, at))

interface PackageWay {
  readonly package: DeclaredPackage
  readonly transport: DraftTransport
}

function packageInputs(reading: Reading, jsonObject: JsonObject, path: Path): DeclaredInput[] {
  return [
    ...reading.inputs(jsonObject, ['environmentVariables', 'environment_variables'], path, 'environment'),
    ...reading.inputs(jsonObject, ['runtimeArguments', 'runtime_arguments'], path, 'argument'),
    ...reading.inputs(jsonObject, ['packageArguments', 'package_arguments'], path, 'argument'),
  ]
}

function readPackage(reading: Reading, value: Json, path: Path): PackageWay {
  const it = reading.object(value, path, 'a package')
  const registry = reading.text(it, ['registryType', 'registry_type', 'registry_name'], path)
  if (registry === null) return reading.fail(path, 'the package has no "registryType"')
  const identifier = reading.required(it, ['identifier', 'name'], path, 'the package')
  const version = reading.text(it, ['version'], path)
  const kind = registry.toLowerCase() === 'docker' ? 'oci' : registry.toLowerCase()
  const inputs = packageInputs(reading, it, path)
  const declaredAs = (started: PackageLaunch['transport']): DeclaredPackage => ({
    registry: kind,
    identifier,
    version,
    inputs,
    launch: readLaunch(reading, it, path, started),
  })
  const way: DraftTransport = {
    type: 'stdio',
    address: null,
    variables: [],
    inputs,
    command: null,
    path,
    isLocal: true,
  }
  const { transport } = it
  if (transport === undefined || transport === null)
    return { package: declaredAs({ type: 'stdio', address: null }), transport: way }
  const at = [...path, 'transport']
  const holder = reading.object(transport, at, '"transport"')
  const type = reading.transport(holder.type ?? null, [...at, 'type'])
  const url = type === 'stdio' ? null : reading.text(holder, ['url'], at, manifestLimits.text)
  const address = url === null ? { address: null, variables: [] } : reading.address(url, [...at, 'url'])
  const started = { type, address: address.address }
  return {
    package: declaredAs(started),
    transport: { ...way, type: address.address === null ? 'stdio' : type, ...address },
  }
}

/** The published schemas demand these texts; a document that names none of the schemas may omit them. */
function demand(
  reading: Reading,
  server: JsonObject,
  { name, description, version }: ServerIdentity,
  path: Path,
): void {
  if (name === null) reading.fail(path, 'the server has no "name"')
  if (schemaVersionOf(server) === null) return
  if (description === null) reading.fail(path, 'the server has no "description"')
  if (version === null) reading.fail(path, 'the server has no "version"')
}

function readServer(reading: Reading, value: Json, path: Path): DraftServer {
  const server = reading.object(value, path, 'a server')
  const identity = readIdentity(reading, server, path)
  demand(reading, server, identity, path)
  const packages = reading.list(server, ['packages'], path).map(([it, at]) => readPackage(reading, it, at))
  const surface = readSurface(reading, server, path)
  const [firstPackage] = Array.isArray(server.packages) ? (server.packages as readonly Json[]) : []
  const isOld =
    server.version_detail !== undefined ||
    ['registry_type', 'registry_name'].some((key) => isObject(firstPackage) && firstPackage[key] !== undefined)
  return {
    path,
    name: identity.name,
    identity,
    schemaVersion: schemaVersionOf(server) ?? (isOld ? '2025-07-09' : null),
    transports: [...readRemotes(reading, server, path), ...packages.map((it) => it.transport)],
    packages: packages.map((it) => it.package),
    surface,
    isComplete: isCompleteSurface(surface),
  }
}

/** A server, or the entry of a registry around it. */
const unwrap = (value: Json, path: Path): readonly [Json, Path] =>
  isObject(value) && isObject(value.server) && value.name === undefined
    ? [value.server, [...path, 'server']]
    : [value, path]

/** Whether a value is certainly a server of server.json, or the entry of a registry around one. */
export const isServerJson = (value: Json): boolean => {
  const [server] = unwrap(value, [])
  if (!isObject(server)) return false
  const { $schema } = server
  if (typeof $schema === 'string' && /modelcontextprotocol|\/server\.schema\.json/.test($schema)) return true
  return Array.isArray(server.remotes) || Array.isArray(server.packages) || isObject(server.version_detail)
}

/** Whether a value has the texts of a server.json, and nothing that says how the server is reached. */
export const isBareServer = (value: Json): boolean =>
  isObject(value) && typeof value.name === 'string' && typeof value.description === 'string'

/**
 * Reads a server.json of any published version, in snake or camel case, the entry of a registry, or a list of them.
 * @throws SvcError `manifest-invalid`, `transport-unknown`, `endpoint-address-invalid`
 */
export function readServerJson(reading: Reading, value: Json): Draft {
  const isList = Array.isArray(value) || (isObject(value) && Array.isArray(value.servers))
  const path: Path = Array.isArray(value) ? [] : ['servers']
  const list = (Array.isArray(value) ? value : isObject(value) ? value.servers : []) as readonly Json[]
  const entries = isList ? list.map((it, at) => unwrap(it, [...path, at])) : [unwrap(value, [])]
  if (entries.length > manifestLimits.servers)
    reading.fail(path, `it names ${entries.length} servers; ${manifestLimits.servers} are allowed`)
  const servers = entries.map(([it, at]) => readServer(reading, it, at))
  const versions = new Set(servers.map((it) => it.schemaVersion))
  const [schemaVersion = null] = versions
  for (const { schemaVersion: version, path: at } of servers)
    if (version !== null && version !== 'draft' && !schemaVersions.includes(version))
      reading.note(
        'schema-unknown',
        [...at, '$schema'],
        `The version ${version} of the schema is not known; the fields that are known were read.`,
      )
  return { format: 'server-json', schemaVersion: versions.size === 1 ? schemaVersion : null, servers }
}
