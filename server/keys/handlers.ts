import type { applicationApi } from '../../src/api/application.ts'
import type { Identity } from '../auth/identity.ts'
import type { Handlers } from '../mount.ts'
import { createKey, deleteKey, listKeys, rotateKey, updateKey } from './service.ts'

type KeyHandlers = Pick<Handlers<typeof applicationApi>, 'keys' | 'createKey' | 'updateKey' | 'rotateKey' | 'deleteKey'>

/** What the application does with the API keys of a tenant (specification 2.16, 3.1, 5). */
export const apiKeyHandlers = (identity: Identity): KeyHandlers => ({
  keys: ({ query }, { grant }) =>
    listKeys(identity, grant, { limit: query?.limit ?? 50, offset: query?.offset ?? 0, q: query?.q ?? null }),
  createKey: ({ body }, { grant }) =>
    createKey(identity, grant, {
      name: body.name,
      description: body.description ?? '',
      scopes: body.scopes ?? ['*'],
      expiresInDays: body.expires_in_days ?? null,
    }),
  updateKey: ({ params, body }, { grant }) => updateKey(identity, grant, params.key_id, body),
  rotateKey: ({ params, body }, { grant }) =>
    rotateKey(identity, grant, params.key_id, { grace: body.grace, expiresInDays: body.expires_in_days ?? null }),
  deleteKey: async ({ params }, { grant }) => {
    await deleteKey(identity, grant, params.key_id)
    return null
  },
})
