import { consumersApi } from '../../src/api/consumers.ts'
import { type Deps, pageOf, stablePageOf } from '../kit/door.ts'
import { type Route, routesOf } from '../http/door.ts'
import { canIDeploy } from './can-i-deploy.ts'
import { declareContract, importPact } from './declare.ts'
import {
  createConsumer,
  getConsumer,
  getContract,
  listConsumers,
  listRevisions,
  retireConsumer,
  updateConsumer,
} from './service.ts'
import { surfaceOf } from './surface.ts'

const latest = 'latest'

/** The routes of consumer contracts. */
export function consumerRoutes(deps: Deps): Route[] {
  const refsOf = (params: { project_ref: string; consumer_ref: string }) => ({
    project: params.project_ref,
    consumer: params.consumer_ref,
  })
  return routesOf(consumersApi, {
    importPact: ({ params, body }, { grant }) =>
      importPact(
        deps,
        grant,
        { project: params.project_ref, version: body.version ?? latest, handle: body.consumer_slug ?? null },
        body.pact,
      ),
    surface: ({ params, query }, { grant }) => {
      const refs = { project: params.project_ref, version: query?.version ?? latest }
      return surfaceOf(deps, grant, refs, { ...pageOf(query), q: query?.q ?? '' })
    },
    list: ({ params, query }, { grant }) =>
      listConsumers(deps, grant, params.project_ref, stablePageOf('consumers', query, 200)),
    create: ({ params, body }, { grant }) => createConsumer(deps, grant, params.project_ref, body),
    get: ({ params }, { grant }) => getConsumer(deps, grant, params.project_ref, params.consumer_ref),
    update: ({ params, body }, { grant }) => updateConsumer(deps, grant, refsOf(params), body),
    retire: async ({ params }, { grant }) => {
      await retireConsumer(deps, grant, refsOf(params))
      return null
    },
    contract: ({ params, query }, { grant }) =>
      getContract(deps, grant, { ...refsOf(params), revision: query?.revision ?? null }),
    declare: ({ params, query, body }, { grant }) =>
      declareContract(deps, grant, { ...refsOf(params), version: query?.version ?? latest }, body),
    revisions: ({ params, query }, { grant }) => listRevisions(deps, grant, refsOf(params), query?.limit ?? 50),
    canIDeploy: ({ params, query }, { grant }) =>
      canIDeploy(deps, grant, { ...refsOf(params), version: query?.version ?? latest }),
  })
}
