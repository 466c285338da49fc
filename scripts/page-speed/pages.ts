/** The pages that list or add up. */
import type { Page } from 'playwright-core'

interface Listed {
  readonly items: readonly { readonly slug: string; readonly latest_version: { readonly slug: string } | null }[]
}

interface Guide {
  readonly id: string
  readonly name: string
}

const fixed: readonly (readonly [name: string, path: string])[] = [
  ['home', '/-/home'],
  ['home, grades', '/-/home?show=grades'],
  ['catalogue', '?view=all'],
  ['catalogue, searched', '?q=order&sort=name'],
  ['catalogue, by owner', '?owner=Billing&sort=grade'],
  ['catalogue, page 20', '?offset=950'],
  ['import', '/-/import'],
  ['notifications', '/-/notifications'],
  ['inbox', '/-/inbox'],
  ['compare', '/-/compare'],
  ['dependencies', '/-/dependencies'],
  ['types', '/-/types'],
  ['types, unresolved', '/-/types/unresolved'],
  ['types, imports', '/-/types/imports'],
  ['style guides', '/-/style-guides'],
  ['repositories', '/-/repositories'],
  ['specifications of repositories', '/-/repositories/specifications'],
  ['mcp servers', '/-/mcp-servers'],
  ['gateways', '/-/gateway'],
  ['webhooks', '/-/webhooks'],
  ['keys', '/-/keys'],
  ['members', '/-/members'],
  ['audit', '/-/audit'],
  ['usage', '/-/usage'],
  ['settings', '/-/settings'],
]

/** The pages of the organization `local`, those of its first project and of its own style guide among them. */
export async function pagesOf(page: Page, url: string): Promise<readonly (readonly [name: string, path: string])[]> {
  const read = async (path: string): Promise<unknown> => (await page.request.get(url + path)).json()
  const { items } = (await read('/v1/tenants/local/projects?sort=updated&limit=200')) as Listed
  const [project] = items
  const { items: guides } = (await read('/v1/style-guides/local')) as { readonly items: readonly Guide[] }
  const own = guides.find(({ name }) => name === 'House')?.id ?? 'svc-recommended'
  const environments = (await read('/v1/slate/environments?tenantSlug=local')) as {
    readonly environments?: readonly { readonly id: string; readonly slug?: string }[]
  }
  const [environment] = environments.environments ?? []
  const slug = project?.slug ?? ''
  const version = project?.latest_version?.slug ?? ''
  return [
    ...fixed.map(([name, path]) => [name, `/t/local${path}`] as const),
    ['project', `/t/local/${slug}`],
    ['version', `/t/local/${slug}/${version}`],
    ['operations of a version', `/t/local/${slug}/${version}/operations`],
    ['findings of a version', `/t/local/${slug}/${version}/findings`],
    ['changes of a version', `/t/local/${slug}/${version}/changes`],
    ['consumers', `/t/local/${slug}/-/consumers`],
    ['bindings', `/t/local/${slug}/-/bindings`],
    ['style guide', `/t/local/-/style-guides/${own}`],
    ['custom rules of a guide', `/t/local/-/style-guides/${own}/custom-rules`],
    ['assignments of a guide', `/t/local/-/style-guides/${own}/assignments`],
    ['impact of a guide', `/t/local/-/style-guides/${own}/impact`],
    ['policy of a guide', `/t/local/-/style-guides/${own}/policy`],
    ...(environment ? [['gateway', `/t/local/-/gateway/${environment.slug ?? environment.id}`] as const] : []),
  ]
}
