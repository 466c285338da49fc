/** Entries of a registry of MCP servers. */
import { isObject, type Json, type JsonObject } from '../../kernel/json.ts'
import type { Violation, FunctionContext, LintFunction } from '../rule.ts'

const isServer = (input: Json | undefined, { document }: FunctionContext): input is JsonObject =>
  isObject(input) &&
  document.format?.version === 'server' &&
  ['packages', 'remotes', 'version_detail', 'version'].some((key) => Object.hasOwn(input, key))

const forServers =
  (check: (server: JsonObject, context: FunctionContext) => readonly Violation[]): LintFunction =>
  (input, _options, context) =>
    isServer(input, context) ? check(input, context) : []

const objects = (value: Json | undefined): (readonly [JsonObject, number])[] =>
  Array.isArray(value)
    ? (value as readonly Json[]).flatMap((it, index) => (isObject(it) ? [[it, index] as const] : []))
    : []

/** The name of a server is that of a domain backwards, a slash, and a name within it. */
export const serverName = forServers(({ name }, { path }) => {
  if (name === undefined) return [{ message: 'The server has no name.' }]
  if (typeof name !== 'string') return [{ message: 'The name must be a string.', path: [...path, 'name'] }]
  if (/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/.test(name)) return []
  return [{ message: `"${name}" is not a server name such as "com.example/weather".`, path: [...path, 'name'] }]
})

/** The version of a server is one version, not a range and not a word. */
export const serverVersion = forServers((server, { path }) => {
  const { version, version_detail: detail } = server
  const old = isObject(detail) ? detail.version : undefined
  const at = version === undefined && old !== undefined ? [...path, 'version_detail', 'version'] : [...path, 'version']
  const text = version ?? old
  if (text === undefined) return [{ message: 'The server has no version.' }]
  if (typeof text !== 'string') return [{ message: 'The version must be a string.', path: at }]
  if (/^(?:latest|next|stable|main|master)$/i.test(text) || /[\^~<>*|]|(?:^|\.)x(?:\.|$)/i.test(text))
    return [{ message: `"${text}" is not one exact version.`, path: at }]
  return []
})

/** The description of a server is short enough for one row of a registry. */
export const serverDescription = forServers(({ description }, { path }) => {
  if (typeof description !== 'string' || description.trim() === '')
    return [{ message: 'The server has no description.' }]
  const size = Array.from(description).length
  return size > 100
    ? [
        {
          message: `The description has ${size} characters; registries accept at most 100.`,
          path: [...path, 'description'],
        },
      ]
    : []
})

const isLocal = (host: string): boolean => /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(host)

/** A remote server is reached over TLS, at a place that others reach too. */
export const remoteAddress = forServers(({ remotes }, { path }) =>
  objects(remotes).flatMap(([{ url }, index]) => {
    const at = [...path, 'remotes', index, 'url']
    if (typeof url !== 'string') return [{ message: 'The remote has no "url".', path: at.slice(0, -1) }]
    const address = URL.parse(url.replaceAll(/\{[^{}]*\}/g, 'x'))
    if (address === null) return [{ message: `"${url}" is not a valid URL.`, path: at }]
    if (isLocal(address.hostname)) return [{ message: `"${url}" can only be reached from the same machine.`, path: at }]
    if (address.protocol !== 'https:') return [{ message: 'The URL must use https.', path: at }]
    return []
  }),
)

/** A package is there in a version of its own: what is reviewed is what is run. */
export const pinnedPackage = forServers(({ packages }, { path }) =>
  objects(packages).flatMap(([it, index]) => {
    const { version } = it
    // The identifier itself contains the tag of a container or the version at the end of a URL.
    if (version === undefined) {
      const id = String(it.identifier ?? it.name ?? '')
      const kind = String(it.registryType ?? it.registry_type ?? it.registry_name ?? '')
      const named = /^(?:oci|docker|mcpb)$/.test(kind) ? /[:@][^/]+$|\d+\.\d+/.test(id) : false
      return named ? [] : [{ message: 'The package has no version.', path: [...path, 'packages', index] }]
    }
    return typeof version === 'string' && /^(?:latest|next|\*|x)$|[\^~<>*|]/i.test(version)
      ? [{ message: `"${version}" is not an exact version.`, path: [...path, 'packages', index, 'version'] }]
      : []
  }),
)

const secretive =
  /(?:^|[_-])(?:api[_-]?key|token|secret|password|passwd|credential|private[_-]?key|access[_-]?key)s?(?:$|[_-])/i

/** Secrets among headers and variables are marked, so that hosts hide and keep them safely. */
export const markedSecrets = forServers((server, { path }) => {
  const violations: Violation[] = []
  const look = (list: Json | undefined, at: readonly (string | number)[]): void => {
    for (const [it, index] of objects(list)) {
      const marked = it.isSecret === true || it.is_secret === true
      const own = [...at, index]
      if (typeof it.name === 'string' && (secretive.test(it.name) || /^authorization$/i.test(it.name)) && !marked)
        violations.push({
          message: `"${it.name}" looks like a secret but is not marked with "isSecret: true".`,
          path: own,
        })
      if (marked && typeof it.value === 'string' && !/\{[^{}]*\}/.test(it.value))
        violations.push({
          message: `The document contains the value of the secret "${String(it.name)}".`,
          path: [...own, 'value'],
        })
    }
  }
  for (const [it, index] of objects(server.packages))
    for (const key of ['environmentVariables', 'environment_variables'])
      look(it[key], [...path, 'packages', index, key])
  for (const [it, index] of objects(server.remotes)) look(it.headers, [...path, 'remotes', index, 'headers'])
  return violations
})
