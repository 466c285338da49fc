import { and, eq, ne } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import type { Stored } from '../../db/objects/objects.ts'
import { mcpApprovals } from '../../db/tables.gen.ts'
import type {
  DeclaredInput,
  DeclaredPackage,
  DeclaredServer,
  DeclaredTransport,
  LaunchArgument,
  ObservedSurface,
  PackageLaunch,
  ServerIdentity,
} from '../../src/mcp-catalogue/types.ts'
import { declaredOf, observedOf, type EndpointRow } from './record.ts'

/** The schema that entries of the registry follow. */
const schema = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'
/** Where a registry may add what is its own; at most 4 KB. */
const metaKey = 'io.modelcontextprotocol.registry/publisher-provided'

/** A name as the official registry wants it: reverse domain, a slash, a name. */
const registryName = /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/

const wordOf = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/[^a-zA-Z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .toLowerCase()
    .slice(0, 80) || 'server'

const inputOf = ({ description, isRequired, isSecret, choices }: DeclaredInput) => ({
  ...(description !== null && { description }),
  isRequired,
  isSecret,
  ...(choices !== undefined && { choices: [...choices] }),
})

const namedInputs = (inputs: readonly DeclaredInput[], where: DeclaredInput['in']) =>
  inputs.filter((it) => it.in === where).map((it) => ({ name: it.name, ...inputOf(it) }))

function remoteOf({ type, address, variables, inputs }: DeclaredTransport) {
  if (type === 'stdio' || address === null) return []
  const headers = namedInputs(inputs, 'header')
  const given = new Map(inputs.filter((it) => it.in === 'variable').map((it) => [it.name, it]))
  const asked = variables.map((name) => {
    const input = given.get(name)
    return [name, input === undefined ? { isRequired: true } : inputOf(input)] as const
  })
  return [
    {
      type: type === 'sse' ? 'sse' : 'streamable-http',
      url: address,
      ...(headers.length > 0 && { headers }),
      ...(asked.length > 0 && { variables: Object.fromEntries(asked) }),
    },
  ]
}

const variablesOf = (inputs: readonly DeclaredInput[]) =>
  inputs.length === 0 ? {} : { variables: Object.fromEntries(inputs.map((it) => [it.name, inputOf(it)])) }

const argumentOf = ({
  type,
  name,
  valueHint,
  description,
  value,
  isRequired,
  isRepeated,
  isSecret,
  ...it
}: LaunchArgument) => ({
  type,
  ...(name !== null && { name }),
  // The schema demands one of both of an argument without a name.
  ...(valueHint !== null ? { valueHint } : type === 'positional' && value === null && { valueHint: 'value' }),
  ...(description !== null && { description }),
  ...(value !== null && { value }),
  ...(it.default !== null && { default: it.default }),
  isRequired,
  isSecret,
  ...(isRepeated && { isRepeated }),
  ...variablesOf(it.variables),
})

function launchOf(launch: PackageLaunch | undefined) {
  if (launch === undefined) return { transport: { type: 'stdio' } }
  const { runtimeHint, transport, fileSha256 } = launch
  const [runtimeArguments, packageArguments] = [launch.runtimeArguments, launch.packageArguments].map((all) =>
    all.filter((it) => it.type === 'positional' || it.name !== null).map(argumentOf),
  )
  const type = transport.type === 'sse' ? 'sse' : 'streamable-http'
  return {
    ...(runtimeHint !== null && { runtimeHint }),
    ...(fileSha256 !== null && { fileSha256 }),
    transport: transport.address === null ? { type: 'stdio' } : { type, url: transport.address },
    ...(runtimeArguments !== undefined && runtimeArguments.length > 0 && { runtimeArguments }),
    ...(packageArguments !== undefined && packageArguments.length > 0 && { packageArguments }),
  }
}

function packageOf({ registry, identifier, version, inputs, launch }: DeclaredPackage) {
  const environmentVariables = namedInputs(inputs, 'environment')
  return {
    registryType: registry,
    identifier,
    ...(version !== null && { version }),
    ...launchOf(launch),
    ...(environmentVariables.length > 0 && { environmentVariables }),
  }
}

const clipped = (text: string, most: number): string => (text.length <= most ? text : `${text.slice(0, most - 1)}…`)

/** What a server says it is: its declaration, else what it answered. */
function identityOf(declared: DeclaredServer | null, observed: ServerIdentity | null) {
  const pick = (key: keyof ServerIdentity): string | null => declared?.identity[key] ?? observed?.[key] ?? null
  return {
    name: pick('name'),
    title: pick('title'),
    version: pick('version'),
    description: pick('description'),
    websiteUrl: pick('websiteUrl'),
    repositoryUrl: pick('repositoryUrl'),
  }
}

/** A name that no other endpoint of the organization has in the registry. */
async function freeName(reader: Reader, row: EndpointRow, wanted: string): Promise<string> {
  const taken = inTenant(
    mcpApprovals,
    row.tenantId,
    and(eq(mcpApprovals.serverName, wanted), ne(mcpApprovals.endpointId, row.id)),
  )
  const [other] = await reader.select({ id: mcpApprovals.id }).from(mcpApprovals).where(taken).limit(1)
  return other === undefined ? wanted : `${wanted}-${row.id.slice(-8)}`
}

/** The version of a name says one surface for ever: another surface of the same version gets build metadata. */
async function freeVersion(reader: Reader, row: EndpointRow, serverName: string, wanted: string): Promise<string> {
  const rows = await reader
    .select({ version: mcpApprovals.version, fingerprint: mcpApprovals.fingerprint })
    .from(mcpApprovals)
    .where(inTenant(mcpApprovals, row.tenantId, eq(mcpApprovals.serverName, serverName)))
  const byVersion = new Map(rows.map((it) => [it.version, it.fingerprint]))
  const isFree = (version: string) => (byVersion.get(version) ?? row.approvedFingerprint) === row.approvedFingerprint
  let version = wanted
  for (let n = 2; !isFree(version); n++) version = `${wanted}${wanted.includes('+') ? '.' : '+'}${n}`
  return version
}

/** What is declared and what is observed of an endpoint: read before the transaction that approves it, which does not wait for a store. */
export interface RegistryFacts {
  readonly declared: DeclaredServer | null
  readonly seen: ObservedSurface | null
}

/** @throws SvcError `document-damaged`, `storage-unavailable` */
export async function registryFactsOf(stored: Stored, row: EndpointRow): Promise<RegistryFacts> {
  const declared = await declaredOf(stored, row)
  const seen = row.observedDigest === null ? null : await observedOf(stored, row.tenantId, row.observedDigest)
  return { declared, seen }
}

/** What the registry says of an endpoint that is approved as it is now. */
export async function registryEntryOf(
  reader: Reader,
  row: EndpointRow,
  { declared, seen }: RegistryFacts,
  tenantSlug: string,
): Promise<{ readonly serverName: string; readonly version: string; readonly server: Record<string, unknown> }> {
  const identity = identityOf(declared, seen?.identity ?? null)
  const own = identity.name !== null && registryName.test(identity.name) ? identity.name : null
  const serverName = await freeName(reader, row, own ?? `svc.${tenantSlug}/${wordOf(row.name)}`)
  const version = await freeVersion(reader, row, serverName, clipped(identity.version ?? '1.0.0', 200))
  const { address, transport: type, variables } = row
  const itself: DeclaredTransport = { type, address, variables, inputs: [], command: null }
  const remotes = (declared?.transports ?? [itself]).flatMap(remoteOf)
  const packages = (declared?.packages ?? []).map(packageOf)
  return {
    serverName,
    version,
    server: {
      $schema: schema,
      name: serverName,
      ...(identity.title !== null && { title: clipped(identity.title, 100) }),
      description: clipped(identity.description?.split('\n')[0]?.trim() || row.name, 100),
      version,
      ...(identity.websiteUrl !== null && { websiteUrl: identity.websiteUrl }),
      ...(identity.repositoryUrl !== null && {
        repository: { url: identity.repositoryUrl, source: sourceOf(identity.repositoryUrl) },
      }),
      ...(remotes.length > 0 && { remotes }),
      ...(packages.length > 0 && { packages }),
      _meta: { [metaKey]: { approved_fingerprint: row.approvedFingerprint } },
    },
  }
}

/** The host of a repository, as the format names it. */
function sourceOf(url: string): string {
  const host = URL.parse(url)?.hostname ?? ''
  return host.split('.').at(-2) ?? 'git'
}
