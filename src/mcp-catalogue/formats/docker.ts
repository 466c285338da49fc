import { isObject, type Json, type JsonObject } from '../../kernel/json.ts'
import { imageOf } from '../command.ts'
import { noIdentity, type Draft, type DraftTransport } from '../declare.ts'
import { manifestLimits, parseManifest, Reading } from '../reading.ts'
import { isEmptySurface } from '../surface.ts'
import type { DeclaredInput, DeclaredPackage, Surface } from '../types.ts'
import { isCompleteSurface, readSurface, readTools } from './surface-lists.ts'
import { isToolList } from './tool-list.ts'

/** Whether a value is a `server.yaml` of Docker's catalogue. */
export const isDocker = (value: Json): boolean =>
  isObject(value) &&
  typeof value.name === 'string' &&
  ((typeof value.image === 'string' && (isObject(value.about) || isObject(value.meta) || value.type === 'server')) ||
    (isObject(value.remote) && typeof value.remote.url === 'string') ||
    value.type === 'poci')

/** Secrets and variables of `config`: examples and values are never kept. */
function readConfig(reading: Reading, server: JsonObject): DeclaredInput[] {
  const config = isObject(server.config) ? server.config : {}
  const read = (key: 'secrets' | 'env', isSecret: boolean): DeclaredInput[] =>
    reading.list(config, [key], ['config']).map(([it, at]) => {
      const one = reading.object(it, at, 'an input')
      const name = reading.required(one, isSecret ? ['env', 'name'] : ['name'], at, 'the input')
      if (isSecret && one.value !== undefined) reading.dropped(one.value, [...at, 'value'], `the secret "${name}"`)
      const description = reading.text(one, ['description'], at, manifestLimits.text)
      return { name, in: 'environment', description, isRequired: one.required !== false, isSecret }
    })
  return [...read('secrets', true), ...read('env', false)]
}

function readRemote(reading: Reading, server: JsonObject): DraftTransport[] {
  if (!isObject(server.remote)) return []
  const path = ['remote']
  const { remote } = server
  const url = reading.text(remote, ['url'], path, manifestLimits.text) ?? reading.fail(path, 'the remote has no "url"')
  const key = ['transport_type', 'transport', 'type'].find((it) => remote[it] !== undefined)
  const type = key === undefined ? 'streamable_http' : reading.transport(remote[key] as Json, [...path, key])
  const inputs = reading.values(remote.headers, [...path, 'headers'], 'header')
  return [{ type, ...reading.address(url, [...path, 'url']), inputs, command: null, path, isLocal: false }]
}

/** The tools of `tools.json`, which is beside a `server.yaml`. */
function readBeside(text: string): { readonly surface: Surface; readonly notices: Reading['notices'] } {
  const document = parseManifest(text, 'tools.json', 'tools.json: ')
  const reading = new Reading(document)
  const { value } = document
  if (!isToolList(value)) reading.fail([], 'tools.json must be a list of tools')
  const surface = isObject(value) ? readSurface(reading, value, []) : readTools(reading, value, [])
  return { surface, notices: reading.notices }
}

/**
 * Reads a `server.yaml` of Docker's catalogue, with the tools of its `tools.json` if they are given.
 * @throws SvcError `manifest-invalid`, `transport-unknown`, `endpoint-address-invalid`
 */
export function readDocker(reading: Reading, value: Json, tools: string | null): Draft {
  const server = reading.object(value, [], 'the manifest')
  const about = isObject(server.about) ? server.about : {}
  const source = isObject(server.source) ? server.source : {}
  const inputs = readConfig(reading, server)
  const image = reading.text(server, ['image'], [])
  const packages: DeclaredPackage[] = image === null ? [] : [{ ...imageOf(image), inputs }]
  const local: DraftTransport[] =
    image === null
      ? []
      : [{ type: 'stdio', address: null, variables: [], inputs, command: null, path: ['image'], isLocal: true }]
  const beside = tools === null ? null : readBeside(tools)
  reading.notices.push(...(beside?.notices ?? []))
  const surface = beside?.surface ?? readSurface(reading, server, [])
  const name = reading.required(server, ['name'], [], 'the server')
  return {
    format: 'docker',
    schemaVersion: null,
    servers: [
      {
        path: [],
        name,
        identity: {
          ...noIdentity,
          name,
          title: reading.text(about, ['title'], ['about']),
          description: reading.text(about, ['description'], ['about'], manifestLimits.text),
          repositoryUrl: reading.text(source, ['project'], ['source'], manifestLimits.text),
        },
        schemaVersion: null,
        transports: [...readRemote(reading, server), ...local],
        packages,
        surface,
        isComplete: !isEmptySurface(surface) && isCompleteSurface(surface),
      },
    ],
  }
}
