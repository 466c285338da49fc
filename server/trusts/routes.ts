import { exchangeGrant, longestToken, subjectTokenTypes, trustsApi } from '../../src/api/trusts.ts'
import { ValidationError } from '../../src/api/wire.ts'
import { SvcError } from '../../src/errors.ts'
import { addressOf } from '../auth/door.ts'
import { type Context, type Route, routesOf } from '../http/door.ts'
import { type Deps, stablePageOf } from '../kit/door.ts'
import { exchangeToken, tryToken } from './exchange.ts'
import { createTrust, getTrust, listTrusts, removeTrust } from './service.ts'
import { TrustIssuers } from './verify.ts'

type Fields = Readonly<Record<string, string | undefined>>

/** The fields of a body: JSON, which its schema has checked, or a form (RFC 6749), in which unknown ones are skipped. */
function fieldsOf(body: unknown, { mediaType }: Context): Fields {
  if (mediaType === null) return body as Fields
  const form = new URLSearchParams(new TextDecoder().decode(body as Uint8Array))
  return Object.fromEntries([...form].map(([name, value]) => [name, value.replaceAll('\0', '').slice(0, longestToken)]))
}

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
      const fields = fieldsOf(body, context)
      const { grant_type = exchangeGrant, subject_token = '', subject_token_type, trust = null } = fields
      if (grant_type !== exchangeGrant)
        throw new SvcError('trust-refused', { reason: `grant_type must be ${exchangeGrant}` })
      if (subject_token === '')
        throw new ValidationError([
          { loc: ['body', 'subject_token'], msg: 'This property is required.', type: 'missing' },
        ])
      if (subject_token_type !== undefined && !(subjectTokenTypes as readonly string[]).includes(subject_token_type))
        throw new SvcError('trust-refused', {
          reason: `a subject_token_type must be ${subjectTokenTypes.join(' or ')}`,
        })
      const address = addressOf(context.request)
      return exchangeToken(deps, { tenantSlug: params.tenant_slug, token: subject_token, trust, address })
    },
  })
}
