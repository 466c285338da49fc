import { repositoriesApi } from '../../src/api/repositories.ts'
import { type Deps, pageOf, stablePageOf } from '../kit/door.ts'
import { Reply, type Route, routesOf } from '../http/door.ts'
import {
  createRepository,
  getPolicy,
  getPreferences,
  getQuota,
  getRepository,
  getTelemetry,
  listCatalog,
  listFiles,
  listRepositories,
  listTree,
  readFile,
  scanSoon,
  setFilePolicy,
  setPolicy,
  setPreferences,
  setQuota,
  updateRepository,
} from '../repositories/door.ts'
import { importFile, importFiles, refreshNow } from './import-file.ts'
import { removeRepository } from './remove.ts'
import { getImportSpec, listRefreshes } from './refresh.ts'

const envelope = async <T>(repository: Promise<T>) => ({ success: true, repository: await repository })

/** The routes of repositories. */
export function repositoryRoutes(deps: Deps): Route[] {
  return routesOf(repositoriesApi, {
    list: async (_, { grant }) => ({ success: true, repositories: await listRepositories(deps, grant) }),
    create: ({ body }, { grant, signal }) => envelope(createRepository(deps, grant, body, signal)),
    get: ({ params }, { grant }) => envelope(getRepository(deps, grant, params.repository_id)),
    update: ({ params, body }, { grant }) => envelope(updateRepository(deps, grant, params.repository_id, body)),
    remove: async ({ params }, { grant }) => {
      await removeRepository(deps, grant, params.repository_id)
      return { success: true, deleted: true }
    },
    scan: ({ params }, { grant }) => envelope(scanSoon(deps, grant, params.repository_id)),
    conflictPolicy: ({ params }, { grant }) => getPolicy(deps, grant, params.repository_id),
    setConflictPolicy: ({ params, body }, { grant }) => setPolicy(deps, grant, params.repository_id, body.policy),
    setFilePolicy: ({ params, body }, { grant }) => setFilePolicy(deps, grant, params.repository_id, body),
    files: ({ params, query }, { grant, signal }) =>
      listFiles(deps, grant, params.repository_id, query ?? {}, pageOf(query), signal),
    tree: ({ params, query }, { grant, signal }) =>
      listTree(deps, grant, params.repository_id, query ?? {}, pageOf(query, 500), signal),
    content: ({ params }, { grant, signal }) => readFile(deps, grant, params.repository_id, params.file_id, signal),
    importFile: async ({ params, body }, { grant }) => {
      const begun = await importFile(deps, grant, params.repository_id, params.file_id, body)
      return Reply.json(begun, { location: `/v1/imports/${begun.job_id}` }, 202)
    },
    importFiles: async ({ params, body }, { grant }) => {
      const begun = await importFiles(deps, grant, params.repository_id, body)
      return Reply.json(begun, { location: `/v1/imports/${begun.job_id}` }, 202)
    },
    importSpec: ({ params, query }, { grant }) =>
      getImportSpec(deps, grant, params.repository_id, query.branch, query.path),
    refreshNow: ({ params, body }, { grant, signal }) =>
      refreshNow(deps, grant, params.repository_id, body ?? {}, signal),
    refreshHistory: ({ params, query }, { grant }) =>
      listRefreshes(deps, grant, params.repository_id, query ?? {}, stablePageOf('refreshes', query)),
    preferences: ({ params }, { grant }) => getPreferences(deps, grant, params.repository_id),
    setPreferences: ({ params, body }, { grant }) =>
      setPreferences(deps, grant, params.repository_id, body.preferences),
    pollingQuota: (_, { grant }) => getQuota(deps, grant),
    setPollingQuota: ({ body }, { grant }) => setQuota(deps, grant, body.pollsPerHour),
    pollingTelemetry: (_, { grant }) => getTelemetry(deps, grant),
    specCatalog: ({ query }, { grant, signal }) => listCatalog(deps, grant, query ?? {}, pageOf(query), signal),
  })
}
