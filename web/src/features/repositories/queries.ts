import { queryOptions } from '@tanstack/react-query'
import { repositoriesApi } from '../../../../src/api/repositories.ts'
import {
  catalogSorts,
  type FilePreset,
  filePresets,
  type Repository,
  type RepositoryFile,
} from '../../../../src/api/repository-shapes.ts'
import { repositoryHooksApi } from '../../../../src/api/repository-hooks.ts'
import { call } from '../../call.ts'
import { pageSize, pieceSize, queryClient } from '../../query-client.ts'
import { repositoriesKey } from '../git-providers/queries.ts'

export interface RepositoryAt {
  readonly tenant: string
  readonly repository: string
}

export const repositoryParams = ({ tenant, repository }: RepositoryAt) => ({
  tenant_slug: tenant,
  repository_id: repository,
})

/** How often a repository is read again that is being read from its provider, in milliseconds. */
const often = 1000
/** No scan that was asked for is waited for longer. */
const longest = 120_000

/** Scans that were asked for here: what `last_scanned_at` was before. */
const awaited = new Map<string, { readonly before: string | null; readonly since: number }>()

/** Whether a repository waits for its first scan, or for one that was asked for here. */
export const isScanning = (repository: Repository): boolean => {
  if (repository.last_scanned_at === null && repository.health.reasons.length === 0) return true
  const mark = awaited.get(repository.id)
  return (
    mark !== undefined &&
    mark.before === repository.last_scanned_at &&
    repository.health.badge !== 'failing' &&
    Date.now() - mark.since < longest
  )
}

export const awaitScan = (it: Repository): void => {
  awaited.set(it.id, { before: it.last_scanned_at, since: Date.now() })
}

const listKey = (tenant: string) => [...repositoriesKey(tenant), 'list'] as const
const catalogKey = (tenant: string) => [...repositoriesKey(tenant), 'catalog'] as const

export const repositoriesQuery = (tenant: string) =>
  queryOptions({
    queryKey: listKey(tenant),
    queryFn: async () => {
      const { repositories } = await call(repositoriesApi.list, { params: { tenant_slug: tenant } })
      const before = queryClient.getQueryData<readonly Repository[]>(listKey(tenant))
      const scanOf = (list: readonly Repository[]) => list.map((it) => it.last_scanned_at).join()
      // A scan ended: the specifications of before it are old.
      if (before !== undefined && scanOf(before) !== scanOf(repositories))
        await queryClient.invalidateQueries({ queryKey: catalogKey(tenant) })
      return repositories
    },
    refetchInterval: ({ state }) => (state.data?.some(isScanning) === true ? often : false),
  })

export const repositoryQuery = (at: RepositoryAt) => {
  const queryKey = [...repositoriesKey(at.tenant), 'one', at.repository]
  return queryOptions({
    queryKey,
    queryFn: async () => {
      const { repository } = await call(repositoriesApi.get, { params: repositoryParams(at) })
      const before = queryClient.getQueryData<Repository>(queryKey)
      // A scan ended: what was listed before it is old.
      if (before !== undefined && before.last_scanned_at !== repository.last_scanned_at)
        await queryClient.invalidateQueries({ queryKey: filesKey(at) })
      return repository
    },
    refetchInterval: ({ state }) => (state.data !== undefined && isScanning(state.data) ? often : false),
  })
}

/** Which files of a branch are shown. */
export interface FileFilter {
  /** The default branch where it is empty. */
  readonly branch: string
  readonly preset: FilePreset
  readonly vendored: boolean
  readonly hidden: boolean
}

export const readPreset = (text: string | undefined): FilePreset => filePresets.find((it) => it === text) ?? 'specs'

const filesKey = ({ tenant, repository }: RepositoryAt) => [...repositoriesKey(tenant), 'files', repository] as const

const asked = ({ branch, preset, vendored, hidden }: FileFilter) => ({
  ...(branch === '' ? {} : { branch }),
  preset,
  ...(vendored ? {} : { skip_vendor: true }),
  ...(hidden ? { include_hidden: true } : {}),
})

/** Entries of one folder that are read at once. */
export const folderPiece = 500

export const folderQuery = (at: RepositoryAt, filter: FileFilter, path: string, offset: number) =>
  queryOptions({
    queryKey: [...filesKey(at), 'folder', filter, path, offset],
    queryFn: () =>
      call(repositoriesApi.tree, {
        params: repositoryParams(at),
        query: { ...asked(filter), path, limit: folderPiece, offset },
      }),
  })

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)

/** The files whose paths contain a text, in any case. */
export const foundFilesQuery = (at: RepositoryAt, filter: FileFilter, q: string) =>
  queryOptions({
    queryKey: [...filesKey(at), 'found', filter, q],
    queryFn: () =>
      call(repositoriesApi.files, {
        params: repositoryParams(at),
        query: { ...asked(filter), regex: anyCase(q), limit: pieceSize },
      }),
    enabled: q !== '',
    placeholderData: (before) => before,
  })

/** A pattern that finds a text in any case: patterns have no flags here. */
const anyCase = (text: string): string =>
  Array.from(text)
    .map((it) => {
      const [lower, upper] = [it.toLowerCase(), it.toUpperCase()]
      return lower === upper || lower.length > 1 || upper.length > 1 ? escaped(it) : `[${lower}${upper}]`
    })
    .join('')

/** What is known of a file; null where the branch does not have it. */
export const fileQuery = (at: RepositoryAt, branch: string, path: string) =>
  queryOptions({
    queryKey: [...filesKey(at), 'file', branch, path],
    queryFn: async () => {
      // In the order of a listing a path comes before those that only begin with it.
      const query = { branch, path_prefix: path, include_hidden: true, limit: 1 }
      const { files, ...rest } = await call(repositoriesApi.files, { params: repositoryParams(at), query })
      return { ...rest, file: files.find((it) => it.path === path) ?? null }
    },
    refetchInterval: ({ state }) => (state.data?.file?.import?.refresh_status === 'refreshing' ? often : false),
  })

/** The file of a path; its content is what the repository has at the indexed commit. */
export const contentQuery = (at: RepositoryAt, branch: string, path: string) =>
  queryOptions({
    queryKey: [...filesKey(at), 'content', branch, path],
    queryFn: () =>
      call(repositoriesApi.content, { params: { ...repositoryParams(at), file_id: fileIdOf({ branch, path }) } }),
  })

/** The name of a file in the operations: its branch and its path. */
export const fileIdOf = ({ branch, path }: Pick<RepositoryFile, 'branch' | 'path'>): string => {
  const bytes = new TextEncoder().encode(`${branch}\n${path}`)
  let text = ''
  for (const byte of bytes) text += String.fromCodePoint(byte)
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

export const historyQuery = (at: RepositoryAt, path: string, offset: number) =>
  queryOptions({
    queryKey: [...repositoriesKey(at.tenant), 'history', at.repository, path, offset],
    queryFn: async () => {
      const query = { limit: pageSize, offset, ...(path === '' ? {} : { path }) }
      const { items, pagination } = await call(repositoriesApi.refreshHistory, { params: repositoryParams(at), query })
      return { items, ...pagination }
    },
    placeholderData: (before) => before,
  })

export const policyQuery = (at: RepositoryAt) =>
  queryOptions({
    queryKey: [...repositoriesKey(at.tenant), 'policy', at.repository],
    queryFn: async () => (await call(repositoriesApi.conflictPolicy, { params: repositoryParams(at) })).conflictPolicy,
  })

export const preferencesQuery = (at: RepositoryAt) =>
  queryOptions({
    queryKey: [...repositoriesKey(at.tenant), 'preferences', at.repository],
    queryFn: () => call(repositoriesApi.preferences, { params: repositoryParams(at) }),
  })

export const hookQuery = (at: RepositoryAt) =>
  queryOptions({
    queryKey: [...repositoriesKey(at.tenant), 'hook', at.repository],
    queryFn: () => call(repositoryHooksApi.status, { params: repositoryParams(at) }),
  })

export const pollingQuery = (tenant: string) =>
  queryOptions({
    queryKey: [...repositoriesKey(tenant), 'polling'],
    queryFn: () => call(repositoriesApi.pollingTelemetry, { params: { tenant_slug: tenant } }),
  })

export const allowlistQuery = (tenant: string) =>
  queryOptions({
    queryKey: [...repositoriesKey(tenant), 'allowlist'],
    queryFn: () => call(repositoryHooksApi.allowlist, { params: { tenant_slug: tenant } }),
  })

export interface CatalogFilter {
  readonly q: string
  readonly kind: string
  readonly repository: string
  readonly imported: string
  readonly sort: string
}

export const catalogQuery = (tenant: string, { q, kind, repository, imported, sort }: CatalogFilter, offset: number) =>
  queryOptions({
    queryKey: [...catalogKey(tenant), q, kind, repository, imported, sort, offset],
    queryFn: async () => {
      const order = catalogSorts.find((it) => it === sort)
      const { specs, match_count, ...rest } = await call(repositoriesApi.specCatalog, {
        params: { tenant_slug: tenant },
        query: {
          ...(q === '' ? {} : { q }),
          ...(kind === '' ? {} : { kind }),
          ...(repository === '' ? {} : { repository_id: repository }),
          ...(imported === '' ? {} : { imported: imported === 'yes' }),
          ...(order === undefined ? {} : { sort: order }),
          include_facets: true,
          limit: pageSize,
          offset,
        },
      })
      return { ...rest, items: specs, total: match_count }
    },
    placeholderData: (before) => before,
  })

/** Forgets a removed repository before the list is read again. */
export const dropRepository = ({ tenant, repository }: RepositoryAt): void => {
  queryClient.setQueryData(repositoriesQuery(tenant).queryKey, (list) => list?.filter(({ id }) => id !== repository))
}
