/** Which operations of the documents behind a gateway were called, and what was called that they do not have. */
import { and, asc, eq, gte, inArray, max, min, sum } from 'drizzle-orm'
import { isoOf } from '../../db/clock.ts'
import { inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { gatewaySeen, operations, projects } from '../../db/tables.gen.ts'
import { additionsLimit, type CoverageDraft } from '../../src/api/gateway-events.ts'
import { addableMethods } from '../../src/gateway/coverage/additions.ts'
import { coverageOf, type Seen } from '../../src/gateway/coverage/coverage.ts'
import { SvcError } from '../../src/errors.ts'
import { type Grant, inParts, tenantOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { createVersion } from '../versions/door.ts'
import type { VersionRow } from '../records/door.ts'
import { boundAmong, type EnvironmentRow, findEnvironment, readPolicy, versionsOf } from '../gateway-policy/door.ts'
import { otherPaths } from './seen.ts'
import { placesOfVersion, type PlacesOfVersion } from './places.ts'

const dayMs = 24 * 3_600_000
/** A client may ask for any path: so many of them are shown, the most frequent ones. */
const mostUndeclared = 500
const mostProjects = 20

/** A version whose operations are behind the gateway. */
interface Source {
  readonly projectId: string
  readonly projectSlug: string
  readonly version: VersionRow
}

interface Sources {
  readonly sources: readonly Source[]
  readonly prefixes: readonly string[]
  readonly stripPrefix: string | null
}

/** The version that the policy is bound to, or else the ones in production of the projects of the environment. */
async function sourcesOf(read: Reader, row: EnvironmentRow): Promise<Sources> {
  const { policy } = await readPolicy(read, row, row.policyVersion)
  const { positive } = policy
  const wanted =
    positive === null
      ? row.projectIds.slice(0, mostProjects).map((projectId) => ({ projectId, version: 'production' }))
      : [positive]
  const found = await Promise.all(
    wanted.map(async ({ projectId, version }) => {
      const bound = boundAmong(version, await versionsOf(read, row.tenantId, projectId))
      const [project] = await read
        .select({ slug: projects.slug })
        .from(projects)
        .where(inTenant(projects, row.tenantId, eq(projects.id, projectId)))
      return bound === null || project === undefined ? [] : [{ projectId, projectSlug: project.slug, version: bound }]
    }),
  )
  const stripPrefix = positive?.stripPrefix ?? null
  const prefixes = [...(stripPrefix === null ? [] : [stripPrefix]), ...row.basePaths]
  return { sources: found.flat(), prefixes, stripPrefix }
}

async function seenSince(read: Reader, { id, tenantId }: EnvironmentRow, since: string): Promise<Seen[]> {
  const rows = await read
    .select({
      method: gatewaySeen.method,
      route: gatewaySeen.route,
      pathShape: gatewaySeen.pathShape,
      n: sum(gatewaySeen.count),
      first: min(gatewaySeen.firstAt),
      last: max(gatewaySeen.lastAt),
    })
    .from(gatewaySeen)
    .where(
      inTenant(gatewaySeen, tenantId, and(eq(gatewaySeen.environmentId, id), gte(gatewaySeen.day, since.slice(0, 10)))),
    )
    .groupBy(gatewaySeen.method, gatewaySeen.route, gatewaySeen.pathShape)
  return rows.map(({ method, route, pathShape, n, first, last }) => ({
    method,
    route: route === '' ? null : route,
    pathShape: pathShape === '' ? null : pathShape,
    count: Number(n ?? 0),
    firstAt: first ?? since,
    lastAt: last ?? since,
  }))
}

async function declaredIn(deps: Deps, { tenantId, basePaths }: EnvironmentRow, given: Omit<Sources, 'prefixes'>) {
  const { read } = deps.db
  const byId = new Map<string, Source & { readonly places: PlacesOfVersion }>()
  for (const it of given.sources) {
    const places = await placesOfVersion(deps, it.version, { basePaths, stripPrefix: given.stripPrefix })
    byId.set(it.version.id, { ...it, places })
  }
  const found = []
  for (const part of inParts([...byId.keys()])) {
    const rows = await read
      .select()
      .from(operations)
      .where(inTenant(operations, tenantId, inArray(operations.versionId, part)))
      .orderBy(asc(operations.versionId), asc(operations.ordinal))
    found.push(...rows)
  }
  return found.map(({ versionId, method, path, operationId, deprecated }) => {
    const { projectSlug = '', places } = byId.get(versionId) ?? {}
    const prefixes = places?.get(`${method} ${path}`)
    const declared = { project: projectSlug, method, path, operationId, deprecated }
    return prefixes === undefined ? declared : { ...declared, prefixes }
  })
}

/**
 * What was called of the last days.
 * @throws SvcError `environment-not-found`
 */
export async function showCoverage(deps: Deps, grant: Grant, ref: string, days: number) {
  const { read } = deps.db
  const row = await findEnvironment(read, tenantOf(grant).id, ref)
  const { sources, prefixes, stripPrefix } = await sourcesOf(read, row)
  const since = isoOf(deps.clock.now() - days * dayMs)
  const declared = await declaredIn(deps, row, { sources, stripPrefix })
  const projectOf = new Map(declared.map((it) => [it, it.project]))
  const found = coverageOf(declared, await seenSince(read, row, since), { prefixes, other: otherPaths })
  const ops = found.operations.map(({ method, path, operationId, deprecated, ...calls }, at) => ({
    project: projectOf.get(declared[at]!) ?? '',
    method,
    path,
    operationId,
    deprecated,
    ...calls,
  }))
  return {
    since,
    days,
    documents: sources.map(({ projectId, projectSlug, version }) => ({
      projectId,
      project: projectSlug,
      versionId: version.id,
      version: version.label,
    })),
    prefixes: [...found.prefixes],
    operations: ops,
    neverSeen: ops.filter((it) => it.count === 0).length,
    undeclared: found.undeclared.slice(0, mostUndeclared).map((it) => ({ ...it })),
    undeclaredTotal: found.undeclared.length,
    otherCalls: found.otherCalls,
  }
}

const nextLabel = (label: string): string => {
  const [, prefix = '', major = '', minor = ''] = /^(v?)(\d+)\.(\d+)\.\d+/.exec(label) ?? []
  return major === '' ? `${label}-next` : `${prefix}${major}.${Number(minor) + 1}.0`
}

/**
 * Creates a draft of the document with operations that were called and that it lacks.
 * @throws SvcError `permission-denied`, `environment-not-found`, `coverage-unbound`, `coverage-operation-invalid`, and what creating a version refuses
 */
export async function draftAdditions(deps: Deps, grant: Grant, ref: string, given: CoverageDraft) {
  // What was called is part of the security of an environment.
  if (!grant.permissions.has('security:view')) throw new SvcError('permission-denied', { permission: 'security:view' })
  const { read } = deps.db
  const row = await findEnvironment(read, tenantOf(grant).id, ref)
  const { sources, prefixes: configured, stripPrefix } = await sourcesOf(read, row)
  const named = given.project
  const source = named === undefined ? sources[0] : sources.find((it) => [it.projectId, it.projectSlug].includes(named))
  if (source === undefined || (named === undefined && sources.length > 1))
    throw new SvcError('coverage-unbound', { projects: sources.map(({ projectSlug }) => projectSlug) })
  const { version } = source
  const seen = await seenSince(read, row, isoOf(deps.clock.now() - (given.days ?? 30) * dayMs))
  const declared = await declaredIn(deps, row, { sources: [source], stripPrefix })
  const { undeclared, prefixes } = coverageOf(declared, seen, { prefixes: configured, other: otherPaths })
  const additions = given.operations.slice(0, additionsLimit).map(({ method, path }) => {
    const operation = `${method.toUpperCase()} ${path}`
    const invalid = (reason: string) => new SvcError('coverage-operation-invalid', { operation, reason })
    const found = undeclared.find((it) => it.method === method.toUpperCase() && it.path === path)
    if (found === undefined) throw invalid('it was not called, or the document has it')
    if (found.kind === 'outside') throw invalid(`its path does not begin with ${prefixes.join(' or ')}`)
    if (!addableMethods.some((it) => it === found.method)) throw invalid('OpenAPI has no such method')
    const [first, last] = [found.firstAt, found.lastAt].map((at) => (at ?? '').slice(0, 10))
    const description = `Called at the gateway of "${row.name}" ${found.count} times from ${first} to ${last}. Its parameters, body and answers are not described yet.`
    return { method: found.method, path, description }
  })
  const made = await deps.analysis.run(row.tenantId, 'additions', { additions }, [deps.analysis.subjectOf(version)])
  if ('reason' in made) throw new SvcError('coverage-operation-invalid', { operation: 'paths', reason: made.reason })
  const content = { bytes: new TextEncoder().encode(made.text), name: version.provenance.source }
  const label = given.label ?? nextLabel(version.label)
  const draft = await createVersion(deps, grant, source.projectId, { label, content, joinedFrom: version.id })
  return { version: draft, from: version.label, added: [...made.added] }
}
