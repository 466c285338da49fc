import { queryOptions } from '@tanstack/react-query'
import { documentsApi } from '../../../../src/api/documents.ts'
import { migrationPlansApi, type MigrationPlan } from '../../../../src/api/migration-plans.ts'
import { call } from '../../call.ts'
import { queryClient } from '../../query-client.ts'
import type { Rules } from './rules.ts'

/** Two versions of a project, the older one first. */
export interface VersionPair {
  readonly tenant: string
  readonly project: string
  readonly from: string
  readonly to: string
}

const params = ({ tenant }: VersionPair) => ({ tenant_slug: tenant })
const pairQuery = ({ project, from, to }: VersionPair) => ({ projectId: project, fromVersionId: from, toVersionId: to })
/** The first part of the key of everything that changes with a plan. */
const migrationKey = (tenant: string) => ['migration', tenant] as const
const keyOf = (what: string, { tenant, project, from, to }: VersionPair) => [
  ...migrationKey(tenant),
  what,
  project,
  from,
  to,
]

export const countsQuery = (pair: VersionPair) =>
  queryOptions({
    queryKey: keyOf('counts', pair),
    queryFn: () => call(migrationPlansApi.counts, { params: params(pair), query: pairQuery(pair) }),
  })

export const proposalsQuery = (pair: VersionPair) =>
  queryOptions({
    queryKey: keyOf('proposals', pair),
    queryFn: () => call(migrationPlansApi.proposals, { params: params(pair), query: pairQuery(pair) }),
  })

export const planQuery = (pair: VersionPair, className: string) =>
  queryOptions({
    queryKey: [...keyOf('plan', pair), className],
    queryFn: () => call(migrationPlansApi.get, { params: params(pair), query: { ...pairQuery(pair), className } }),
  })

export const savePlan = (pair: VersionPair, className: string, rules: Rules): Promise<MigrationPlan> =>
  call(migrationPlansApi.put, {
    params: params(pair),
    body: {
      project_id: pair.project,
      from_version_id: pair.from,
      to_version_id: pair.to,
      class_name: className,
      rules,
    },
  })

/** All classes of a version, as one JSON Schema. */
export const classesQuery = (tenant: string, project: string, version: string) =>
  queryOptions({
    queryKey: ['schemas', tenant, project, version],
    queryFn: () =>
      call(documentsApi.jsonSchema, {
        params: { tenant_slug: tenant, project_slug: project, version_slug: version },
      }),
    staleTime: 300_000,
  })

/** Takes over a saved plan and reads what depends on it again. */
export const adoptPlan = async (pair: VersionPair, plan: MigrationPlan): Promise<void> => {
  queryClient.setQueryData(planQuery(pair, plan.class_name).queryKey, plan)
  await queryClient.invalidateQueries({ queryKey: migrationKey(pair.tenant) })
}
