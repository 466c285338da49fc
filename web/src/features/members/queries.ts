import { queryOptions } from '@tanstack/react-query'
import { membersApi } from '../../../../src/api/members.ts'
import { call } from '../../call.ts'
import { pageSize, pieceSize, queryClient } from '../../query-client.ts'

const membersKey = (tenant: string) => ['members', tenant] as const

export const membersQuery = (tenant: string, q: string, offset: number) =>
  queryOptions({
    queryKey: [...membersKey(tenant), 'list', q, offset],
    queryFn: () =>
      call(membersApi.list, {
        params: { tenant_slug: tenant },
        query: { limit: pageSize, offset, ...(q === '' ? {} : { q }) },
      }),
    placeholderData: (before) => before,
  })

/** As many members as the service returns at once, to choose from. */
export const allMembersQuery = (tenant: string) =>
  queryOptions({
    queryKey: [...membersKey(tenant), 'all'],
    queryFn: () => call(membersApi.list, { params: { tenant_slug: tenant }, query: { limit: pieceSize } }),
  })

/** Names of the members of an organization by id. */
export const namesQuery = (tenant: string) =>
  queryOptions({
    ...allMembersQuery(tenant),
    staleTime: 300_000,
    select: ({ items }) => new Map(items.map((it) => [it.user_id, it.name])),
  })

export const invitationsQuery = (tenant: string, offset: number) =>
  queryOptions({
    queryKey: [...membersKey(tenant), 'invitations', offset],
    queryFn: () =>
      call(membersApi.invitations, { params: { tenant_slug: tenant }, query: { limit: pageSize, offset } }),
  })

/** Reads the members and invitations of an organization again. */
export const refreshMembers = (tenant: string): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: membersKey(tenant) })

/**
 * The name of the person or key that did something, for a sentence such as "published by Ada".
 * @param actor "user:<id>", "api-key:<id>" …; null where it is not known.
 * @param names Names of the members by id, once they are read.
 */
export const actorName = (actor: string | null, names: ReadonlyMap<string, string> | undefined): string => {
  if (actor === null) return 'an unknown user'
  const [kind = '', id = ''] = actor.split(':')
  if (kind === 'user') return names?.get(id) ?? 'a former member'
  return kind === 'api-key' ? 'an API key' : `an ${kind.replace('-', ' ')}`
}
