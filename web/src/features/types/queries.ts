import { queryOptions } from '@tanstack/react-query'
import type { PrimitiveRecord, PrimitiveScope } from '../../../../src/api/primitive-shapes.ts'
import { primitivesApi } from '../../../../src/api/primitives.ts'
import { call, callText } from '../../call.ts'
import { queryClient } from '../../query-client.ts'
import type { VersionRef } from '../catalog/versions.ts'
import { hasEnded } from './impact.ts'

export interface TypeAt {
  readonly tenant: string
  /** Its id: of a type that comes with svc, its reference. */
  readonly type: string
}

export const typeParams = ({ tenant, type }: TypeAt) => ({ tenant_slug: tenant, primitive_id: type })

const typesKey = (tenant: string) => ['types', tenant] as const
const ofType = (at: TypeAt) => [...typesKey(at.tenant), 'one', at.type] as const

/** How many types a page of the registry has. */
const pageOfTypes = 25
/** The longest text that the service searches for. */
const longestSearch = 500

/** What a list of types is narrowed to; empty texts ask for nothing. */
export interface TypeFilter {
  readonly q: string
  readonly scope: PrimitiveScope | null
  readonly namespace: string
  readonly category: string
  readonly cursor: string
}

export const typesQuery = (tenant: string, { q, scope, namespace, category, cursor }: TypeFilter) =>
  queryOptions({
    queryKey: [...typesKey(tenant), 'list', q, scope, namespace, category, cursor],
    queryFn: async () => {
      const found = await call(primitivesApi.list, {
        params: { tenant_slug: tenant },
        query: {
          limit: pageOfTypes,
          ...(q === '' ? {} : { q: q.slice(0, longestSearch) }),
          ...(scope === null ? {} : { scope }),
          ...(namespace === '' ? {} : { namespace }),
          ...(category === '' ? {} : { category }),
          ...(cursor === '' ? {} : { cursor }),
        },
      })
      // With a limit the answer is always a page.
      if (Array.isArray(found)) throw new Error('the service answered a list in place of a page')
      return found
    },
    placeholderData: (before) => before,
  })

/** The namespaces and categories that the registry has. */
export const facetsQuery = (tenant: string) =>
  queryOptions({
    queryKey: [...typesKey(tenant), 'facets'],
    queryFn: () => call(primitivesApi.facets, { params: { tenant_slug: tenant } }),
  })

export const healthQuery = queryOptions({
  queryKey: ['types-health'],
  queryFn: () => call(primitivesApi.health, {}),
})

/** A type with what names this state of it: a change is refused when it was changed in the meantime. */
export interface ReadType {
  readonly record: PrimitiveRecord
  readonly etag: string | null
}

export const typeQuery = (at: TypeAt) =>
  queryOptions({
    queryKey: [...ofType(at), 'record'],
    queryFn: async (): Promise<ReadType> => {
      const { text, etag } = await callText(primitivesApi.get, { params: typeParams(at) })
      return { record: JSON.parse(text) as PrimitiveRecord, etag }
    },
  })

/** The type that a reference names now. */
export const resolveQuery = (tenant: string, ref: string) =>
  queryOptions({
    queryKey: [...typesKey(tenant), 'resolve', ref],
    queryFn: () => call(primitivesApi.resolve, { params: { tenant_slug: tenant }, query: { ref } }),
  })

/** The most revisions that the service lists. */
const mostRevisions = 200

export const revisionsQuery = (at: TypeAt) =>
  queryOptions({
    queryKey: [...ofType(at), 'revisions'],
    queryFn: () => call(primitivesApi.revisions, { params: typeParams(at), query: { limit: mostRevisions } }),
  })

/** One revision with its schema: it never changes. */
export const revisionQuery = (at: TypeAt, revision: number) =>
  queryOptions({
    queryKey: [...ofType(at), 'revision', revision],
    queryFn: () => call(primitivesApi.revision, { params: { ...typeParams(at), revision } }),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** What is compared: two revisions, or the newest one with a schema that is not saved. */
export type Compared =
  | { readonly base: number; readonly head: number }
  | { readonly schema: Record<string, unknown> | boolean }

export const comparisonQuery = (at: TypeAt, compared: Compared) =>
  queryOptions({
    queryKey: [...ofType(at), 'comparison', compared],
    queryFn: () => call(primitivesApi.compare, { params: typeParams(at), body: { ...compared } }),
  })

export const usageQuery = (at: TypeAt, depth: number) =>
  queryOptions({
    queryKey: [...ofType(at), 'usage', depth],
    queryFn: () => call(primitivesApi.usage, { params: typeParams(at), query: { depth } }),
    placeholderData: (before) => before,
  })

/** What a schema would break: the answer, or the job that calculates it. */
export const impactQuery = (at: TypeAt, schema: Record<string, unknown> | boolean) =>
  queryOptions({
    queryKey: [...ofType(at), 'impact', schema],
    queryFn: () => call(primitivesApi.impact, { params: typeParams(at), body: { schema } }),
  })

/** How often a job is asked for again, in milliseconds; it answers as soon as it has ended. */
const soon = 1000
const waitSeconds = 10

export const impactJobQuery = (tenant: string, job: string) =>
  queryOptions({
    queryKey: [...typesKey(tenant), 'impact-job', job],
    queryFn: () =>
      call(primitivesApi.impactJob, { params: { tenant_slug: tenant, job_id: job }, query: { wait: waitSeconds } }),
    refetchInterval: ({ state }) => (state.data !== undefined && hasEnded(state.data) ? false : soon),
  })

/** Types that schemas of a version could refer to. */
export const suggestionsQuery = ({ tenant, project, version }: VersionRef) =>
  queryOptions({
    queryKey: [...typesKey(tenant), 'suggestions', project, version],
    queryFn: () => call(primitivesApi.suggestions, { params: { tenant_slug: tenant }, body: { project, version } }),
    staleTime: 300_000,
  })

export const unresolvedQuery = (tenant: string) =>
  queryOptions({
    queryKey: [...typesKey(tenant), 'unresolved'],
    queryFn: () => call(primitivesApi.unresolved, { params: { tenant_slug: tenant } }),
  })

/** The most imports that the service lists. */
const mostImports = 200

export const importsQuery = (tenant: string) =>
  queryOptions({
    queryKey: [...typesKey(tenant), 'imports'],
    queryFn: () => call(primitivesApi.imports, { params: { tenant_slug: tenant }, query: { limit: mostImports } }),
  })

export const importQuery = (tenant: string, id: string) =>
  queryOptions({
    queryKey: [...typesKey(tenant), 'import', id],
    queryFn: () => call(primitivesApi.importRecord, { params: { tenant_slug: tenant, import_id: id } }),
  })

/** What the import of a staged source would do. */
export const reviewQuery = (tenant: string, id: string) =>
  queryOptions({
    queryKey: [...typesKey(tenant), 'review', id],
    queryFn: () => call(primitivesApi.review, { params: { tenant_slug: tenant }, body: { import_id: id } }),
  })

/** Reads everything about the types of an organization again. */
export const refreshTypes = (tenant: string): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: typesKey(tenant) })

/** Forgets a deleted type, so that no page shows it until lists are read again. */
export const dropType = async (at: TypeAt): Promise<void> => {
  queryClient.removeQueries({ queryKey: ofType(at) })
  await refreshTypes(at.tenant)
}
