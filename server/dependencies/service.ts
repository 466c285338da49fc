/** Who depends on what in an organization: facts that are stored elsewhere, as one graph. */
import { and, desc, eq, isNull } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import {
  consumers,
  contractRevisions,
  draftBindings,
  environments,
  primitiveEdges,
  primitives,
  projects,
  repositories,
  repositoryImports,
  securityPolicies,
  versions,
  versionTypes,
} from '../../db/tables.gen.ts'
import type { Dependencies, DependencyKind } from '../../src/api/dependencies.ts'
import { type Grant, tenantOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { findProject, latestPublished } from '../records/door.ts'

type Node = Dependencies['nodes'][number]
type Edge = Dependencies['edges'][number]
type Fact = Omit<Edge, 'from' | 'to'>

/** How many edges are listed, and how many rows of each kind are read. */
export const mostEdges = 5000

/** Nodes by their ids, and edges between them: an edge that is said by several facts stays one for each. */
class Graph {
  readonly nodes = new Map<string, Node>()
  readonly edges: Edge[] = []
  /** Whether there is more than what was read. */
  isCut = false

  /** Rows that were read up to the limit: what comes after them is missing. */
  whole<T>(rows: readonly T[]): readonly T[] {
    if (rows.length >= mostEdges) this.isCut = true
    return rows
  }

  node(kind: DependencyKind, ref: string, name: string): string {
    const id = `${kind}:${ref}`
    if (!this.nodes.has(id)) this.nodes.set(id, { id, kind, name, ref })
    return id
  }

  edge(from: string, to: string, fact: Fact): void {
    this.edges.push({ from, to, ...fact })
  }
}

interface Named {
  readonly id: string
  readonly slug: string
  readonly name: string
}

interface Reading {
  readonly read: Reader
  readonly tenantId: string
  readonly projects: ReadonlyMap<string, Named>
  readonly graph: Graph
}

const projectNode = ({ projects: all, graph }: Reading, id: string): string | null => {
  const project = all.get(id)
  return project === undefined ? null : graph.node('project', project.slug, project.name)
}

async function readRepositories(reading: Reading): Promise<void> {
  const { read, tenantId, graph } = reading
  const bound = await read
    .select({ binding: draftBindings, host: repositories.host, fullName: repositories.fullName })
    .from(draftBindings)
    .innerJoin(
      repositories,
      and(eq(repositories.id, draftBindings.repositoryId), eq(repositories.tenantId, draftBindings.tenantId)),
    )
    .where(inTenant(draftBindings, tenantId, isNull(draftBindings.releasedAt)))
    .limit(mostEdges)
  for (const { binding, fullName } of graph.whole(bound)) {
    const project = projectNode(reading, binding.projectId)
    if (project === null) continue
    const detail = `binding to ${binding.ref}, ${binding.path}`
    const fact = { source: 'binding' as const, detail, ref: binding.id, at: binding.createdAt }
    graph.edge(project, graph.node('repository', binding.repositoryId ?? '', fullName), fact)
  }
  const imported = await read
    .select({ one: repositoryImports, fullName: repositories.fullName })
    .from(repositoryImports)
    .innerJoin(
      repositories,
      and(eq(repositories.id, repositoryImports.repositoryId), eq(repositories.tenantId, repositoryImports.tenantId)),
    )
    .where(inTenant(repositoryImports, tenantId))
    .limit(mostEdges)
  for (const { one, fullName } of graph.whole(imported)) {
    const project = projectNode(reading, one.projectId)
    if (project === null) continue
    const detail = `import of ${one.path}, branch ${one.branch}`
    const fact = { source: 'repository-import' as const, detail, ref: one.versionId, at: one.createdAt }
    graph.edge(project, graph.node('repository', one.repositoryId, fullName), fact)
  }
}

async function readConsumers(reading: Reading): Promise<void> {
  const { read, tenantId, graph } = reading
  const rows = await read
    .select({ consumer: consumers, revision: contractRevisions.revision, at: contractRevisions.createdAt })
    .from(consumers)
    .leftJoin(
      contractRevisions,
      and(eq(contractRevisions.id, consumers.revisionId), eq(contractRevisions.tenantId, consumers.tenantId)),
    )
    .where(inTenant(consumers, tenantId, isNull(consumers.retiredAt)))
    .limit(mostEdges)
  for (const { consumer, revision, at } of graph.whole(rows)) {
    const project = projectNode(reading, consumer.projectId)
    if (project === null) continue
    const detail = revision === null ? 'registered, nothing declared yet' : `contract, revision ${revision}`
    const fact = { source: 'contract' as const, detail, ref: consumer.id, at: at ?? consumer.createdAt }
    // The same client of several projects is one node.
    graph.edge(graph.node('consumer', consumer.handle, consumer.name), project, fact)
  }
}

/** The newest published version of each project. */
async function newestPublished({
  read,
  tenantId,
}: Reading): Promise<ReadonlyMap<string, { label: string; at: string; projectId: string }>> {
  const rows = await read
    .select({
      id: versions.id,
      projectId: versions.projectId,
      label: versions.label,
      status: versions.status,
      createdAt: versions.createdAt,
      publishedAt: versions.publishedAt,
    })
    .from(versions)
    .where(inTenant(versions, tenantId))
  const newest = [...Map.groupBy(rows, (row) => row.projectId).values()].flatMap((all) => latestPublished(all) ?? [])
  return new Map(
    newest.map(({ id, label, createdAt, publishedAt, projectId }) => [
      id,
      { label, at: publishedAt ?? createdAt, projectId },
    ]),
  )
}

async function readTypes(reading: Reading): Promise<void> {
  const { read, tenantId, graph } = reading
  const newest = await newestPublished(reading)
  const used = await read
    .select({
      versionId: versionTypes.versionId,
      ref: versionTypes.ref,
      revision: versionTypes.revision,
      primitiveId: versionTypes.primitiveId,
      named: primitives.ref,
    })
    .from(versionTypes)
    .leftJoin(
      primitives,
      and(eq(primitives.id, versionTypes.primitiveId), eq(primitives.tenantId, versionTypes.tenantId)),
    )
    .where(inTenant(versionTypes, tenantId))
    .limit(mostEdges)
  for (const row of graph.whole(used)) {
    const version = newest.get(row.versionId)
    const project = version === undefined ? null : projectNode(reading, version.projectId)
    if (version === undefined || project === null) continue
    const detail = `version ${version.label} refers to revision ${row.revision}`
    const fact = { source: 'published-version' as const, detail, ref: row.versionId, at: version.at }
    graph.edge(project, graph.node('type', row.primitiveId ?? row.ref, row.named ?? row.ref), fact)
  }
  const between = await read
    .select({
      fromId: primitives.id,
      from: primitives.ref,
      key: primitiveEdges.key,
      pointer: primitiveEdges.pointer,
      at: primitives.updatedAt,
    })
    .from(primitiveEdges)
    .innerJoin(
      primitives,
      and(eq(primitives.id, primitiveEdges.primitiveId), eq(primitives.tenantId, primitiveEdges.tenantId)),
    )
    .where(inTenant(primitiveEdges, tenantId))
    .limit(mostEdges)
  const registered = await read
    .select({ id: primitives.id, ref: primitives.ref, schemaId: primitives.schemaId })
    .from(primitives)
    .where(inTenant(primitives, tenantId))
    .limit(mostEdges)
  const byKey = new Map(registered.flatMap((it) => [[it.ref, it] as const, [it.schemaId ?? it.ref, it] as const]))
  for (const { fromId, from, key, pointer, at } of graph.whole(between)) {
    if (key === null) continue
    const target = byKey.get(key)
    const fact = { source: 'type' as const, detail: `$ref at ${pointer === '' ? '/' : pointer}`, ref: fromId, at }
    graph.edge(graph.node('type', fromId, from), graph.node('type', target?.id ?? key, target?.ref ?? key), fact)
  }
}

async function readEnvironments(reading: Reading): Promise<void> {
  const { read, tenantId, graph } = reading
  const rows = await read
    .select({ environment: environments, policy: securityPolicies.policy, changed: securityPolicies.createdAt })
    .from(environments)
    .innerJoin(
      securityPolicies,
      and(
        eq(securityPolicies.environmentId, environments.id),
        eq(securityPolicies.version, environments.policyVersion),
        eq(securityPolicies.tenantId, environments.tenantId),
      ),
    )
    .where(inTenant(environments, tenantId))
    .orderBy(desc(environments.createdAt))
  for (const { environment, policy, changed } of rows) {
    const node = graph.node('environment', environment.slug, environment.name)
    for (const id of environment.projectIds) {
      const project = projectNode(reading, id)
      const fact = { source: 'environment' as const, detail: 'serves it', ref: '', at: environment.updatedAt }
      if (project !== null) graph.edge(node, project, fact)
    }
    const { positive } = policy
    const project = positive === null ? null : projectNode(reading, positive.projectId)
    if (positive === null || project === null) continue
    const detail = `compares requests with ${positive.version}`
    graph.edge(node, project, { source: 'positive-security', detail, ref: '', at: changed })
  }
}

/** The edges of a project, and those between types that it reaches. */
function around(edges: readonly Edge[], project: string): Edge[] {
  const near = edges.filter(({ from, to }) => from === project || to === project)
  const reached = new Set(near.map(({ to }) => to).filter((id) => id.startsWith('type:')))
  const kept = new Set(near)
  // Types reach other types; each is looked at once, so that types that refer to each other come to an end.
  const waiting = [...reached]
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop())
    for (const edge of edges)
      if (edge.from === id && edge.source === 'type') {
        kept.add(edge)
        if (!reached.has(edge.to)) {
          reached.add(edge.to)
          waiting.push(edge.to)
        }
      }
  return [...kept]
}

/**
 * Reads who depends on what. Facts of features that the caller cannot view are left out.
 * @param project slug of the only project that is looked at; null: all
 * @throws SvcError `project-not-found`
 */
export async function readDependencies(deps: Deps, grant: Grant, project: string | null): Promise<Dependencies> {
  const { id: tenantId } = tenantOf(grant)
  const { read } = deps.db
  const only = project === null ? null : await findProject(read, tenantId, project)
  const rows = await read
    .select({ id: projects.id, slug: projects.slug, name: projects.name })
    .from(projects)
    .where(inTenant(projects, tenantId))
  const graph = new Graph()
  const reading: Reading = { read, tenantId, projects: new Map(rows.map((row) => [row.id, row])), graph }
  await readRepositories(reading)
  if (grant.permissions.has('consumer_contracts:view')) await readConsumers(reading)
  if (grant.permissions.has('primitives:view')) await readTypes(reading)
  if (grant.permissions.has('security:view')) await readEnvironments(reading)
  const edges = only === null ? graph.edges : around(graph.edges, `project:${only.slug}`)
  const listed = edges.slice(0, mostEdges)
  const named = new Set(listed.flatMap(({ from, to }) => [from, to]))
  return {
    nodes: [...graph.nodes.values()].filter(({ id }) => named.has(id)),
    edges: listed,
    truncated: graph.isCut || edges.length > mostEdges,
  }
}
