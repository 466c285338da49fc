/** What "svc doctor" says of the issuers that people sign in at, or whose tokens are valid here. */
import { clockOf } from '../../db/clock.ts'
import { parseNetworks } from '../../server/egress/address.ts'
import { issuersOf } from '../../server/auth/issuer-settings.ts'
import { Issuer } from '../../server/auth/issuer.ts'
import type { SettingValues } from '../../server/settings.ts'
import type { Check } from './checks.ts'

/** Each configured issuer is reached through the egress guard, and its keys can be read. */
export async function checkIssuers(values: SettingValues): Promise<Check[]> {
  const { oidc, trusted } = issuersOf(values)
  const wanted = [...(oidc === null ? [] : [{ issuer: oidc.issuer, jwksUri: undefined }]), ...(trusted?.issuers ?? [])]
  return Promise.all(
    wanted.map(async ({ issuer, jwksUri }): Promise<Check> => {
      const reasons: string[] = []
      const egressAllow = parseNetworks(values.egressAllow)
      const onFailure = (reason: string) => void reasons.push(reason)
      const asked = new Issuer({ issuer, jwksUri, egressAllow, clock: clockOf(), onFailure })
      return (await asked.isReachable())
        ? { name: 'issuer', status: 'pass', message: `${issuer} answers, and its keys can be read`, advice: null }
        : {
            name: 'issuer',
            status: 'fail',
            message: `${issuer} cannot be used: ${reasons[0] ?? 'it does not answer'}`,
            advice: 'Compare it with the "issuer" in the discovery document; add private networks to SVC_EGRESS_ALLOW.',
          }
    }),
  )
}
