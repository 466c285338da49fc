import { queryOptions } from '@tanstack/react-query'
import { type BinRestored, binApi } from '../../../../src/api/bin.ts'
import { binKinds } from '../../../../src/api/bin-kinds.ts'
import { call } from '../../call.ts'
import { pageSize, queryClient } from '../../query-client.ts'

export interface BinFilter {
  readonly q: string
  readonly kind: string
}

export const binQuery = (tenant: string, { q, kind }: BinFilter, offset: number) => {
  const known = binKinds.find((it) => it === kind)
  return queryOptions({
    queryKey: ['bin', tenant, q, kind, offset],
    queryFn: () =>
      call(binApi.list, {
        params: { tenant_slug: tenant },
        query: { limit: pageSize, offset, ...(q === '' ? {} : { q }), ...(known ? { kind: known } : {}) },
      }),
    placeholderData: (before) => before,
  })
}

/** Restores all of these, one after the other; what fails does not keep the others from it. */
export const restoreAll = async (tenant: string, ids: readonly string[]): Promise<void> => {
  const failures: unknown[] = []
  for (const id of ids)
    await call(binApi.restore, { params: { tenant_slug: tenant, entry_id: id } }).catch((error: unknown) =>
      failures.push(error),
    )
  await queryClient.invalidateQueries()
  if (failures.length > 0) throw failures[0]
}

/** Restores what was deleted, under another name if one is given; every page may show something of it. */
export const restore = async (tenant: string, id: string, as = ''): Promise<BinRestored> => {
  const params = { tenant_slug: tenant, entry_id: id }
  const restored = await call(binApi.restore, as === '' ? { params } : { params, body: { as } })
  await queryClient.invalidateQueries()
  return restored
}
