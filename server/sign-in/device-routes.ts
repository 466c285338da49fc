import { deviceApi, deviceApprovalApi, deviceGrant } from '../../src/api/device.ts'
import { ValidationError } from '../../src/api/wire.ts'
import { SvcError } from '../../src/errors.ts'
import { type Context, type Route, routesOf } from '../http/door.ts'
import { addressOf } from '../auth/door.ts'
import { beginDevice, decideDevice, lookUpDevice, redeemDevice } from './device.ts'
import type { Identity } from './identity.ts'

/** The fields of a body: JSON, which its schema has checked, or a form (RFC 6749), in which unknown ones are skipped. */
function fieldsOf(body: unknown, { mediaType }: Context): Readonly<Record<string, string | undefined>> {
  if (mediaType === null) return (body ?? {}) as Readonly<Record<string, string>>
  const form = new URLSearchParams(new TextDecoder().decode(body as Uint8Array))
  return Object.fromEntries([...form].map(([name, value]) => [name, value.replaceAll('\0', '').slice(0, 200)]))
}

/** The routes of signing in on another device (RFC 8628). */
export const deviceRoutes = (deps: Identity): Route[] => [
  ...routesOf(deviceApi, {
    code: ({ body }, context) => {
      const { client_name, client_id } = fieldsOf(body, context)
      return beginDevice(deps, {
        clientName: (client_name ?? client_id ?? '').slice(0, 100),
        address: addressOf(context.request),
      })
    },
    token: ({ body }, context) => {
      const { grant_type = deviceGrant, device_code } = fieldsOf(body, context)
      if (grant_type !== deviceGrant) throw new SvcError('unsupported_grant_type')
      if (device_code === undefined || device_code === '')
        throw new ValidationError([
          { loc: ['body', 'device_code'], msg: 'This property is required.', type: 'missing' },
        ])
      return redeemDevice(deps, { deviceCode: device_code, address: addressOf(context.request) })
    },
  }),
  ...routesOf(deviceApprovalApi, {
    lookup: ({ body }, { grant }) => lookUpDevice(deps, grant, body.user_code),
    decide: async ({ body }, { grant }) => {
      const { user_code, approve, tenant = null } = body
      return { status: await decideDevice(deps, grant, { userCode: user_code, approve, tenant }) }
    },
  }),
]
