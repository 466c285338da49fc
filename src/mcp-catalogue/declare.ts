import type { Path } from '../document/json.ts'
import { SvcError } from '../errors.ts'
import { transportOf } from './address.ts'
import { packageKey } from './command.ts'
import { manifestLimits, type Reading } from './reading.ts'
import { countsOf, emptySurface, fingerprints, isEmptySurface } from './surface.ts'
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

const isRemote = (it: DraftTransport): boolean => it.address !== null && !it.isLocal

/** The preferred way first: remote ones before local ones, streamable HTTP before SSE. */
const ranked = (all: readonly DraftTransport[]): DraftTransport[] =>
  all.toSorted(
    (a, b) =>
      Number(!isRemote(a)) - Number(!isRemote(b)) ||
      a.variables.length - b.variables.length ||
      order.indexOf(a.type) - order.indexOf(b.type),
  )

const asked = (type: Transport, address: string | null, variables: readonly string[]): DraftTransport => ({
  type,
  address,
  variables,
  inputs: [],
  command: null,
  path: [],
  isLocal: false,
})

function choose(draft: DraftServer, reading: Reading, { endpointUrl, transport }: ManifestOptions): DraftTransport {
  const all = ranked(draft.transports)
  const meant = transport === null || transport === undefined ? all : all.filter((it) => it.type === transport)
  if (endpointUrl !== null && endpointUrl !== undefined) {
    const { address, variables } = reading.requested(endpointUrl)
    const same = all.find((it) => it.address === address) ?? all.find((it) => it.type !== 'stdio')
    const type = transport ?? same?.type ?? transportOf(address)
    return { ...(same ?? asked(type, address, variables)), type, address, variables, isLocal: false }
  }
  const [found] = meant
  if (found !== undefined) return found
  if (transport === 'stdio') return asked('stdio', null, [])
  const reason =
    all.length === 0
      ? 'it names no remote server, package or command'
      : `it names no address for ${transport ?? 'a transport'}`
  throw new SvcError('manifest-no-transport', { reason, ...reading.place(draft.path) })
}

const commandKey = (command: readonly string[]): string => `command:${JSON.stringify(command).slice(0, 1000)}`

/** What a server is recognised by: its addresses; where it has none, its packages; else its command. */
function keysOf(draft: DraftServer, chosen: DraftTransport, isAsked: boolean): string[] {
  const address = chosen.address
  if (isAsked && address !== null) return [address]
  const addresses = ranked(draft.transports).flatMap((it) => (isRemote(it) ? [it.address as string] : []))
  if (addresses.length > 0) return [...new Set([...(address === null ? [] : [address]), ...addresses])]
  const packages = draft.packages.map((it) => packageKey(it.registry, it.identifier))
  if (packages.length > 0) return [...new Set(packages)]
  return draft.transports.flatMap((it) => (it.command === null ? [] : [commandKey(it.command)])).slice(0, 1)
}

const publicTransport = ({ type, address, variables, inputs, command }: DraftTransport): DeclaredTransport => ({
  type,
  address,
  variables,
  inputs,
  command,
})

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
  if (servers.length > manifestLimits.servers)
    reading.fail([], `it names ${servers.length} servers; ${manifestLimits.servers} are allowed`)
  if (isAsked && servers.length > 1)
    reading.fail([], `it names ${servers.length} servers, but the request has the address of one`)
  return servers.map((it) => {
    const chosen = choose(it, reading, options)
    const surface = isEmptySurface(it.surface) ? null : it.surface
    const others = ranked(it.transports).filter((one) => one.address !== chosen.address || one.type !== chosen.type)
    if (chosen.variables.length > 0)
      reading.note(
        'template-address',
        chosen.path,
        `The address has variables (${chosen.variables.join(', ')}): it cannot be observed until they are filled in.`,
      )
    return {
      format,
      schemaVersion: it.schemaVersion ?? schemaVersion,
      place: reading.place(it.path),
      name: it.name ?? it.identity.name ?? hostOf(chosen.address) ?? it.packages[0]?.identifier ?? 'server',
      identity: it.identity,
      transport: chosen.type,
      address: chosen.address,
      variables: chosen.variables,
      transports: [chosen, ...others].map(publicTransport),
      packages: it.packages,
      keys: keysOf(it, chosen, isAsked),
      surface,
      fingerprint: surface === null ? null : fingerprints(surface),
      isComplete: it.isComplete,
      counts: countsOf(surface ?? emptySurface),
    }
  })
}
