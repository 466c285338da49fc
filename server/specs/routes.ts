import { sql } from 'drizzle-orm'
import { specsApi } from '../../src/api/specs.ts'
import { SvcError } from '../../src/errors.ts'
import { tenants } from '../../db/tables.gen.ts'
import type { Deps } from '../kit/door.ts'
import type { DocumentService } from '../documents/door.ts'
import { type Context, type Handlers, type Route, routesOf } from '../http/door.ts'
import { listSpecProjects, listSpecs } from './catalogue.ts'
import { SpecDocuments } from './documents.ts'
import { exportSpec } from './export.ts'
import { describeSpecMcpServer, listSpecMcpServers, specMcpItem } from './mcp-servers.ts'
import { SpecSearch } from './search.ts'
import { describeSpec, listSpecOperations, specPart } from './service.ts'
import { Questions } from '../embeddings/door.ts'
import { TypeSearch } from './search-types.ts'
import { listSpecTypes, specType } from './types.ts'
import { toolsOf, viewerOf, type SpecTool } from './viewer.ts'

/** The routes of published specifications. Each serves one tool, and a key without that tool is refused here. */
export function specRoutes(deps: Deps, rendered: DocumentService, version: string): Route[] {
  const { read } = deps.db
  const documents = new SpecDocuments(deps.analysis)
  const questions = new Questions()
  const search = new SpecSearch(deps, questions)
  const typeSearch = new TypeSearch(deps, questions)
  const askerOf = ({ grant, request }: Context) => ({
    principal: grant.principal,
    isAgent: request.headers.get('x-svc-via') === 'mcp',
  })
  const callerFor = (tool: SpecTool, context: Context) => viewerOf(read, askerOf(context), tool)
  const handlers: Handlers<typeof specsApi> = {
    caller: async ({ query }, context) => {
      const asker = askerOf(context)
      const { principal } = await viewerOf(read, asker, query?.tool ?? 'ping')
      await reach(deps)
      return {
        service: 'svc',
        version,
        database: 'ok',
        caller: principal === null || principal.kind === 'gateway-key' ? 'anonymous' : principal.kind,
        tools: [...(await toolsOf(read, asker))],
      }
    },
    projects: async ({ query = {} }, context) =>
      listSpecProjects(read, await callerFor('project.list', context), query),
    list: async ({ query = {} }, context) => listSpecs(read, await callerFor('spec.list', context), query),
    search: async ({ query }, context) =>
      search.find(await callerFor(query.mode === 'semantic' ? 'spec.search_semantic' : 'spec.search', context), query),
    describe: async ({ params }, context) =>
      describeSpec(read, documents, await callerFor('spec.describe', context), params),
    operations: async ({ params, query = {} }, context) =>
      listSpecOperations(read, await callerFor('spec.describe', context), params, query),
    part: async ({ params, query = {} }, context) =>
      specPart(read, documents, await callerFor('spec.describe', context), params, query),
    types: async ({ query = {} }, context) => {
      const viewer = await callerFor('type.list', context)
      return query.mode === 'semantic' ? typeSearch.find(viewer, query) : listSpecTypes(deps, viewer, query)
    },
    type: async ({ query }, context) => specType(deps, await callerFor('type.describe', context), query),
    mcpServers: async ({ query = {} }, context) =>
      listSpecMcpServers(deps, await callerFor('mcp_server.describe', context), query),
    mcpServer: async ({ query }, context) =>
      describeSpecMcpServer(deps, await callerFor('mcp_server.describe', context), query),
    mcpItem: async ({ query }, context) => specMcpItem(deps, await callerFor('mcp_server.describe', context), query),
    export: async ({ params, query = {} }, context) =>
      exportSpec(read, rendered, await callerFor('spec.export', context), params, deps.publicUrl(), query),
  }
  return routesOf(specsApi, handlers)
}

/**
 * Whether the database answers at all.
 * @throws SvcError `database-unavailable`
 */
async function reach(deps: Deps): Promise<void> {
  try {
    await deps.db.read
      .select({ one: sql`1` })
      .from(tenants)
      .limit(1)
  } catch (error) {
    if (error instanceof SvcError) throw error
    throw new SvcError('database-unavailable', { reason: 'it does not answer' })
  }
}
