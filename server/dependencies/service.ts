/** Who depends on what in an organization: facts that are stored elsewhere, as one graph. */
import { and, desc, eq, inArray, isNull } from 'drizzle-orm'
import { inTenant, padded } from '../../db/conditions.ts'
import { summarizeStale } from '../../db/projects/summary.ts'
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
import { findProject } from '../records/door.ts'

type Node = Dependencies['nodes'][number]
type Edge = Dependencies['edges'][number]
type Fact = Omit<Edge, 'from' | 'to'>

/** How many edges are listed, and how many rows of each kind are read. */
export const mostEdges = 5000

/** An edge between a project, by its id, and something else. */
interface ProjectEdge {
  readonly projectId: string
  /** The node of the other one. */
  readonly other: string
  /** Whether the project depends on the other one, or the other way round. */
  readonly isFrom: boolean
  readonly fact: Fact
}

/** Nodes by their ids, and edges between them: an edge that is said by several facts stays one for each. */
class Graph {
  readonly nodes = new Map<string, Node>()
  readonly edges: Edge[] = []
  readonly ofProjects: ProjectEdge[] = []
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

  /** A project that depends on a node. */
  projectOn(projectId: string, other: string, fact: Fact): void {
    this.ofProjects.push({ projectId, other, isFrom: true, fact })
  }

  /** A node that depends on a project. */
  onProject(other: string, projectId: string, fact: Fact): void {
    this.ofProjects.push({ projectId, other, isFrom: false, fact })
  }

  /** Names the projects that are a part of edges, and no others; edges of those that are gone are left out. */
  async nameProjects(read: Reader, tenantId: string): Promise<void> {
    const ids = [...new Set(this.ofProjects.map(({ projectId }) => projectId))]
    const byId = new Map<string, string>()
    for (let from = 0; from < ids.length; from += projectsAtOnce) {
      const among = inArray(projects.id, padded(ids.slice(from, from + projectsAtOnce)))
      const rows = await read
        .select({ id: projects.id, slug: projects.slug, name: projects.name })
        .from(projects)
        .where(inTenant(projects, tenantId, among))
      for (const { id, slug, name } of rows) byId.set(id, this.node('project', slug, name))
    }
    for (const { projectId, other, isFrom, fact } of this.ofProjects) {
      const project = byId.get(projectId)
      if (project === undefined) continue
      if (isFrom) this.edge(project, other, fact)
      else this.edge(other, project, fact)
    }
  }
}

const projectsAtOnce = 1000

interface Reading {
  readonly read: Reader
  readonly tenantId: string
  readonly graph: Graph
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
    const detail = `binding to ${binding.ref}, ${binding.path}`
    const fact = { source: 'binding' as const, detail, ref: binding.id, at: binding.createdAt }
    graph.projectOn(binding.projectId, graph.node('repository', binding.repositoryId ?? '', fullName), fact)
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
    const detail = `import of ${one.path}, branch ${one.branch}`
    const fact = { source: 'repository-import' as const, detail, ref: one.versionId, at: one.createdAt }
    graph.projectOn(one.projectId, graph.node('repository', one.repositoryId, fullName), fact)
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
    const detail = revision === null ? 'registered, nothing declared yet' : `contract, revision ${revision}`
    const fact = { source: 'contract' as const, detail, ref: consumer.id, at: at ?? consumer.createdAt }
    // The same client of several projects is one node.
    graph.onProject(graph.node('consumer', consumer.handle, consumer.name), consumer.projectId, fact)
  }
}

async function readTypes(reading: Reading): Promise<void> {
  const { read, tenantId, graph } = reading
  // Of each project the newest published version.
  const used = await read
    .select({
      versionId: versionTypes.versionId,
      ref: versionTypes.ref,
      revision: versionTypes.revision,
      primitiveId: versionTypes.primitiveId,
      named: primitives.ref,
      projectId: projects.id,
      label: versions.label,
      publishedAt: versions.publishedAt,
      createdAt: versions.createdAt,
    })
    .from(versionTypes)
    .innerJoin(
      projects,
      inTenant(
        projects,
        tenantId,
        eq(projects.latestVersionId, versionTypes.versionId),
        inArray(projects.latestStatus, ['published', 'deprecated']),
      ),
    )
    .innerJoin(versions, inTenant(versions, tenantId, eq(versions.id, versionTypes.versionId)))
    .leftJoin(
      primitives,
      and(eq(primitives.id, versionTypes.primitiveId), eq(primitives.tenantId, versionTypes.tenantId)),
    )
    .where(inTenant(versionTypes, tenantId))
    .limit(mostEdges)
  for (const row of graph.whole(used)) {
    const detail = `version ${row.label} refers to revision ${row.revision}`
    const at = row.publishedAt ?? row.createdAt
    const fact = { source: 'published-version' as const, detail, ref: row.versionId, at }
    graph.projectOn(row.projectId, graph.node('type', row.primitiveId ?? row.ref, row.named ?? row.ref), fact)
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
      const fact = { source: 'environment' as const, detail: 'serves it', ref: '', at: environment.updatedAt }
      graph.onProject(node, id, fact)
    }
    const { positive } = policy
    if (positive === null) continue
    const detail = `compares requests with ${positive.version}`
    graph.onProject(node, positive.projectId, { source: 'positive-security', detail, ref: '', at: changed })
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
  // Which version of a project is the newest published one is a part of its summary.
  await summarizeStale(deps.db, tenantId)
  const graph = new Graph()
  const reading: Reading = { read, tenantId, graph }
  await readRepositories(reading)
  if (grant.permissions.has('consumer_contracts:view')) await readConsumers(reading)
  if (grant.permissions.has('primitives:view')) await readTypes(reading)
  if (grant.permissions.has('security:view')) await readEnvironments(reading)
  await graph.nameProjects(read, tenantId)
  const edges = only === null ? graph.edges : around(graph.edges, `project:${only.slug}`)
  const listed = edges.slice(0, mostEdges)
  const named = new Set(listed.flatMap(({ from, to }) => [from, to]))
  return {
    nodes: [...graph.nodes.values()].filter(({ id }) => named.has(id)),
    edges: listed,
    truncated: graph.isCut || edges.length > mostEdges,
  }
}
