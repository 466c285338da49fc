import { exchangeGrant, subjectTokenTypes, trustsApi } from '../../src/api/trusts.ts'
import { SvcError } from '../../src/errors.ts'
import { addressOf } from '../auth/door.ts'
import { type Route, routesOf } from '../http/door.ts'
import { type Deps, stablePageOf } from '../kit/door.ts'
import { exchangeToken, tryToken } from './exchange.ts'
import { createTrust, getTrust, listTrusts, removeTrust } from './service.ts'
import { TrustIssuers } from './verify.ts'

/** The routes of pipelines without keys. */
export const trustRoutes = (given: Deps): Route[] => {
  const deps = { ...given, issuers: new TrustIssuers(given) }
  return routesOf(trustsApi, {
    list: ({ query }, { grant }) => listTrusts(deps, grant, { ...stablePageOf('trusts', query), q: query?.q ?? null }),
    create: ({ body }, { grant }) => createTrust(deps, grant, body),
    get: ({ params }, { grant }) => getTrust(deps, grant, params.trust),
    remove: async ({ params }, { grant }) => {
      await removeTrust(deps, grant, params.trust)
      return null
    },
    test: ({ body }, { grant }) => tryToken(deps, grant, body.token),
    exchange: ({ params, body }, context) => {
      const { grant_type = exchangeGrant, subject_token, subject_token_type, trust = null } = body
      if (grant_type !== exchangeGrant)
        throw new SvcError('trust-refused', { reason: `grant_type must be ${exchangeGrant}` })
      if (subject_token_type !== undefined && !(subjectTokenTypes as readonly string[]).includes(subject_token_type))
        throw new SvcError('trust-refused', {
          reason: `a subject_token_type must be ${subjectTokenTypes.join(' or ')}`,
        })
      const address = addressOf(context.request)
      return exchangeToken(deps, { tenantSlug: params.tenant_slug, token: subject_token, trust, address })
    },
  })
}
