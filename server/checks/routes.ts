import { checksApi } from '../../src/api/checks.ts'
import type { DocumentService } from '../documents/door.ts'
import { type Context, type Route, routesOf } from '../http/door.ts'
import type { Deps } from '../kit/door.ts'
import { type SpecTool, type Viewer, viewerOf } from '../specs/door.ts'
import { Checks, explainCode, payerOf } from './service.ts'
import { Shares } from './shares.ts'

/** The routes of questions about documents. Each serves one tool, and a key without that tool is refused here. */
export function checkRoutes(deps: Deps, documents: DocumentService): Route[] {
  const checks = new Checks(deps, documents)
  const viewer = (tool: SpecTool, { grant, request }: Context) =>
    viewerOf(deps.db.read, { principal: grant.principal, isAgent: request.headers.get('x-svc-via') === 'mcp' }, tool)
  const shares = new Shares()
  const ask = async <T>(tool: SpecTool, context: Context, work: (viewer: Viewer) => Promise<T>): Promise<T> => {
    const asking = await viewer(tool, context)
    return shares.run(payerOf(asking), () => work(asking))
  }
  return routesOf(checksApi, {
    lint: ({ body }, context) => ask('lint.check', context, (viewer) => checks.lint(viewer, body)),
    diff: ({ body }, context) => ask('diff.compare', context, (viewer) => checks.diff(viewer, body)),
    contains: ({ body }, context) => ask('schema.contains', context, (viewer) => checks.contains(viewer, body)),
    explain: async ({ query }, context) => {
      await viewer('explain', context)
      return explainCode(query.id)
    },
  })
}
