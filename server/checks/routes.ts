import { checksApi } from '../../src/api/checks.ts'
import type { DocumentService } from '../documents/door.ts'
import { type Context, type Route, routesOf } from '../http/door.ts'
import type { Deps } from '../kit/door.ts'
import { type SpecTool, viewerOf } from '../specs/door.ts'
import { Checks, explainCode } from './service.ts'

/** The routes of questions about documents. Each serves one tool, and a key without that tool is refused here. */
export function checkRoutes(deps: Deps, documents: DocumentService): Route[] {
  const checks = new Checks(deps, documents)
  const viewer = (tool: SpecTool, { grant, request }: Context) =>
    viewerOf(deps.db.read, { principal: grant.principal, isAgent: request.headers.get('x-svc-via') === 'mcp' }, tool)
  return routesOf(checksApi, {
    lint: async ({ body }, context) => checks.lint(await viewer('lint.check', context), body),
    diff: async ({ body }, context) => checks.diff(await viewer('diff.compare', context), body),
    contains: async ({ body }, context) => checks.contains(await viewer('schema.contains', context), body),
    explain: async ({ query }, context) => {
      await viewer('explain', context)
      return explainCode(query.id)
    },
  })
}
