import { llmsApi } from '../../src/api/llms.ts'
import { type Context, type Reply, type Route, routesOf } from '../http/door.ts'
import type { Deps } from '../kit/door.ts'
import { keptText, portalsOf } from '../portal/door.ts'
import { AgentTexts } from './llms.ts'
import type { DocumentService } from './service.ts'

/** The routes of texts for agents: what is public, without credentials. */
export function llmsRoutes(deps: Deps, documents: DocumentService): Route[] {
  const portals = portalsOf(deps)
  const texts = new AgentTexts(deps, documents)
  const sent = (text: string, { ifNoneMatch }: Context, type = 'text/plain'): Reply =>
    keptText(text, `${type}; charset=utf-8`, { ifNoneMatch, seconds: 60 })
  return routesOf(llmsApi, {
    index: async (_, context) => sent(await texts.index(), context),
    organization: async ({ params }, context) =>
      sent(texts.organization(await portals.of(params.tenant_slug)), context),
    project: async ({ params }, context) =>
      sent(await texts.project(await portals.of(params.tenant_slug), params.project_slug), context),
    operation: async ({ params }, context) => {
      const catalogue = await portals.of(params.tenant_slug)
      const text = await texts.operation(catalogue, params.project_slug, params.operation_name)
      return sent(text, context, 'text/markdown')
    },
  })
}
