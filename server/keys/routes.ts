import { applicationApi } from '../../src/api/application.ts'
import { type Deps, stablePageOf } from '../kit/door.ts'
import { type Route, routesOf } from '../http/door.ts'
import {
  createKey as create,
  deleteKey as remove,
  listKeys,
  rotateKey as rotate,
  updateKey as update,
} from './service.ts'

const { keys, createKey, updateKey, rotateKey, deleteKey } = applicationApi

/** The routes of API keys, which only the application calls. */
export const apiKeyRoutes = (deps: Deps): Route[] =>
  routesOf(
    { keys, createKey, updateKey, rotateKey, deleteKey },
    {
      keys: ({ query }, { grant }) =>
        listKeys(deps, grant, { ...stablePageOf('api-keys', query), q: query?.q ?? null }),
      createKey: ({ body }, { grant }) =>
        create(deps, grant, {
          name: body.name,
          description: body.description ?? '',
          scopes: body.scopes ?? ['*'],
          expiresInDays: body.expires_in_days ?? null,
        }),
      updateKey: ({ params, body }, { grant }) => update(deps, grant, params.key_id, body),
      rotateKey: ({ params, body }, { grant }) =>
        rotate(deps, grant, params.key_id, { grace: body.grace, expiresInDays: body.expires_in_days ?? null }),
      deleteKey: async ({ params }, { grant }) => {
        await remove(deps, grant, params.key_id)
        return null
      },
    },
  )
