import { queryOptions } from '@tanstack/react-query'
import { type RoleRule, roleRulesApi, type RoleSources } from '../../../../src/api/role-rules.ts'
import { scimTokensApi } from '../../../../src/api/scim.ts'
import { call } from '../../call.ts'
import { pageSize, pieceSize, queryClient } from '../../query-client.ts'

const groupsKey = (tenant: string) => ['groups', tenant] as const

/** A rule of the organization, or one of the operator, which has no id: nobody can change it here. */
export type ShownRule = Pick<RoleRule, 'issuer' | 'claim' | 'value' | 'role'> &
  Partial<Pick<RoleRule, 'id' | 'members'>>

async function readRules(tenant: string): Promise<readonly RoleRule[]> {
  const rules: RoleRule[] = []
  for (;;) {
    const query = { limit: pieceSize, offset: rules.length }
    const { items, total } = await call(roleRulesApi.list, { params: { tenant_slug: tenant }, query })
    rules.push(...items)
    if (items.length === 0 || rules.length >= (total ?? 0)) return rules
  }
}

/** Every rule of an organization, newest first; an organization has at most 500. */
export const rulesQuery = (tenant: string) =>
  queryOptions({ queryKey: [...groupsKey(tenant), 'rules'], queryFn: () => readRules(tenant) })

export const sourcesQuery = (tenant: string) =>
  queryOptions({
    queryKey: [...groupsKey(tenant), 'sources'],
    queryFn: () => call(roleRulesApi.sources, { params: { tenant_slug: tenant } }),
  })

export const tokensQuery = (tenant: string, offset: number) =>
  queryOptions({
    queryKey: [...groupsKey(tenant), 'tokens', offset],
    queryFn: () => call(scimTokensApi.list, { params: { tenant_slug: tenant }, query: { limit: pageSize, offset } }),
    placeholderData: (before) => before,
  })

/** Reads the rules, the directory and its tokens again. */
export const refreshGroups = (tenant: string): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: groupsKey(tenant) })

/** One page of rules that contain the text `q`: the operator's and the organization's. */
export const pageOfRules = (
  own: readonly RoleRule[],
  { operator_rules: given }: Pick<RoleSources, 'operator_rules'>,
  { q, offset }: { readonly q: string; readonly offset: number },
) => {
  const wanted = q.toLowerCase()
  const all: readonly ShownRule[] = [...given, ...own]
  const fitting = all.filter(({ claim, value, role }) => `${claim} ${value} ${role}`.toLowerCase().includes(wanted))
  return { items: fitting.slice(offset, offset + pageSize), total: fitting.length, limit: pageSize, offset }
}
