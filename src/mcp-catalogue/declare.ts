import type { Path } from '../kernel/json.ts'
import { SvcError } from '../errors.ts'
import { transportOf } from './address.ts'
import { packageKey } from './command.ts'
import { type Reading } from './reading.ts'
import { fingerprints } from './fingerprints.ts'
import { countsOf, emptySurface, isEmptySurface } from './surface.ts'
import type {
  DeclaredPackage,
  DeclaredServer,
  DeclaredTransport,
  ManifestFormat,
  ManifestOptions,
  ServerIdentity,
  Surface,
  Transport,
} from './types.ts'

/** A way to reach a server, and where the manifest says so. */
export interface DraftTransport extends DeclaredTransport {
  readonly path: Path
  /** Whether the server runs on the machine of the person who starts it: such an address identifies no server. */
  readonly isLocal: boolean
}

/** A server as a format has read it, before anything that the request says. */
export interface DraftServer {
  readonly path: Path
  readonly name: string | null
  readonly identity: ServerIdentity
  readonly schemaVersion: string | null
  readonly transports: readonly DraftTransport[]
  readonly packages: readonly DeclaredPackage[]
  readonly surface: Surface
  readonly isComplete: boolean
}

/** What a format makes of a document. */
export interface Draft {
  readonly format: ManifestFormat
  readonly schemaVersion: string | null
  readonly servers: readonly DraftServer[]
}

/** An identity of which nothing is known. */
export const noIdentity: ServerIdentity = {
  name: null,
  title: null,
  version: null,
  description: null,
  websiteUrl: null,
  repositoryUrl: null,
}

const order: readonly Transport[] = ['streamable_http', 'sse', 'stdio']

/** Whether it says where the server is: a transport without an address needs one from the request. */
const isUsable = (it: DraftTransport): boolean => it.type === 'stdio' || it.address !== null

const isRemote = (it: DraftTransport): boolean => it.address !== null && !it.isLocal

/** The preferred way first: remote ones before local ones, streamable HTTP before SSE. */
const ranked = (all: readonly DraftTransport[]): DraftTransport[] =>
  all.toSorted(
    (a, b) =>
      Number(!isRemote(a)) - Number(!isRemote(b)) ||
      a.variables.length - b.variables.length ||
      order.indexOf(a.type) - order.indexOf(b.type),
  )

/** The transport of an endpoint. */
type Chosen = Omit<DraftTransport, 'isLocal'>

const asked = (type: Transport, address: string | null, variables: readonly string[]): Chosen => ({
  type,
  address,
  variables,
  inputs: [],
  command: null,
  path: [],
})

function choose(draft: DraftServer, reading: Reading, { endpointUrl, transport }: ManifestOptions): Chosen {
  const all = ranked(draft.transports)
  const meant = transport === null || transport === undefined ? all : all.filter((it) => it.type === transport)
  if (endpointUrl !== null && endpointUrl !== undefined) {
    const { address, variables } = reading.requested(endpointUrl)
    const remote = all.filter((it) => it.type !== 'stdio')
    // The address takes the place of a template, and of a transport that has none.
    const meantBy =
      remote.find((it) => it.address === address) ?? remote.find((it) => it.address === null || it.variables.length > 0)
    const type = transport ?? meantBy?.type ?? remote[0]?.type ?? transportOf(address)
    return { ...(meantBy ?? asked(type, address, variables)), type, address, variables }
  }
  const found = meant.find(isUsable)
  if (found !== undefined) return found
  if (transport === 'stdio') return asked('stdio', null, [])
  // What the request says wins over the manifest: its address is reached by the transport that was asked for.
  const remote = all.find(isRemote)
  if (remote !== undefined && transport) return { ...remote, type: transport }
  const reason = !all.some(isUsable)
    ? 'it names no remote server, package or command'
    : `it names no address for ${transport ?? 'a transport'}`
  throw new SvcError('manifest-no-transport', { reason, ...reading.place(draft.path) })
}

const commandKey = (command: readonly string[]): string => `command:${JSON.stringify(command).slice(0, 1000)}`

/** What a server is recognised by: its addresses; where it has none, its packages; else its command. */
function keysOf(draft: DraftServer, chosen: Chosen, isAsked: boolean): string[] {
  const address = chosen.address
  if (isAsked && address !== null) return [address]
  const addresses = ranked(draft.transports).flatMap((it) => (isRemote(it) ? [it.address as string] : []))
  if (addresses.length > 0) return [...new Set([...(address === null ? [] : [address]), ...addresses])]
  const packages = draft.packages.map((it) => packageKey(it.registry, it.identifier))
  if (packages.length > 0) return [...new Set(packages)]
  return draft.transports.flatMap((it) => (it.command === null ? [] : [commandKey(it.command)])).slice(0, 1)
}

const publicTransport = ({ type, address, variables, inputs, command }: Chosen): DeclaredTransport => ({
  type,
  address,
  variables,
  inputs,
  command,
})

/** Packages that are all started alike are one way. */
const distinct = (all: readonly Chosen[]): Chosen[] => [
  ...new Map(all.map((it) => [JSON.stringify([it.type, it.address, it.command]), it])).values(),
]

const hostOf = (address: string | null): string | null => {
  const [, host = null] = /^https?:\/\/([^/?]+)/.exec(address ?? '') ?? []
  return host
}

/**
 * Completes what a format has read with what the request says: the address of the endpoint and its transport.
 * @throws SvcError `manifest-no-transport`, `endpoint-address-invalid`, and `manifest-invalid` for one address of several servers
 */
export function declare(draft: Draft, reading: Reading, options: ManifestOptions): DeclaredServer[] {
  const { servers, format, schemaVersion } = draft
  const isAsked = options.endpointUrl !== null && options.endpointUrl !== undefined
  if (servers.length === 0) reading.fail([], 'it names no server')
  if (isAsked && servers.length > 1)
    reading.fail([], `it names ${servers.length} servers, but the request has the address of one`)
  return servers.map((server) => {
    const chosen = choose(server, reading, options)
    const surface = isEmptySurface(server.surface) ? null : server.surface
    const others = ranked(server.transports).filter((one) => isUsable(one) && one.path !== chosen.path)
    if (chosen.variables.length > 0)
      reading.note(
        'template-address',
        chosen.path,
        `The address has variables (${chosen.variables.join(', ')}): it cannot be observed until they are filled in.`,
      )
    return {
      format,
      schemaVersion: server.schemaVersion ?? schemaVersion,
      place: reading.place(server.path),
      name: server.name ?? server.identity.name ?? hostOf(chosen.address) ?? server.packages[0]?.identifier ?? 'server',
      identity: server.identity,
      transport: chosen.type,
      address: chosen.address,
      variables: chosen.variables,
      transports: distinct([chosen, ...others]).map(publicTransport),
      packages: server.packages,
      keys: keysOf(server, chosen, isAsked),
      surface,
      fingerprint: surface === null ? null : fingerprints(surface),
      isComplete: server.isComplete,
      counts: countsOf(surface ?? emptySurface),
    }
  })
}
